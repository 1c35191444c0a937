// The line at the bottom: plain words get a hint, "/" opens the commands, a chosen command becomes chips to fill in.
import { displayName, h } from "./dom.js";

const TYPE_WORDS = { 3: "text", 4: "whole number", 5: "yes or no", 6: "person", 7: "channel", 8: "role", 9: "person or role", 10: "number", 11: "file" };
const AUTOCOMPLETE_PAUSE_MS = 160;

/** Every command a person can send, groups and subcommands written out: "table open". */
export function leaves(commands) {
  const found = [];
  const walk = (node, path, root) => {
    const deeper = (node.options ?? []).filter((option) => option.type === 1 || option.type === 2);
    if (deeper.length) for (const option of deeper) walk(option, [...path, option], root);
    else found.push({ root, path, name: [root.name, ...path.map((step) => step.name)].join(" "), description: node.description, options: node.options ?? [] });
  };
  for (const command of commands) if ((command.type ?? 1) === 1) walk(command, [], command);
  return found.sort((a, b) => a.name.localeCompare(b.name));
}

/** The options of an interaction in Discord's nesting: group, subcommand, values. */
export function nested(leaf, values) {
  return leaf.path.reduceRight((inner, step) => [{ type: step.type, name: step.name, options: inner }], values);
}

export class Composer {
  /** `host`: commands() for this channel, book, run(leaf, options), complete(leaf, options) → choices or null. */
  constructor(form, host) {
    this.host = host;
    this.form = form;
    this.say = form.querySelector("#say");
    this.panel = form.querySelector("#picker");
    this.list = form.querySelector("#picker-list");
    this.head = form.querySelector("#picker-head");
    this.chipsNode = form.querySelector("#chips");
    this.nameNode = form.querySelector("#command-name");
    this.hintNode = form.querySelector("#hint");
    this.reset();
    this.watch(this.say);
    form.addEventListener("submit", (event) => { event.preventDefault(); this.submit(); });
    form.querySelector("#slash").addEventListener("click", () => this.start("/"));
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[role=option]");
      if (row) this.take(this.items[Number(row.dataset.at)]);
    });
    form.addEventListener("focusout", (event) => { if (!form.contains(event.relatedTarget)) this.show([]); });
  }

  reset() {
    Object.assign(this, { leaf: null, chips: [], items: [], active: -1, field: this.say, asked: 0 });
    this.say.value = "";
    this.draw();
    this.show([]);
  }

  /** Begin with this text, as if it had been typed. */
  start(text) {
    this.reset();
    this.say.value = text;
    this.say.focus();
    this.typed(this.say);
  }

  hint(words, bad = false) {
    this.hintNode.textContent = words;
    this.hintNode.toggleAttribute("data-bad", bad);
    this.hintNode.hidden = !words;
  }

  watch(input) {
    input.addEventListener("input", () => this.typed(input));
    input.addEventListener("focus", () => this.typed(input, true));
    input.addEventListener("keydown", (event) => this.pressed(event, input));
  }

  chipOf(input) { return this.chips.find((chip) => chip.input === input); }

  typed(input, onlyFocus = false) {
    this.field = input;
    if (!onlyFocus) this.hint("");
    const chip = this.chipOf(input);
    if (chip) {
      input.size = Math.max(3, Math.min(28, input.value.length + 1 || input.placeholder.length));
      if (!onlyFocus) chip.picked = null;
      return this.suggest(chip);
    }
    if (this.leaf) {
      const typed = this.say.value.trim();
      const rest = this.spareOptions().filter((option) => option.name.startsWith(typed.toLowerCase()));
      if (typed && !rest.length && this.spareOptions().length) return this.fillFirst(typed); // "/laws B-8": it must be the value
      return this.show(rest.map((option) => ({ title: option.name, words: option.description, side: describe(option), option })),
        rest.length ? "More options" : "", this.say.value ? 0 : -1);
    }
    if (!this.say.value.startsWith("/")) return this.show([]);
    const typedOut = this.leafTyped(true);
    if (typedOut) return this.choose(typedOut, this.say.value.slice(typedOut.name.length + 2));
    const query = this.say.value.slice(1).toLowerCase().trim();
    const ranked = leaves(this.host.commands()).map((leaf) => ({ leaf, rank: rankOf(leaf, query) })).filter(({ rank }) => rank >= 0);
    ranked.sort((a, b) => a.rank - b.rank);
    return this.show(ranked.map(({ leaf }) => ({
      title: `/${leaf.name}`, words: leaf.description, side: leaf.options.map((option) => (option.required ? option.name : `${option.name}?`)).join(" "), leaf,
    })), ranked.length ? "Commands" : `There is no command like ${this.say.value}`, 0);
  }

  /** The command typed out in full; with `spaced`, only once a space follows it. */
  leafTyped(spaced) {
    const text = this.say.value.toLowerCase();
    return leaves(this.host.commands()).find((leaf) => (spaced ? text.startsWith(`/${leaf.name} `) : text.trim() === `/${leaf.name}`));
  }

  choose(leaf, rest = "") {
    this.leaf = leaf;
    this.say.value = "";
    this.chips = [];
    this.draw();
    for (const option of leaf.options) if (option.required) this.addChip(option);
    const first = rest && !this.chips.length && leaf.options.length ? this.addChip(leaf.options[0]) : this.chips[0];
    if (first && rest) first.input.value = rest.trim();
    this.goTo(first?.input ?? this.say);
  }

  addChip(option) {
    const about = describe(option);
    const input = h("input", {
      type: "text", role: "combobox", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "next", size: Math.min(14, about.length),
      "aria-expanded": "false", "aria-controls": "picker-list", "aria-label": `${option.name}: ${option.description} (${about})`, placeholder: about,
      inputmode: [4, 10].includes(option.type) && !option.choices ? "decimal" : null, "data-option-input": option.name,
    });
    const remove = !option.required && h("button", { type: "button", class: "chip-off", "aria-label": `Remove ${option.name}` }, "×");
    const chip = { option, input, picked: null };
    chip.node = h("span", { class: "chip", "data-option": option.name }, h("span", { class: "chip-name" }, option.name), input, remove);
    if (remove) remove.addEventListener("click", () => this.dropChip(chip));
    this.chips.push(chip);
    this.chipsNode.append(chip.node);
    this.watch(input);
    return chip;
  }

  fillFirst(text) {
    const chip = this.addChip(this.spareOptions()[0]);
    this.say.value = "";
    chip.input.value = text;
    this.goTo(chip.input);
    this.typed(chip.input);
  }

  dropChip(chip) {
    const at = this.chips.indexOf(chip);
    this.chips.splice(at, 1);
    chip.node.remove();
    this.goTo(this.chips[at - 1]?.input ?? this.say);
  }

  spareOptions() { return this.leaf.options.filter((option) => !this.chips.some((chip) => chip.option === option)); }

  draw() {
    this.nameNode.hidden = !this.leaf;
    this.nameNode.textContent = this.leaf ? `/${this.leaf.name}` : "";
    if (!this.chips.length) this.chipsNode.replaceChildren();
    const more = this.leaf && this.spareOptions().length;
    this.say.placeholder = !this.leaf ? this.host.placeholder() : more ? "Enter sends · options" : "Enter sends";
  }

  goTo(input) {
    this.draw();
    input.focus();
    this.typed(input, true);
  }

  // What may be filled in here ------------------------------------------------------------------------------------

  suggest(chip) {
    const { option, input } = chip;
    const head = `${option.name} · ${option.description} (${describe(option)}${option.required ? "" : ", optional"})`;
    if (option.autocomplete) return this.askFor(chip, head);
    const all = this.fixedChoices(option);
    if (!all) return this.show([], head);
    const query = chip.picked ? "" : input.value.trim().replace(/^[@#]/, "").toLowerCase();
    const fitting = all.filter((choice) => choice.name.toLowerCase().includes(query));
    return this.show(fitting.map((choice) => ({ title: choice.name, choice })), fitting.length ? head : `Nothing fits “${input.value}”. ${head}`, 0);
  }

  fixedChoices(option) {
    if (option.choices?.length) return option.choices;
    if (option.type === 5) return [{ name: "Yes", value: true }, { name: "No", value: false }];
    if (option.type === 6 || option.type === 9) return this.host.book.users().map((user) => ({ name: displayName(user), value: user.id }));
    if (option.type === 7) return this.host.book.channels().map((channel) => ({ name: channel.name, value: channel.id }));
    return null;
  }

  askFor(chip, head) {
    const round = ++this.asked;
    this.show(chip.offered ?? [], head);
    clearTimeout(this.pause);
    this.pause = setTimeout(async () => {
      const values = this.chips.filter((other) => other === chip || other.input.value).map((other) => {
        const read = other === chip ? { value: chip.input.value } : this.read(other);
        return "value" in read && { type: other.option.type, name: other.option.name, value: read.value, ...(other === chip && { focused: true }) };
      }).filter(Boolean);
      const choices = await this.host.complete(this.leaf, values);
      if (round !== this.asked || this.field !== chip.input || !this.leaf) return;
      chip.offered = (choices ?? []).map((choice) => ({ title: choice.name, choice }));
      this.show(chip.offered, choices === null ? `${head} · suggestions could not be loaded` : head, chip.input.value ? 0 : -1);
    }, AUTOCOMPLETE_PAUSE_MS);
  }

  show(items, head = "", active = -1) {
    this.items = items;
    this.active = items.length ? Math.min(active, items.length - 1) : -1;
    this.head.textContent = head;
    this.panel.hidden = !items.length && !head;
    this.list.replaceChildren(...items.map((item, at) => h("div", {
      class: "suggestion", role: "option", id: `suggestion-${at}`, "data-at": at, "data-label": item.title, "data-picker-command": item.leaf?.name,
    }, h("span", { class: "suggestion-words" }, h("b", {}, item.title), item.words && h("small", {}, item.words)), item.side && h("code", {}, item.side))));
    this.mark();
  }

  mark() {
    for (const [at, row] of [...this.list.children].entries()) row.setAttribute("aria-selected", String(at === this.active));
    this.list.children[this.active]?.scrollIntoView({ block: "nearest" });
    for (const input of [this.say, ...this.chips.map((chip) => chip.input)]) {
      input.setAttribute("aria-expanded", String(input === this.field && this.items.length > 0));
      if (input === this.field && this.active >= 0) input.setAttribute("aria-activedescendant", `suggestion-${this.active}`);
      else input.removeAttribute("aria-activedescendant");
    }
  }

  take(item) {
    if (item.leaf) return this.choose(item.leaf);
    if (item.option) {
      this.say.value = "";
      return this.goTo(this.addChip(item.option).input);
    }
    const chip = this.chipOf(this.field);
    chip.input.value = item.choice.name;
    chip.input.size = Math.max(3, Math.min(28, item.choice.name.length + 1));
    chip.picked = item.choice;
    const next = this.chips.find((other) => other.option.required && !other.input.value);
    return this.goTo(next?.input ?? this.say);
  }

  // Keys ----------------------------------------------------------------------------------------------------------

  pressed(event, input) {
    const chip = this.chipOf(input);
    const fresh = this.active >= 0 && !(chip && chip.picked);
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && this.items.length) {
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.active = this.active < 0 ? (step > 0 ? 0 : this.items.length - 1) : (this.active + step + this.items.length) % this.items.length;
      if (chip) chip.picked = null;
      this.mark();
    } else if (event.key === "Tab" && !event.shiftKey && fresh && (input.value || !chip || chip.option.required)) {
      this.take(this.items[this.active]);
    } else if (event.key === "Enter" && !event.isComposing) {
      if (!this.leaf || !fresh || (chip && !input.value && !chip.option.required)) this.submit();
      else this.take(this.items[this.active]);
    } else if (event.key === "Escape") {
      if (this.items.length && !this.leaf) this.show([]);
      else if (this.leaf || input.value) this.reset(), this.hint(""), this.say.focus();
      else return;
    } else if (event.key === "Backspace" && !input.value && this.leaf) {
      const at = chip ? this.chips.indexOf(chip) : this.chips.length;
      if (chip && !chip.option.required) this.dropChip(chip);
      else if (at > 0) this.goTo(this.chips[at - 1].input);
      else this.start(`/${this.leaf.name}`);
    } else return;
    event.preventDefault();
  }

  // Sending -------------------------------------------------------------------------------------------------------

  async submit() {
    if (!this.leaf) {
      const text = this.say.value.trim();
      if (!text) return undefined;
      if (!text.startsWith("/")) {
        this.say.value = "";
        return this.hint("The dealer reads only slash commands and buttons. Type / to see what you can ask.");
      }
      const typedOut = this.leafTyped(false);
      if (!typedOut) return this.items[this.active] ? this.take(this.items[this.active]) : this.hint(`There is no command ${text}. Type / to see them all.`, true);
      this.choose(typedOut);
      if (typedOut.options.some((option) => option.required)) return undefined;
    }
    if (this.say.value.trim()) return this.hint(`/${this.leaf.name} has no option “${this.say.value.trim()}”.`, true);
    const values = [];
    for (const chip of this.chips) {
      const read = this.read(chip);
      chip.node.toggleAttribute("data-wrong", Boolean(read.wrong));
      if (read.wrong) {
        this.goTo(chip.input);
        return this.hint(read.wrong, true);
      }
      if ("value" in read) values.push({ type: chip.option.type, name: chip.option.name, value: read.value });
    }
    const { leaf } = this;
    this.reset();
    this.say.focus();
    this.show([]);
    this.hint("");
    const wrong = await this.host.run(leaf, nested(leaf, values));
    return wrong ? this.hint(`/${leaf.name}: ${wrong}`, true) : undefined;
  }

  /** What a chip holds: `{value}`, `{}` when left empty, or `{wrong}` in plain words. */
  read({ option, input, picked }) {
    const text = input.value.trim();
    const name = option.name;
    if (!text) return option.required ? { wrong: `${name} is needed: ${option.description}` } : {};
    if (picked && picked.name === input.value) return { value: picked.value };
    const offered = this.fixedChoices(option);
    if (offered) {
      const bare = text.replace(/^[@#]/, "").toLowerCase();
      const match = offered.find((choice) => [choice.name.toLowerCase(), String(choice.value).toLowerCase()].includes(bare));
      return match ? { value: match.value } : { wrong: `${name}: choose one from the list.` };
    }
    if (option.type === 4 || option.type === 10) return readNumber(option, text);
    if (option.type === 11 || option.type === 8) return { wrong: `${name}: this page cannot send a ${TYPE_WORDS[option.type]}.` };
    if (option.min_length && text.length < option.min_length) return { wrong: `${name} needs at least ${option.min_length} characters.` };
    if (option.max_length && text.length > option.max_length) return { wrong: `${name} may have at most ${option.max_length} characters.` };
    return { value: text };
  }
}

function readNumber(option, text) {
  const plain = text.replace(/(?<=\d)[,\s](?=\d{3}\b)/g, "");
  const whole = option.type === 4;
  if (!(whole ? /^[-+]?\d{1,15}$/ : /^[-+]?\d{1,15}(\.\d+)?$/).test(plain)) return { wrong: `${option.name} must be a ${TYPE_WORDS[option.type]}.` };
  const value = Number(plain);
  const { min_value: least, max_value: most } = option;
  if (value < (least ?? -Infinity) || value > (most ?? Infinity)) return { wrong: `${option.name} must be ${rangeWords(least, most)}.` };
  return { value };
}

function rangeWords(least, most) {
  const written = (value) => value.toLocaleString("en");
  if (least === undefined || least === null) return `at most ${written(most)}`;
  return most === undefined || most === null ? `at least ${written(least)}` : `from ${written(least)} to ${written(most)}`;
}

/** The kind of value an option takes, in words: "whole number from 2 to 14". */
function describe(option) {
  const ranged = [option.min_value, option.max_value].some((bound) => bound !== undefined && bound !== null);
  const kind = option.choices?.length ? "choice" : TYPE_WORDS[option.type] ?? "value";
  return ranged ? `${kind} ${rangeWords(option.min_value, option.max_value)}` : kind;
}

function rankOf(leaf, query) {
  if (leaf.name.startsWith(query)) return 0;
  if (leaf.name.split(" ").some((word) => word.startsWith(query))) return 1;
  if (query.length < 3) return -1; // two letters are in half of all descriptions
  if (leaf.name.includes(query)) return 2;
  return leaf.description?.toLowerCase().includes(query) ? 3 : -1;
}
