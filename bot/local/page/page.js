// The page itself: what is known, the live line to the stand-in, the panes, and what a click means.
import { avatar, displayName, h, morph } from "./dom.js";
import { openModal } from "./forms.js";
import { Line } from "./line.js";
import { setClock, tick } from "./markdown.js";
import { FLAG, mentions, offersSeat, previewOf, renderMessage } from "./message.js";
import { People } from "./people.js";
import { Composer, nested } from "./picker.js";
import { idAt, Selects } from "./selects.js";

const $ = (id) => document.getElementById(id);
const TEXT_CHANNELS = new Set([0, 5, 10, 11, 12, undefined]); // text, announcements, threads
const KEEP_MESSAGES = 150; // per channel; a long evening deals thousands of hands

// What is known -----------------------------------------------------------------------------------------------------

const state = {
  me: null, guild: null, application: null, botOnline: true, dmsOpen: true,
  channels: new Map(), dms: new Map(), users: new Map(), commands: [],
  messages: new Map(), // channel id → (message id → message), oldest first
  busy: new Map(), failures: new Map(), // by message id: the custom id just pressed; what went wrong
};

const book = {
  get me() { return state.me?.id; },
  user: (id) => displayName(state.users.get(id) ?? (state.application?.id === id ? state.application : null)),
  channel: (id) => state.channels.get(id)?.name ?? (state.dms.has(id) ? displayName(state.dms.get(id).recipient) : "unknown"),
  role: () => "role",
  users: () => [...state.users.values()].filter((user) => !user.bot),
  channels: () => [...state.channels.values()],
};

const memory = {
  key: (name) => `cardroom:${state.me?.id ?? ""}:${name}`,
  get(name) { try { return localStorage.getItem(this.key(name)); } catch { return null; } }, // storage may be switched off
  set(name, value) { try { localStorage.setItem(this.key(name), value); } catch { return; } },
};

const later = (a, b) => (BigInt(a) > BigInt(b) ? 1 : BigInt(a) < BigInt(b) ? -1 : 0);

function knowUsers(message) {
  for (const user of [message.author, ...(message.mentions ?? [])]) if (user?.id && !state.users.has(user.id)) state.users.set(user.id, user);
}

// The live line -----------------------------------------------------------------------------------------------------

const line = new Line(`${location.pathname.replace(/\/$/, "")}/live`, receive, () => {
  document.body.dataset.connection = "reconnecting";
  banner();
});

function receive(frame) {
  switch (frame.t) {
    case "hello": return hello(frame);
    case "history": return history(frame);
    case "create": return arrived(frame.message);
    case "update": return changed(frame.message);
    case "delete": return gone(frame.channel_id, frame.id);
    case "modal": return showModal(frame);
    case "choices": case "done": case "failed": case "invited": return line.answered(frame.nonce, frame);
    case "error": return line.answered(frame.nonce, { ...frame, t: "failed" }) || notice(frame.text);
    case "commands": state.commands = frame.commands; return undefined;
    case "users":
      for (const user of frame.users) state.users.set(user.id, user);
      if (state.users.has(book.me)) state.me = state.users.get(book.me);
      return redrawAll();
    case "bot": state.botOnline = frame.online; return banner();
    case "channels": knowChannels(frame.channels); return redrawAll();
    case "dms": return knowDms(frame);
    default: return undefined; // a newer server may say more than this page knows
  }
}

const byId = (items) => new Map(items.map((item) => [item.id, item]));

function hello(frame) {
  Object.assign(state, { me: frame.me, guild: frame.guild, application: { ...frame.application, bot: true }, botOnline: frame.bot_online, dmsOpen: frame.dms_open ?? true, commands: frame.commands ?? [] });
  knowChannels(frame.channels ?? []);
  state.dms = byId(frame.dms ?? []);
  state.users = byId([...(frame.users ?? []), state.application, frame.me]);
  state.busy.clear();
  if (frame.now) setClock(frame.now);
  line.settled();
  document.body.dataset.connection = "open";
  document.body.dataset.userId = state.me.id;
  if (!main.channel || !(state.channels.has(main.channel) || state.dms.has(main.channel))) {
    const wanted = memory.get("channel");
    openPlace(state.channels.has(wanted) ? wanted : [...state.channels.keys()][0]);
  }
  applyTheme(memory.get("theme") ?? "auto");
  redrawAll();
  composer.draw();
}

function knowChannels(channels) {
  state.channels = byId(channels.filter((channel) => TEXT_CHANNELS.has(channel.type)));
}

function knowDms(frame) {
  if (typeof frame.open === "boolean") state.dmsOpen = frame.open;
  if (frame.dms) state.dms = byId(frame.dms);
  sideBar();
}

// Messages ----------------------------------------------------------------------------------------------------------

function store(channel) {
  if (!state.messages.has(channel)) state.messages.set(channel, new Map());
  return state.messages.get(channel);
}

function history({ channel_id: channel, messages }) {
  messages.forEach(knowUsers);
  state.messages.set(channel, byId([...messages].sort((a, b) => later(a.id, b.id))));
  if (memory.get(`read:${channel}`) === null && messages.length && state.channels.has(channel)) markRead(channel);
  for (const pane of panes) if (pane.channel === channel) pane.redraw();
  if (main.channel === channel) main.bringToView(newcomerMessage(channel));
  unread();
  document.body.dataset.ready = "true";
}

function arrived(message) {
  knowUsers(message);
  const messages = store(message.channel_id);
  const known = messages.has(message.id);
  messages.set(message.id, message);
  if (!known && !state.channels.has(message.channel_id) && !state.dms.has(message.channel_id)) {
    state.dms.set(message.channel_id, { id: message.channel_id, recipient: message.author }); // the first DM of this person
  }
  const oldest = messages.size > KEEP_MESSAGES ? messages.keys().next().value : null;
  if (oldest) messages.delete(oldest);
  let seen = false;
  for (const pane of panes) {
    if (pane.channel !== message.channel_id) continue;
    if (oldest) pane.drop(oldest);
    pane.put(message);
    seen ||= pane.visible();
  }
  if (known) return;
  if (seen) {
    announce(message);
    if (!document.hidden) markRead(message.channel_id);
  } else if (state.dms.has(message.channel_id)) notice(message);
  unread();
}

function changed(message) {
  const before = store(message.channel_id).get(message.id);
  if (!before) return arrived(message);
  const merged = { ...before, ...message };
  knowUsers(merged);
  store(message.channel_id).set(message.id, merged);
  state.failures.delete(message.id);
  for (const pane of panes) {
    if (pane.channel !== message.channel_id) continue;
    pane.put(merged);
    const named = mentions(merged, book.me) && !mentions(before, book.me);
    const answered = (before.flags & FLAG.LOADING) && !(merged.flags & FLAG.LOADING);
    if (named || answered) announce(merged, named);
  }
  return unread();
}

function gone(channel, id) {
  store(channel).delete(id);
  selects.forget(id);
  for (const pane of panes) if (pane.channel === channel) pane.drop(id);
  unread();
}

/** Draw one message again, after something changed that is not in it: a click, a choice, a failure. */
function touch(message) {
  for (const pane of panes) if (pane.channel === message.channel_id) pane.put(message);
}

/** Tell a screen reader, politely and once. A redraw of the table is told only when it names the listener. */
function announce(message, onlyMyLine = false) {
  const words = previewOf(message, book, 400);
  const mine = onlyMyLine && words.split(" · ").find((part) => part.includes(`@${displayName(state.me)}`));
  const line = h("div", {}, `${displayName(message.author)}: ${mine || words}`);
  $("announcer").append(line);
  setTimeout(() => line.remove(), 8000);
}

class Pane {
  constructor(log, toEnd = null) {
    Object.assign(this, { log, toEnd, channel: null, sticky: true });
    let before = 0;
    log.addEventListener("scroll", () => {
      const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
      if (atEnd) this.sticky = true;
      else if (log.scrollTop < before) this.sticky = false; // only going up lets go: growing below does not
      before = log.scrollTop;
      if (this.sticky && toEnd) toEnd.hidden = true;
    }, { passive: true });
    this.inner = h("div", { class: "log-inner" });
    log.append(this.inner);
    const watcher = new ResizeObserver(() => this.sticky && this.end()); // pictures arrive late, phones turn
    watcher.observe(this.inner);
    watcher.observe(log);
    toEnd?.addEventListener("click", () => { this.sticky = true; this.end(); });
  }

  visible() { return this.channel !== null && this.log.offsetParent !== null; }

  end() { this.log.scrollTop = this.log.scrollHeight; }

  show(channel) {
    if (this.channel === channel) return;
    this.channel = channel;
    this.sticky = true;
    this.inner.replaceChildren();
    this.redraw();
  }

  redraw() {
    const messages = [...(state.messages.get(this.channel)?.values() ?? [])];
    const fresh = h("div", { class: "log-inner" }, messages.length ? messages.map((message, at) => renderMessage(message, viewFor(message, messages[at - 1])))
      : h("p", { class: "empty", "data-key": "empty" }, "Nothing here yet."));
    morph(this.inner, fresh);
    if (this.sticky) this.end();
  }

  put(message) {
    const messages = [...state.messages.get(this.channel).values()];
    const at = messages.findIndex((other) => other.id === message.id);
    const fresh = renderMessage(message, viewFor(message, messages[at - 1]));
    const old = this.article(message.id);
    const focused = old?.contains(document.activeElement);
    if (old) morph(old, fresh);
    else {
      this.inner.querySelector(":scope > .empty")?.remove();
      const next = messages.slice(at + 1).map((other) => this.article(other.id)).find(Boolean);
      this.inner.insertBefore(fresh, next ?? null);
      if (!this.sticky && this.toEnd) this.toEnd.hidden = false;
    }
    if (focused && document.activeElement === document.body) this.article(message.id).focus({ preventScroll: true }); // the button went away
    if (this.sticky) this.end();
  }

  /** Scroll up to a message that would be out of sight at the end of the log. */
  bringToView(id) {
    const article = id && this.article(id);
    if (!article || article.getBoundingClientRect().top >= this.log.getBoundingClientRect().top) return;
    this.sticky = false;
    article.scrollIntoView({ block: "nearest" });
  }

  drop(id) { this.article(id)?.remove(); }

  article(id) { return this.inner.querySelector(`:scope > [data-message-id="${CSS.escape(id)}"]`); }
}

function viewFor(message, before) {
  const day = (other) => new Date(other.timestamp).toDateString();
  const date = !before || day(before) !== day(message);
  return {
    book, busy: state.busy, failures: state.failures, choices: selects.states, first: newcomerMessage(message.channel_id),
    day: date && new Date(message.timestamp).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" }),
  };
}

/** The message whose green button a visitor who never clicked anything should press. */
function newcomerMessage(channel) {
  if (memory.get("clicked") !== null) return null;
  return [...(state.messages.get(channel)?.values() ?? [])].findLast(offersSeat)?.id ?? null; // the latest: an older one may be stale
}

function noLongerNew() {
  if (memory.get("clicked") !== null) return;
  memory.set("clicked", "yes");
  for (const pane of panes) pane.redraw();
}

// Places: channels, DMs, unread -------------------------------------------------------------------------------------

const main = new Pane($("log"), $("to-end"));
const aside = new Pane($("dm-log"));
const panes = [main, aside];
const wide = matchMedia("(min-width: 1100px)");

function openPlace(id, message) {
  if (!id || !(state.channels.has(id) || state.dms.has(id))) return;
  if (state.dms.has(id) && wide.matches && state.channels.has(main.channel) && !message) memory.set("dm-pane", "open");
  else main.show(id);
  if (state.channels.has(id)) memory.set("channel", id);
  closeSide();
  $("notices").replaceChildren();
  composer.reset();
  composer.hint("");
  markRead(id);
  redrawAll();
  const article = message && main.article(message);
  if (article) {
    main.sticky = false;
    article.scrollIntoView({ block: "center" });
    article.focus({ preventScroll: true });
  } else main.end();
}

function markRead(channel) {
  const last = [...(state.messages.get(channel)?.keys() ?? [])].pop();
  if (last) memory.set(`read:${channel}`, last);
}

function unreadOf(channel) {
  const read = memory.get(`read:${channel}`) ?? "0";
  return [...(state.messages.get(channel)?.values() ?? [])].filter((message) => later(message.id, read) > 0 && message.author?.id !== book.me).length;
}

function unread() {
  for (const pane of panes) if (pane.visible() && !document.hidden) markRead(pane.channel);
  const counts = [...state.dms.keys()].map(unreadOf);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const button = $("dm-open");
  const dm = [...state.dms.keys()][counts.findIndex((count) => count > 0)] ?? [...state.dms.keys()][0];
  const inDm = state.dms.has(main.channel);
  button.hidden = !inDm && (!dm || aside.visible());
  button.dataset.go = inDm ? [...state.channels.keys()][0] ?? "" : dm ?? "";
  button.replaceChildren(inDm ? "‹ Table" : "DMs", !inDm && total ? badge(total) : "");
  document.title = `${total ? `(${total}) ` : ""}${placeName(main.channel)} · ${state.guild?.name ?? "Cardroom"}`;
  sideBar();
}

const badge = (count) => h("span", { class: "badge", "aria-label": `${count} unread` }, count > 99 ? "99+" : String(count));
const placeName = (id) => (state.channels.has(id) ? `#${state.channels.get(id).name}` : state.dms.has(id) ? displayName(state.dms.get(id).recipient) : "Cardroom");

function sideBar() {
  if (!state.me) return;
  const row = (id, face, name, count) => h("button", {
    type: "button", class: "place", "data-key": id, "data-go": id, "data-label": name, "aria-current": panes.some((pane) => pane.channel === id && pane.visible()) ? "true" : null, "data-unread": count > 0,
  }, face, h("span", { class: "place-name" }, name), count > 0 && badge(count));
  $("guild").textContent = state.guild?.name ?? "Cardroom";
  fill("channels", [...state.channels.values()].map((channel) => row(channel.id, h("span", { class: "hash", "aria-hidden": "true" }, "#"), channel.name, unreadOf(channel.id))));
  fill("dms", state.dms.size ? [...state.dms.values()].map((dm) => row(dm.id, avatar(dm.recipient, "small"), displayName(dm.recipient), unreadOf(dm.id)))
    : h("p", { class: "none" }, "None yet"));
  fill("me", [avatar(state.me, "small"), h("span", { class: "me-name", title: displayName(state.me) }, displayName(state.me)),
    h("button", { type: "button", class: "textual", id: "rename" }, "Rename")]);
  $("close-dms").checked = !state.dmsOpen;
}

const fill = (id, children) => morph($(id), h($(id).localName, { ...Object.fromEntries([...$(id).attributes].map(({ name, value }) => [name, value])) }, children));

function redrawAll() {
  if (!state.me) return;
  const name = placeName(main.channel);
  $("place").textContent = name;
  const dm = [...state.dms.keys()][0] ?? null;
  const showAside = wide.matches && dm !== null && main.channel !== dm && memory.get("dm-pane") !== "closed";
  $("dm-pane").hidden = !showAside;
  aside.show(showAside ? dm : null);
  if (showAside) $("dm-place").textContent = `${placeName(dm)} · direct messages`;
  for (const pane of panes) if (pane.channel) pane.redraw();
  banner();
  unread();
}

function banner() {
  const lost = document.body.dataset.connection === "reconnecting";
  const words = lost ? (line.attempts > 4 ? "Reconnecting… Is the cardroom still running?" : "Reconnecting…")
    : !state.botOnline && state.me ? "The dealer is away. Buttons and commands work again when it is back." : "";
  $("banner").hidden = !words;
  $("banner").dataset.kind = lost ? "reconnecting" : "away";
  if ($("banner").textContent !== words) $("banner").textContent = words;
}

/** A short notice on top: words, or a DM that arrived while another place is open. It stays while it is pointed at. */
function notice(what) {
  if (typeof what !== "string") announce(what);
  const close = () => node.remove();
  const node = typeof what === "string" ? h("div", { class: "notice", role: "alert" }, what)
    : h("button", { type: "button", class: "notice", "data-go": what.channel_id }, avatar(what.author, "small"),
      h("span", {}, h("b", {}, `${displayName(what.author)} · direct message`), h("span", { class: "notice-words" }, ...emojisAndWords(what))));
  node.addEventListener("click", close);
  $("notices").replaceChildren(node);
  setTimeout(close, 7000);
}

function emojisAndWords(message) {
  const body = renderMessage(message, { ...viewFor(message, message), first: null }).querySelector(".body");
  for (const node of body.querySelectorAll(".row, .only-you, .gallery, .spoiler, .subtext, .select")) node.remove();
  return [...body.querySelectorAll("h2, h3, h4, .para")].slice(0, 3).map((line) => h("span", { class: "notice-line" }, ...[...line.childNodes].map((node) => node.cloneNode(true))));
}

// What a click means ------------------------------------------------------------------------------------------------

const held = new WeakMap(); // the id a button had when it was pressed: a redraw in between must not change what is asked

document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-custom-id]");
  if (button) held.set(button, button.dataset.customId);
}, true);

document.addEventListener("click", (event) => {
  const at = (selector) => event.target.closest(selector);
  const message = messageAt(event.target);
  const button = at("button[data-custom-id]");
  const face = at("[data-select-id]"), option = at(".option[data-value]"), done = at("[data-select-done]");
  if (button && message) {
    const id = event.detail ? held.get(button) ?? button.dataset.customId : button.dataset.customId;
    return interact(message, id, "click", { custom_id: id });
  }
  if (face && message) return selects.toggle(message, face.dataset.selectId);
  if (option && message) return selects.choose(message, idAt(option), option.dataset.value);
  if (done && message) return selects.toggle(message, done.dataset.selectDone);
  if (!at(".select")) selects.closeAll();
  if (at("[data-dismiss]") && message) return dismiss(message);
  if (at(".spoiler")) return at(".spoiler").toggleAttribute("data-shown", true);
  if (at("[data-command]")) return composer.start(`/${at("[data-command]").dataset.command} `);
  if (at("[data-go]")) {
    event.preventDefault();
    return openPlace(at("[data-go]").dataset.go, at("[data-go]").dataset.goMessage);
  }
  return undefined;
});

document.addEventListener("error", (event) => {
  if (event.target.matches?.("img.emoji")) event.target.replaceWith(h("span", { class: "no-emoji" }, event.target.alt)); // words are enough to play
}, true);

document.addEventListener("keydown", (event) => {
  const spoiler = event.target.closest?.(".spoiler");
  const face = event.target.closest?.("[data-select-id]");
  if (spoiler && (event.key === "Enter" || event.key === " ")) spoiler.toggleAttribute("data-shown", true);
  else if (face) return selects.pressed(event, messageAt(face), face.dataset.selectId);
  else if (event.key === "Escape" && document.body.hasAttribute("data-side")) closeSide();
  else if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.target.closest?.("input, textarea, select, dialog")) composer.start("/");
  else return undefined;
  return event.preventDefault();
});

function messageAt(node) {
  const article = node.closest?.("article[data-message-id]");
  return article && state.messages.get(article.dataset.channelId)?.get(article.dataset.messageId);
}

async function interact(message, customId, op, fields) {
  if (state.busy.has(message.id)) return;
  noLongerNew();
  state.busy.set(message.id, customId);
  state.failures.delete(message.id);
  touch(message);
  const answer = await line.ask(op, { message_id: message.id, channel_id: message.channel_id, ...fields });
  state.busy.delete(message.id);
  if (answer.t === "failed") state.failures.set(message.id, answer.text || "This interaction failed");
  const now = state.messages.get(message.channel_id)?.get(message.id);
  if (now) touch(now);
  else if (answer.t === "failed") notice(answer.text || "This interaction failed");
}

function showModal(frame) {
  line.answered(frame.nonce, frame);
  openModal(frame.modal, frame.interaction_id, book, async (components) => {
    const answer = await line.ask("submit", { interaction_id: frame.interaction_id, custom_id: frame.modal.custom_id, components });
    return answer.t === "failed" ? answer.text || "Something went wrong. Try again." : null;
  });
}

function dismiss(message) {
  line.send({ op: "dismiss", channel_id: message.channel_id, id: message.id });
  gone(message.channel_id, message.id);
}

// The side bar and its settings -------------------------------------------------------------------------------------

function openSide() {
  document.body.dataset.side = "open";
  $("veil").hidden = false;
  $("side-open").setAttribute("aria-expanded", "true");
  $("side-close").focus();
}

function closeSide() {
  if (!document.body.hasAttribute("data-side")) return;
  delete document.body.dataset.side;
  $("veil").hidden = true;
  $("side-open").setAttribute("aria-expanded", "false");
  $("side-open").focus();
}

function applyTheme(theme) {
  document.documentElement.dataset.theme = theme;
  $("theme").value = theme;
}

$("side-open").addEventListener("click", openSide);
$("side-close").addEventListener("click", closeSide);
$("veil").addEventListener("click", closeSide);
$("invite").addEventListener("click", () => { closeSide(); people.invite(); });
$("me").addEventListener("click", (event) => event.target.id === "rename" && people.rename(displayName(state.me)));
$("theme").addEventListener("change", (event) => { memory.set("theme", event.target.value); applyTheme(event.target.value); });
$("close-dms").addEventListener("change", (event) => { state.dmsOpen = !event.target.checked; line.send({ op: "dms", open: state.dmsOpen }); });
$("dm-close").addEventListener("click", () => { memory.set("dm-pane", "closed"); redrawAll(); });
wide.addEventListener("change", redrawAll);
document.addEventListener("visibilitychange", () => state.me && unread());

const selects = new Selects(book, { current: (message) => state.messages.get(message.channel_id)?.get(message.id), touch, interact });
const people = new People(line);
const composer = new Composer($("composer"), {
  book,
  placeholder: () => (main.channel ? `Type / for commands in ${placeName(main.channel)}` : "Type / for commands"),
  commands: () => state.commands.filter((command) => !state.dms.has(main.channel)
    || (!command.guild_id && command.dm_permission !== false && (!command.contexts || command.contexts.includes(1)))),
  async run(leaf, options) {
    noLongerNew();
    const answer = await line.ask("slash", { channel_id: main.channel, name: leaf.root.name, options });
    return answer.t === "failed" ? answer.text || "This interaction failed" : null;
  },
  async complete(leaf, values) {
    const answer = await line.ask("autocomplete", { channel_id: main.channel, name: leaf.root.name, options: nested(leaf, values) });
    return answer.t === "choices" ? answer.choices : null;
  },
});

setInterval(tick, 1000);
line.connect();
