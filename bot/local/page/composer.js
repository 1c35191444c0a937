// The input line at the bottom. "/" opens the list of commands; the options of the chosen command become chips to fill in.
import { displayName, h } from "./dom.js";

const TYPE_NAMES = { 3: "text", 4: "whole number", 5: "yes or no", 6: "person", 7: "channel", 8: "role", 9: "person or role", 10: "number", 11: "file" };
const AUTOCOMPLETE_PAUSE_MS = 160;
const COMMAND_NAME = /^[-_\p{L}\p{N}]{1,32}$/u;

/** Return every command that can be sent, one for each subcommand, with its full name: "table open". */
export function runnableCommands(commands) {
  const found = [];
  const collect = (node, path, root) => {
    const subcommands = (node.options ?? []).filter((option) => option.type === 1 || option.type === 2);
    if (subcommands.length) for (const option of subcommands) collect(option, [...path, option], root);
    else found.push({ root, path, name: [root.name, ...path.map((step) => step.name)].join(" "), description: node.description, options: node.options ?? [] });
  };
  for (const command of commands) if ((command.type ?? 1) === 1) collect(command, [], command);
  return found.sort((a, b) => a.name.localeCompare(b.name));
}

/** Nest option values as Discord does: group, subcommand, values. */
export function nestOptions(command, values) {
  return command.path.reduceRight((inner, step) => [{ type: step.type, name: step.name, options: inner }], values);
}

export class Composer {
  /**
   * `page`: directory, placeholder(), commands() of this channel, say(text), run(command, options), complete(command, options), and
   * ask(name, options), which sends a command that is on no list, as a client would whose list is old: the dealer says what it is called now.
   */
  constructor(form, page) {
    this.page = page;
    this.form = form;
    this.messageInput = form.querySelector("#message-input");
    this.panel = form.querySelector("#picker");
    this.list = form.querySelector("#picker-list");
    this.heading = form.querySelector("#picker-heading");
    this.chipList = form.querySelector("#chips");
    this.commandName = form.querySelector("#command-name");
    this.hintText = form.querySelector("#hint");
    this.isAsking = false; // whether the suggestions for what was typed are awaited before it is sent
    this.last = ""; // what was sent or emptied last, as it is typed
    this.reset();
    this.addListeners(this.messageInput);
    form.addEventListener("submit", (event) => { event.preventDefault(); this.submit(); });
    form.querySelector("#show-commands").addEventListener("click", () => this.start("/"));
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // the input keeps the focus
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[role=option]");
      if (row) this.accept(this.items[Number(row.dataset.index)]);
    });
    form.addEventListener("focusout", (event) => { if (!form.contains(event.relatedTarget)) this.showSuggestions([]); });
  }

  reset() {
    Object.assign(this, { command: null, chips: [], items: [], active: -1, field: this.messageInput, requestNumber: 0 });
    this.messageInput.value = "";
    this.redraw();
    this.showSuggestions([]);
  }

  /** Start with this text, as if it had been typed. */
  start(text) {
    this.reset();
    this.messageInput.value = text;
    this.messageInput.focus();
    this.handleInput(this.messageInput);
  }

  /** Return what is in the box, as it would be typed. */
  typed() {
    const options = this.chips.filter((chip) => chip.input.value).map((chip) => ` ${chip.option.name}:${chip.input.value}`);
    return this.command ? `/${this.command.name}${options.join("")} ${this.messageInput.value}`.trim() : this.messageInput.value;
  }

  showHint(text, isError = false) {
    this.hintText.textContent = text;
    this.hintText.toggleAttribute("data-error", isError);
    this.hintText.hidden = !text;
  }

  addListeners(input) {
    input.addEventListener("input", () => this.handleInput(input));
    input.addEventListener("focus", () => this.handleInput(input, true));
    input.addEventListener("keydown", (event) => this.handleKey(event, input));
  }

  chipWith(input) { return this.chips.find((chip) => chip.input === input); }

  handleInput(input, onlyFocus = false) {
    this.field = input;
    if (!onlyFocus) this.showHint("");
    if (!onlyFocus && this.command && this.beginsCommand(input)) return this.start(input.value);
    if (!onlyFocus && this.command && this.takeNamedOptions(input)) return undefined;
    const chip = this.chipWith(input);
    if (chip) {
      input.size = Math.max(3, Math.min(28, input.value.length + 1 || input.placeholder.length));
      if (!onlyFocus) chip.chosen = null;
      return this.suggest(chip);
    }
    if (this.command) {
      const typed = this.messageInput.value.trim();
      const rest = this.unusedOptions().filter((option) => option.name.startsWith(typed.toLowerCase()));
      if (typed && !rest.length && this.unusedOptions().length) return this.fillFirstOption(typed); // "/laws B-8": this must be the value
      return this.showSuggestions(rest.map((option) => ({ title: option.name, text: option.description, side: describeOption(option), option })),
        rest.length ? "More options" : "", this.messageInput.value ? 0 : -1);
    }
    if (!this.messageInput.value.startsWith("/")) return this.showSuggestions([]);
    const typedCommand = this.findTypedCommand(true);
    if (typedCommand) return this.chooseCommand(typedCommand, this.messageInput.value.slice(typedCommand.name.length + 2));
    const query = this.messageInput.value.slice(1).toLowerCase().trim();
    const ranked = runnableCommands(this.page.commands()).map((command) => ({ command, rank: rankOf(command, query) })).filter(({ rank }) => rank >= 0);
    ranked.sort((a, b) => a.rank - b.rank);
    const found = ranked.length ? ranked.map(({ command }) => command) : nearestCommands(runnableCommands(this.page.commands()), query);
    const isNamed = ranked.length > 0 && ranked[0].rank <= NAMED;
    return this.showSuggestions(found.map((command) => ({
      title: `/${command.name}`, text: command.description, side: command.options.map((option) => (option.required ? option.name : `${option.name}?`)).join(" "), command,
    })), ranked.length ? "Commands" : `There is no command ${this.messageInput.value}. Press Enter to ask what it is called now.`, isNamed ? 0 : -1);
  }

  /** Return whether another command is being typed into a field of the one that is there. A field with words of its own keeps a mere "/". */
  beginsCommand(input) {
    const name = /^\/([\w-]*)/.exec(input.value)?.[1]?.toLowerCase();
    if (name === undefined || (input !== this.messageInput && !name)) return false;
    return runnableCommands(this.page.commands()).some((command) => command.name.startsWith(name));
  }

  /** Return the command whose full name was typed; with `spaced`, only if a space follows it. */
  findTypedCommand(spaced) {
    const text = this.messageInput.value.toLowerCase();
    return runnableCommands(this.page.commands()).find((command) => (spaced ? text.startsWith(`/${command.name} `) : text.trim() === `/${command.name}`));
  }

  chooseCommand(command, rest = "") {
    this.command = command;
    this.messageInput.value = "";
    this.chips = [];
    this.redraw();
    for (const option of command.options) if (option.required) this.addChip(option);
    this.messageInput.value = rest;
    if (rest && this.takeNamedOptions(this.messageInput)) return;
    this.messageInput.value = "";
    const first = rest && !this.chips.length && command.options.length ? this.addChip(command.options[0]) : this.chips[0];
    if (first && rest) first.input.value = rest.trim();
    this.focusField(first?.input ?? this.messageInput);
  }

  /** Make a chip of every option that is typed by name, as in "badugi practice:2". Returns false if there is none. */
  takeNamedOptions(input) {
    const open = this.chips.filter((chip) => chip.input === input || !chip.input.value); // the one that is typed in, and those still empty
    const options = [...this.unusedOptions(), ...open.map((chip) => chip.option)];
    if (!options.length) return false;
    const marks = [...input.value.matchAll(new RegExp(`(?:^|\\s)(${options.map((option) => option.name).join("|")}):`, "giu"))];
    if (!marks.length) return false;
    const text = input.value;
    const before = text.slice(0, marks[0].index).trim();
    let last = null;
    input.value = before;
    for (const [position, mark] of marks.entries()) {
      const option = options.find(({ name }) => name === mark[1].toLowerCase());
      last = this.chips.find((chip) => chip.option === option) ?? this.addChip(option);
      last.input.value = text.slice(mark.index + mark[0].length, marks[position + 1]?.index).trim();
    }
    if (input === this.messageInput && before) this.fillFirstOption(before);
    this.focusField(last.input);
    this.handleInput(last.input);
    return true;
  }

  addChip(option) {
    const kind = describeOption(option);
    const input = h("input", {
      type: "text", role: "combobox", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "next", size: Math.min(14, kind.length),
      "aria-expanded": "false", "aria-controls": "picker-list", "aria-label": `${option.name}: ${option.description} (${kind})`, placeholder: kind,
      inputmode: [4, 10].includes(option.type) && !option.choices ? "decimal" : null, "data-option-input": option.name,
    });
    const remove = !option.required && h("button", { type: "button", class: "chip-remove", "aria-label": `Remove ${option.name}` }, "×");
    const chip = { option, input, chosen: null };
    chip.node = h("span", { class: "chip", "data-option": option.name }, h("span", { class: "chip-name" }, option.name), input, remove);
    if (remove) remove.addEventListener("click", () => this.removeChip(chip));
    this.chips.push(chip);
    this.chipList.append(chip.node);
    this.addListeners(input);
    return chip;
  }

  fillFirstOption(text) {
    const chip = this.chips.find(({ input }) => !input.value) ?? this.addChip(this.unusedOptions()[0]);
    this.messageInput.value = "";
    chip.input.value = text;
    this.focusField(chip.input);
    this.handleInput(chip.input);
  }

  removeChip(chip) {
    const index = this.chips.indexOf(chip);
    this.chips.splice(index, 1);
    chip.node.remove();
    this.focusField(this.chips[index - 1]?.input ?? this.messageInput);
  }

  unusedOptions() { return this.command.options.filter((option) => !this.chips.some((chip) => chip.option === option)); }

  redraw() {
    this.commandName.hidden = !this.command;
    this.commandName.textContent = this.command ? `/${this.command.name}` : "";
    if (!this.chips.length) this.chipList.replaceChildren();
    const hasMore = this.command && this.unusedOptions().length;
    this.messageInput.placeholder = !this.command ? this.page.placeholder() : hasMore ? "Press Enter to send, or add options" : "Press Enter to send";
  }

  focusField(input) {
    this.redraw();
    input.focus();
    this.handleInput(input, true);
  }

  // Suggestions ---------------------------------------------------------------------------------------------------

  suggest(chip) {
    const { option, input } = chip;
    const heading = `${option.name} · ${option.description} (${describeOption(option)}${option.required ? "" : ", optional"})`;
    if (option.autocomplete) return this.requestSuggestions(chip, heading);
    const all = this.fixedChoices(option);
    if (!all) return this.showSuggestions([], heading);
    const query = chip.chosen ? "" : input.value.trim().replace(/^[@#]/, "").toLowerCase();
    const matching = all.filter((choice) => choice.name.toLowerCase().includes(query));
    return this.showSuggestions(matching.map((choice) => ({ title: choice.name, choice })), matching.length ? heading : `Nothing matches “${input.value}”. ${heading}`, 0);
  }

  fixedChoices(option) {
    if (option.choices?.length) return option.choices;
    if (option.type === 5) return [{ name: "Yes", value: true }, { name: "No", value: false }];
    if (option.type === 6 || option.type === 9) return this.page.directory.users().map((user) => ({ name: displayName(user), value: user.id }));
    if (option.type === 7) return this.page.directory.channels().map((channel) => ({ name: channel.name, value: channel.id }));
    return null;
  }

  requestSuggestions(chip, heading) {
    const number = ++this.requestNumber;
    this.showSuggestions(chip.suggestions ?? [], heading);
    clearTimeout(this.pause);
    this.pause = setTimeout(async () => {
      const values = this.valuesAround(chip);
      const choices = await this.page.complete(this.command, values);
      if (number !== this.requestNumber || this.field !== chip.input || !this.command) return;
      chip.suggestions = (choices ?? []).map((choice) => ({ title: choice.name, choice }));
      chip.suggestedFor = values.find((value) => value.focused).value;
      this.showSuggestions(chip.suggestions, choices === null ? `${heading} · suggestions could not be loaded` : heading, chip.input.value ? 0 : -1);
    }, AUTOCOMPLETE_PAUSE_MS);
  }

  /** Return the values of all filled options, with the one that suggestions are wanted for marked. */
  valuesAround(chip) {
    return this.chips.filter((other) => other === chip || other.input.value).map((other) => {
      const read = other === chip ? { value: chip.input.value } : this.readChip(other);
      return "value" in read && { type: other.option.type, name: other.option.name, value: read.value, ...(other === chip && { focused: true }) };
    }).filter(Boolean);
  }

  /** Before sending: where exactly one suggestion has what was typed, it is what was meant ("badu" is Badugi). */
  async takeOnlySuggestion(chip) {
    const text = chip.input.value;
    if (!chip.option.autocomplete || chip.chosen || !text.trim()) return;
    if (chip.suggestedFor !== text) {
      const choices = await this.page.complete(this.command, this.valuesAround(chip));
      Object.assign(chip, { suggestions: (choices ?? []).map((choice) => ({ title: choice.name, choice })), suggestedFor: text });
    }
    const [only, ...others] = chip.suggestions.map(({ choice }) => choice);
    const query = text.trim().toLowerCase();
    if (!only || others.length || chip.input.value !== text || ![only.name, String(only.value)].some((name) => name.toLowerCase().includes(query))) return;
    chip.input.value = only.name;
    chip.chosen = only;
  }

  showSuggestions(items, heading = "", active = -1) {
    this.items = items;
    this.active = items.length ? Math.min(active, items.length - 1) : -1;
    this.heading.textContent = heading;
    this.panel.hidden = !items.length && !heading;
    this.list.replaceChildren(...items.map((item, index) => h("div", {
      class: "suggestion", role: "option", id: `suggestion-${index}`, "data-index": index, "data-label": item.title, "data-picker-command": item.command?.name,
    }, h("span", { class: "suggestion-text" }, h("b", {}, item.title), item.text && h("small", {}, item.text)), item.side && h("code", {}, item.side))));
    this.markActive();
  }

  markActive() {
    for (const [index, row] of [...this.list.children].entries()) row.setAttribute("aria-selected", String(index === this.active));
    this.list.children[this.active]?.scrollIntoView({ block: "nearest" });
    for (const input of [this.messageInput, ...this.chips.map((chip) => chip.input)]) {
      input.setAttribute("aria-expanded", String(input === this.field && this.items.length > 0));
      if (input === this.field && this.active >= 0) input.setAttribute("aria-activedescendant", `suggestion-${this.active}`);
      else input.removeAttribute("aria-activedescendant");
    }
  }

  accept(item) {
    if (item.command) return this.chooseCommand(item.command);
    if (item.option) {
      this.messageInput.value = "";
      return this.focusField(this.addChip(item.option).input);
    }
    const chip = this.chipWith(this.field);
    chip.input.value = item.choice.name;
    chip.input.size = Math.max(3, Math.min(28, item.choice.name.length + 1));
    chip.chosen = item.choice;
    const next = this.chips.find((other) => other.option.required && !other.input.value);
    return this.focusField(next?.input ?? this.messageInput);
  }

  // Keys ----------------------------------------------------------------------------------------------------------

  handleKey(event, input) {
    const chip = this.chipWith(input);
    const hasSuggestion = this.active >= 0 && !(chip && chip.chosen);
    if (event.key === "ArrowUp" && !this.command && !input.value && this.last) {
      this.start(this.last);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && this.items.length) {
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.active = this.active < 0 ? (step > 0 ? 0 : this.items.length - 1) : (this.active + step + this.items.length) % this.items.length;
      if (chip) chip.chosen = null;
      this.markActive();
    } else if (event.key === "Tab" && !event.shiftKey && hasSuggestion && (input.value || !chip || chip.option.required)) {
      this.accept(this.items[this.active]);
    } else if (event.key === "Enter" && !event.isComposing) {
      if (!this.command || !hasSuggestion || (chip && !input.value && !chip.option.required)) this.submit();
      else this.accept(this.items[this.active]);
    } else if (event.key === "Escape") {
      if (!this.command && !input.value) return this.showHint("");
      this.last = this.typed();
      this.reset();
      this.showHint("");
      this.messageInput.focus();
    } else if (event.key === "Backspace" && !input.value && this.command) {
      const index = chip ? this.chips.indexOf(chip) : this.chips.length;
      if (chip && !chip.option.required) this.removeChip(chip);
      else if (index > 0) this.focusField(this.chips[index - 1].input);
      else this.start(`/${this.command.name}`);
    } else return;
    event.preventDefault();
  }

  // Sending -------------------------------------------------------------------------------------------------------

  async submit() {
    if (!this.command) {
      const text = this.messageInput.value.trim();
      if (!text) return undefined;
      if (!text.startsWith("/")) return this.sayText(text);
      const typedCommand = this.findTypedCommand(false);
      if (!typedCommand) return this.items[this.active] ? this.accept(this.items[this.active]) : this.askAbout(text);
      this.chooseCommand(typedCommand);
      if (typedCommand.options.some((option) => option.required)) return undefined;
    }
    const rest = this.messageInput.value.trim();
    if (rest && !this.command.options.length && !this.command.path.length) return this.askAbout(`/${this.command.name} ${rest}`);
    if (rest) return this.fail(this.messageInput, `/${this.command.name} has no option “${rest}”.`);
    const { command } = this;
    if (this.isAsking) return undefined; // Enter was pressed twice
    this.isAsking = true;
    for (const chip of this.chips) await this.takeOnlySuggestion(chip);
    this.isAsking = false;
    if (this.command !== command) return undefined; // the reader has gone on
    const values = [];
    for (const chip of this.chips) {
      const read = this.readChip(chip);
      chip.node.toggleAttribute("data-invalid", Boolean(read.error));
      if (read.error) return this.fail(chip.input, read.error);
      if ("value" in read) values.push({ type: chip.option.type, name: chip.option.name, value: read.value });
    }
    return this.send(() => this.page.run(command, nestOptions(command, values)), `/${command.name}: `);
  }

  /** Empty the box and send; a failure says how the command comes back. */
  async send(request, name = "") {
    const sent = this.typed();
    this.last = sent;
    this.reset();
    this.messageInput.focus();
    this.showHint("");
    const error = await request();
    return error ? this.showHint(`${name}${error.replace(/\.$/, "")}. Press ↑ to get ${sent.split(" ")[0]} back.`, true) : undefined;
  }

  /** Send a command that is on no list, without what follows it but a subcommand. */
  askAbout(text) {
    const [name, subcommand] = text.slice(1).toLowerCase().split(/\s+/);
    if (!COMMAND_NAME.test(name)) return this.showHint(`There is no command ${text}. Type / to see all commands.`, true);
    return this.send(() => this.page.ask(name, COMMAND_NAME.test(subcommand ?? "") ? [{ type: 1, name: subcommand, options: [] }] : []));
  }

  /** Show what is wrong with a field. Its text is marked, so that the next key replaces it. */
  fail(input, text) {
    this.focusField(input);
    input.select();
    this.showHint(text, true);
  }

  /** Post a text for everybody in the channel. What could not be sent stays in the box. */
  async sayText(text) {
    this.last = text;
    this.messageInput.value = "";
    this.showHint("");
    const error = await this.page.say(text);
    if (!error) return undefined;
    if (!this.messageInput.value) {
      this.messageInput.value = text;
      this.messageInput.select(); // the next text replaces it
    }
    return this.showHint(error, true);
  }

  /** Read a chip: `{ value }`, `{}` if it is empty, or `{ error }` with a text. */
  readChip({ option, input, chosen }) {
    const text = input.value.trim();
    const name = option.name;
    if (!text) return option.required ? { error: `${name} is required: ${option.description}` } : {};
    if (chosen && chosen.name === input.value) return { value: chosen.value };
    const choices = this.fixedChoices(option);
    if (choices) {
      const query = text.replace(/^[@#]/, "").toLowerCase();
      const match = choices.find((choice) => [choice.name.toLowerCase(), String(choice.value).toLowerCase()].includes(query));
      return match ? { value: match.value } : { error: `${name}: choose one from the list.` };
    }
    if (option.type === 4 || option.type === 10) return readNumber(option, text);
    if (option.type === 11 || option.type === 8) return { error: `${name}: this page cannot send a ${TYPE_NAMES[option.type]}.` };
    if (option.min_length && text.length < option.min_length) return { error: `${name} needs at least ${option.min_length} characters.` };
    if (option.max_length && text.length > option.max_length) return { error: `${name} can have at most ${option.max_length} characters.` };
    return { value: text };
  }
}

function readNumber(option, text) {
  const plain = text.replace(/(?<=\d)[,\s](?=\d{3}\b)/g, "");
  const whole = option.type === 4;
  if (!(whole ? /^[-+]?\d{1,15}$/ : /^[-+]?\d{1,15}(\.\d+)?$/).test(plain)) return { error: `${option.name} must be a ${TYPE_NAMES[option.type]}.` };
  const value = Number(plain);
  const { min_value: minimum, max_value: maximum } = option;
  if (value < (minimum ?? -Infinity) || value > (maximum ?? Infinity)) return { error: `${option.name} must be ${rangeText(minimum, maximum)}.` };
  return { value };
}

function rangeText(minimum, maximum) {
  const format = (value) => value.toLocaleString("en");
  if (minimum === undefined || minimum === null) return `at most ${format(maximum)}`;
  return maximum === undefined || maximum === null ? `at least ${format(minimum)}` : `from ${format(minimum)} to ${format(maximum)}`;
}

/** Describe the value that an option takes: "whole number from 2 to 14". */
function describeOption(option) {
  const hasRange = [option.min_value, option.max_value].some((bound) => bound !== undefined && bound !== null);
  const kind = option.choices?.length ? "choice" : TYPE_NAMES[option.type] ?? "value";
  return hasRange ? `${kind} ${rangeText(option.min_value, option.max_value)}` : kind;
}

const NAMED = 2; // the highest rank of a command that is found by its name

function rankOf(command, query) {
  if (command.name.startsWith(query)) return 0;
  if (command.name.split(" ").some((word) => word.startsWith(query))) return 1;
  if (query.length < 3) return -1; // two letters occur in half of all descriptions
  if (command.name.includes(query)) return NAMED;
  return command.description?.toLowerCase().includes(query) ? NAMED + 1 : -1;
}

/** Return up to three commands whose names are nearest to one that does not exist: it begins with them, or two letters are different. */
function nearestCommands(commands, query) {
  const word = query.split(/\s/)[0];
  const distances = commands.map((command) => ({ command, distance: word.startsWith(command.name) && command.name.length > 2 ? 1 : editDistance(word, command.name) }));
  return distances.filter(({ distance }) => distance <= Math.min(2, word.length - 2)).sort((a, b) => a.distance - b.distance).slice(0, 3).map(({ command }) => command);
}

/** Return how many letters must be put in, left out or changed to make one word of another. */
function editDistance(one, other) {
  let row = [...Array(other.length + 1).keys()];
  for (const [index, letter] of [...one].entries()) {
    row = row.reduce((next, above, at) => [...next, at ? Math.min(above + 1, next[at - 1] + 1, row[at - 1] + (letter !== other[at - 1])) : index + 1], []);
  }
  return row.at(-1);
}
