// The page: its state, the connection to the stand-in, the message panes, and what clicks do.
import { channelMark, channelsInOrder, FORUM, olderRooms, SHOWN_CHANNELS } from "./channels.js";
import { Composer, nestOptions } from "./composer.js";
import { LiveConnection } from "./connection.js";
import { openModal, openPicture } from "./dialogs.js";
import { avatar, displayName, h, morph } from "./dom.js";
import { focusNewestButton, focusNumberedButton, roveIn } from "./keys.js";
import { formatTimestamp, setServerTime, updateRelativeTimes } from "./markdown.js";
import { CommandMenus } from "./menus.js";
import { FLAG, hasSeatButton, isMentionedIn, previewText, renderMessage } from "./message.js";
import { Pane } from "./pane.js";
import { PeopleDialogs } from "./people.js";
import { Arrangement } from "./arrangement.js";
import { selectIdOf, SelectMenus } from "./selects.js";

const $ = (id) => document.getElementById(id);
const MAX_MESSAGES = 150; // per channel; a long evening deals thousands of hands

// State -------------------------------------------------------------------------------------------------------------

const state = {
  me: null, guild: null, application: null, botOnline: true, dmsOpen: true, deletesMessages: false,
  channels: new Map(), roles: new Map(), dms: new Map(), users: new Map(), commands: [],
  members: new Set(), // ids of the people who are in this cardroom; `users` also has those who wrote here once
  messages: new Map(), // channel id → (message id → message), oldest first
  busy: new Map(), // message id → the custom id just pressed, until the bot has answered
  failures: new Map(), // message id → error text
};

/** The names of users and channels, for rendering messages. */
const directory = {
  get me() { return state.me?.id; },
  user: (id) => displayName(state.users.get(id) ?? (state.application?.id === id ? state.application : null)),
  channel: (id) => state.channels.get(id)?.name ?? (state.dms.has(id) ? displayName(state.dms.get(id).recipient) : "unknown"),
  role: (id) => state.roles.get(id)?.replace(/^@/, "") ?? "role",
  users: () => [...state.users.values()].filter((user) => !user.bot && state.members.has(user.id)),
  channels: () => [...state.channels.values()],
};

/** What this browser remembers for this person. */
const storage = {
  key: (name) => `cardroom:${state.me?.id ?? ""}:${name}`,
  get(name) { try { return localStorage.getItem(this.key(name)); } catch { return null; } }, // the browser can refuse access
  set(name, value) { try { localStorage.setItem(this.key(name), value); } catch { return; } },
};

const compareIds = (a, b) => (BigInt(a) > BigInt(b) ? 1 : BigInt(a) < BigInt(b) ? -1 : 0);

function rememberUsers(message) {
  for (const user of [message.author, ...(message.mentions ?? [])]) if (user?.id && !state.users.has(user.id)) state.users.set(user.id, user);
}

// The connection ----------------------------------------------------------------------------------------------------

const connection = new LiveConnection(`${location.pathname.replace(/\/$/, "")}/live`, handleFrame, (forGood) => {
  document.body.dataset.connection = forGood ? "ended" : "reconnecting";
  showBanner();
});

function handleFrame(frame) {
  switch (frame.t) {
    case "hello": return loadState(frame);
    case "history": return loadHistory(frame);
    case "create": return addMessage(frame.message);
    case "update": return updateMessage(frame.message);
    case "delete": return removeMessage(frame.channel_id, frame.id);
    case "modal": return showModal(frame);
    case "choices": case "done": case "failed": case "invited": return connection.resolve(frame.nonce, frame);
    case "error": return connection.resolve(frame.nonce, { ...frame, t: "failed" }) || showNotice(frame.text);
    case "commands": state.commands = frame.commands; return redrawAll();
    case "users":
      for (const user of frame.users) state.users.set(user.id, user);
      state.members = new Set(frame.users.map((user) => user.id));
      if (state.users.has(directory.me)) state.me = state.users.get(directory.me);
      return redrawAll();
    case "bot": state.botOnline = frame.online; return showBanner();
    case "channel": return setChannel(frame.channel);
    case "channel_gone": return removeChannel(frame.id);
    case "dm": state.dms.set(frame.dm.id, frame.dm); return redrawAll();
    default: return undefined; // a newer server can send frames that this page does not know
  }
}

const indexById = (items) => new Map(items.map((item) => [item.id, item]));

function loadState(frame) {
  Object.assign(state, { me: frame.me, guild: frame.guild, application: { ...frame.application, bot: true }, botOnline: frame.bot_online, dmsOpen: frame.dms_open ?? true, deletesMessages: frame.deletes_messages ?? false, commands: frame.commands ?? [] });
  setChannels(frame.channels ?? []);
  state.roles = new Map((frame.roles ?? []).map((role) => [role.id, role.name]));
  state.dms = indexById(frame.dms ?? []);
  state.users = indexById([...(frame.users ?? []), state.application, frame.me]);
  state.members = new Set((frame.users ?? []).map((user) => user.id));
  $("remove-people").hidden = !frame.is_owner;
  state.busy.clear();
  if (frame.now) setServerTime(frame.now);
  connection.resetRetries();
  document.body.dataset.connection = "open";
  document.body.dataset.userId = state.me.id;
  if (!mainPane.channel || !(state.channels.has(mainPane.channel) || state.dms.has(mainPane.channel))) {
    const lastOpened = storage.get("channel");
    openChannel(state.channels.has(lastOpened) ? lastOpened : [...state.channels.keys()][0]);
  }
  applyTheme(storage.get("theme") ?? "auto");
  redrawAll();
  composer.redraw();
}

function setChannels(channels) {
  state.channels = indexById(channels.filter((channel) => SHOWN_CHANNELS.has(channel.type)));
}

/** Show a new or changed channel. */
function setChannel(channel) {
  if (!SHOWN_CHANNELS.has(channel.type)) return;
  state.channels.set(channel.id, channel);
  if (!mainPane.channel) openChannel(channel.id);
  redrawAll();
}

function removeChannel(id) {
  state.channels.delete(id);
  state.messages.delete(id);
  if (mainPane.channel === id) mainPane.show([...state.channels.keys()][0] ?? null);
  redrawAll();
}

// Messages ----------------------------------------------------------------------------------------------------------

function messagesOf(channel) {
  if (!state.messages.has(channel)) state.messages.set(channel, new Map());
  return state.messages.get(channel);
}

function loadHistory({ channel_id: channel, messages }) {
  messages.forEach(rememberUsers);
  state.messages.set(channel, indexById([...messages].sort((a, b) => compareIds(a.id, b.id))));
  if (storage.get(`read:${channel}`) === null && messages.length && state.channels.has(channel)) markRead(channel);
  for (const pane of panes) if (pane.channel === channel) pane.redraw();
  if (mainPane.channel === channel) mainPane.bringToView(newcomerMessageId(channel));
  showUnread();
  document.body.dataset.ready = "true";
}

function addMessage(message) {
  rememberUsers(message);
  const messages = messagesOf(message.channel_id);
  const isKnown = messages.has(message.id);
  messages.set(message.id, message);
  if (!isKnown) arrangement.noteNew(message.id);
  if (!isKnown && !state.channels.has(message.channel_id) && !state.dms.has(message.channel_id)) {
    state.dms.set(message.channel_id, { id: message.channel_id, recipient: message.author }); // this person's first DM
  }
  const oldest = messages.size > MAX_MESSAGES ? messages.keys().next().value : null;
  if (oldest) messages.delete(oldest);
  let isVisible = false;
  for (const pane of panes) {
    if (pane.channel !== message.channel_id) continue;
    if (oldest) pane.drop(oldest);
    pane.put(message);
    isVisible ||= pane.isVisible();
  }
  if (isKnown) return;
  if (isVisible) {
    announce(message);
    if (!document.hidden) markRead(message.channel_id);
  } else if (state.dms.has(message.channel_id)) showNotice(message);
  showUnread();
}

function updateMessage(message) {
  const before = messagesOf(message.channel_id).get(message.id);
  if (!before) return addMessage(message);
  const merged = { ...before, ...message };
  rememberUsers(merged);
  messagesOf(message.channel_id).set(message.id, merged);
  arrangement.noteChange(message.id);
  state.failures.delete(message.id);
  for (const pane of panes) {
    if (pane.channel !== message.channel_id) continue;
    pane.put(merged);
    const newlyMentioned = isMentionedIn(merged, directory.me) && !isMentionedIn(before, directory.me);
    const finishedLoading = (before.flags & FLAG.LOADING) && !(merged.flags & FLAG.LOADING);
    if (newlyMentioned || finishedLoading) announce(merged, newlyMentioned);
  }
  return showUnread();
}

function removeMessage(channel, id) {
  messagesOf(channel).delete(id);
  selects.forget(id);
  arrangement.forget(id);
  for (const pane of panes) if (pane.channel === channel) pane.drop(id);
  showUnread();
}

/** Redraw one message after a change that is not in the message itself: a click, a choice, a failure. */
function redraw(message) {
  for (const pane of panes) if (pane.channel === message.channel_id) pane.put(message);
}

/** Announce a message once to screen readers; with `onlyMyLine`, only the line that mentions the listener. */
function announce(message, onlyMyLine = false) {
  const text = previewText(message, directory, 400);
  const myLine = onlyMyLine && text.split(" · ").find((part) => part.includes(`@${displayName(state.me)}`));
  const line = h("div", {}, `${displayName(message.author)}: ${myLine || text}`);
  $("announcer").append(line);
  setTimeout(() => line.remove(), 8000);
}

function viewFor(message, before) {
  const dayOf = (other) => new Date(other.timestamp).toDateString();
  const isNewDay = !before || dayOf(before) !== dayOf(message);
  return {
    directory, canDelete: state.channels.has(message.channel_id) && (state.deletesMessages || message.author?.id === directory.me), busy: state.busy, failures: state.failures, selects: selects.states, menus: menus.offered(message.channel_id), newcomerMessageId: newcomerMessageId(message.channel_id),
    dayHeading: isNewDay && formatTimestamp(Date.parse(message.timestamp) / 1000, "D"),
  };
}

/** Return the id of the message whose green button a newcomer, who has never clicked anything, should press. */
function newcomerMessageId(channel) {
  if (storage.get("clicked") !== null) return null;
  return [...(state.messages.get(channel)?.values() ?? [])].findLast(hasSeatButton)?.id ?? null; // the latest, because older ones can be out of date
}

function markAsExperienced() {
  if (storage.get("clicked") !== null) return;
  storage.set("clicked", "yes");
  for (const pane of panes) pane.redraw();
}

// Channels, DMs and unread messages ---------------------------------------------------------------------------------

const wideScreen = matchMedia("(min-width: 1000px)");
const arrangement = new Arrangement();
const shown = { messages: (channel) => state.messages.get(channel), viewFor };
const mainPane = new Pane($("history"), shown, {
  jumpButton: $("jump-to-latest"),
  beside: { area: $("main"), table: $("table-area"), panel: $("panel-area"), answers: $("answers"), arrange: (...given) => arrangement.arrange(...given), isWide: () => wideScreen.matches },
});
const dmPane = new Pane($("dm-log"), shown);
const panes = [mainPane, dmPane];
let openDm = null; // the direct messages that the reader has opened beside the channel

function openChannel(id, message) {
  if (!id || !(state.channels.has(id) || state.dms.has(id)) || state.channels.get(id)?.type === FORUM) return; // a forum has only posts
  if (state.dms.has(id) && wideScreen.matches && state.channels.has(mainPane.channel) && !message) openDm = id;
  else mainPane.show(id);
  if (state.channels.has(id)) storage.set("channel", id);
  closeSidebar();
  $("notices").replaceChildren();
  composer.reset();
  composer.showHint("");
  markRead(id);
  redrawAll();
  const article = message && mainPane.article(message);
  if (article) {
    mainPane.sticky = false;
    article.scrollIntoView({ block: "center" });
    article.focus({ preventScroll: true });
  } else mainPane.scrollToEnd();
}

function markRead(channel) {
  const last = [...(state.messages.get(channel)?.keys() ?? [])].pop();
  if (last) storage.set(`read:${channel}`, last);
}

function unreadCount(channel) {
  const lastRead = storage.get(`read:${channel}`) ?? "0";
  return [...(state.messages.get(channel)?.values() ?? [])].filter((message) => compareIds(message.id, lastRead) > 0 && message.author?.id !== directory.me).length;
}

function showUnread() {
  for (const pane of panes) if (pane.isVisible() && !document.hidden) markRead(pane.channel);
  const counts = [...state.dms.keys()].map(unreadCount);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const button = $("dm-toggle");
  const dm = [...state.dms.keys()][counts.findIndex((count) => count > 0)] ?? [...state.dms.keys()][0];
  const inDm = state.dms.has(mainPane.channel);
  button.hidden = !inDm && (!dm || dmPane.isVisible());
  button.dataset.openChannel = inDm ? [...state.channels.keys()][0] ?? "" : dm ?? "";
  button.replaceChildren(inDm ? "‹ Table" : "DMs", !inDm && total ? badge(total) : "");
  document.title = `${total ? `(${total}) ` : ""}${channelTitle(mainPane.channel)} · ${state.guild?.name ?? "Cardroom"}`;
  drawSidebar();
}

const badge = (count) => h("span", { class: "badge", "aria-label": `${count} unread` }, count > 99 ? "99+" : String(count));
const channelTitle = (id) => (state.channels.has(id) ? `#${state.channels.get(id).name}` : state.dms.has(id) ? displayName(state.dms.get(id).recipient) : "Cardroom");

function drawSidebar() {
  if (!state.me) return;
  const row = (id, picture, name, count) => h("button", {
    type: "button", class: "channel-link", "data-key": id, "data-open-channel": id, "data-label": name, title: name, "aria-current": panes.some((pane) => pane.channel === id && pane.isVisible()) ? "true" : null, "data-unread": count > 0,
  }, picture, h("span", { class: "channel-link-name" }, name), count > 0 && badge(count));
  $("server-name").textContent = state.guild?.name ?? "Cardroom";
  fill("channel-list", channelsInOrder(state.channels, mainPane.channel).map((channel) => (channel.type === FORUM ? h("p", { class: "forum-name", "data-key": channel.id }, channel.name)
    : row(channel.id, channelMark(channel), channel.name, unreadCount(channel.id)))));
  const older = olderRooms(state.channels, mainPane.channel);
  $("older-rooms").hidden = !older.length;
  fill("older-list", older.map((channel) => row(channel.id, channelMark(channel), channel.name, 0)));
  fill("dm-list", state.dms.size ? [...state.dms.values()].map((dm) => row(dm.id, avatar(dm.recipient, "small"), displayName(dm.recipient), unreadCount(dm.id)))
    : h("p", { class: "empty-note" }, "None yet"));
  const people = menus.offered(mainPane.channel).person ? directory.users() : [];
  $("people-heading").hidden = !people.length;
  fill("people-list", people.map((user) => h("button", {
    type: "button", class: "channel-link", "data-key": user.id, "data-menu": "person", "data-menu-target": user.id, "data-label": displayName(user), "aria-haspopup": "menu",
  }, avatar(user, "small"), h("span", { class: "channel-link-name" }, displayName(user)))));
  fill("current-user", [avatar(state.me, "small"), h("span", { class: "current-user-name", title: displayName(state.me) }, displayName(state.me)),
    h("button", { type: "button", class: "text-button", id: "rename" }, "Rename")]);
  $("close-dms").checked = !state.dmsOpen;
  updateStops();
}

/** Replace the children of the element with this id, keeping those that stay the same. */
const fill = (id, children) => morph($(id), h($(id).localName, { ...Object.fromEntries([...$(id).attributes].map(({ name, value }) => [name, value])) }, children));

function redrawAll() {
  if (!state.me) return;
  const name = channelTitle(mainPane.channel);
  $("channel-name").textContent = name;
  const showDmPane = wideScreen.matches && state.dms.has(openDm) && mainPane.channel !== openDm;
  $("dm-pane").hidden = !showDmPane;
  dmPane.show(showDmPane ? openDm : null);
  if (showDmPane) $("dm-name").textContent = `${channelTitle(openDm)} · direct messages`;
  for (const pane of panes) if (pane.channel) pane.redraw();
  showBanner();
  showUnread();
}

function showBanner() {
  const { connection: status } = document.body.dataset;
  const lost = status === "reconnecting";
  const text = status === "ended" ? "The owner of this cardroom has removed you. Your chips are kept."
    : lost ? (connection.attempts > 4 ? "Reconnecting… Is the cardroom still running?" : "Reconnecting…")
    : !state.botOnline && state.me ? "The dealer is offline. Buttons and commands will work again when it is back." : "";
  $("banner").hidden = !text;
  $("banner").dataset.kind = lost ? "reconnecting" : "away";
  if ($("banner").textContent !== text) $("banner").textContent = text;
}

/** Show a short notice at the top for 7 seconds: a text, or a DM that arrived while another channel is open. */
function showNotice(content) {
  const isText = typeof content === "string";
  if (!isText) announce(content);
  const close = () => node.remove();
  const node = isText ? h("div", { class: "notice", role: "alert" }, content)
    : h("button", { type: "button", class: "notice", "data-open-channel": content.channel_id }, avatar(content.author, "small"),
      h("span", {}, h("b", {}, `${displayName(content.author)} · direct message`), h("span", { class: "notice-text" }, ...noticeLines(content))));
  node.addEventListener("click", close);
  $("notices").replaceChildren(node);
  setTimeout(close, 7000);
}

function noticeLines(message) {
  const body = renderMessage(message, { ...viewFor(message, message), newcomerMessageId: null }).querySelector(".body");
  for (const node of body.querySelectorAll(".row, .ephemeral-note, .gallery, .spoiler, .subtext, .select")) node.remove();
  return [...body.querySelectorAll("h2, h3, h4, .paragraph")].slice(0, 3).map((line) => h("span", { class: "notice-line" }, ...[...line.childNodes].map((node) => node.cloneNode(true))));
}

// Clicks and keys ---------------------------------------------------------------------------------------------------

const pressedIds = new WeakMap(); // the custom ids that buttons had when they were pressed: a redraw before the release must not change them
let press = null; // the button that is held down, its message, and where it was

document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("button[data-custom-id]");
  press = button && { button, message: messageOf(button), top: button.getBoundingClientRect().top };
  if (button) pressedIds.set(button, button.dataset.customId);
}, true);

document.addEventListener("pointerup", (event) => {
  if (!press?.message) return;
  const { button, message, top } = press;
  const hasMoved = !button.isConnected || Math.abs(button.getBoundingClientRect().top - top) > 4;
  if (!hasMoved || document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-custom-id]") === button) return;
  press = null; // it was moved away under the finger: no click on another button follows
  interact(message, pressedIds.get(button), "click", { custom_id: pressedIds.get(button) });
}, true);

document.addEventListener("click", (event) => {
  const closest = (selector) => event.target.closest(selector);
  const message = messageOf(event.target);
  const button = closest("button[data-custom-id]");
  const selectButton = closest("[data-select-id]"), option = closest(".option[data-value]"), done = closest("[data-select-done]");
  if (button && event.pointerType && press?.button !== button) return undefined; // what was pressed has been moved away from under the finger
  if (button && message) {
    const id = event.detail ? pressedIds.get(button) ?? button.dataset.customId : button.dataset.customId;
    return interact(message, id, "click", { custom_id: id });
  }
  if (selectButton && message) return selects.toggle(message, selectButton.dataset.selectId);
  if (option && message) return selects.choose(message, selectIdOf(option), option.dataset.value);
  if (done && message) return selects.toggle(message, done.dataset.selectDone);
  if (!closest(".select")) selects.closeAll();
  if (closest("[data-menu]")) return menus.open(closest("[data-menu]"));
  if (closest("[data-dismiss]") && message) return dismiss(message);
  if (closest("[data-delete]") && message) return deleteMessage(message);
  const picture = closest(".picture-link");
  if (picture && !event.ctrlKey && !event.metaKey && !event.shiftKey) { // with a key it is a link, to open in another tab
    event.preventDefault();
    return openPicture(picture);
  }
  if (closest(".spoiler")) return closest(".spoiler").toggleAttribute("data-shown", true);
  if (closest("[data-command]")) return composer.start(`/${closest("[data-command]").dataset.command} `);
  if (closest("[data-skip-to-buttons]")) {
    event.preventDefault();
    return focusNewestButton($("log"));
  }
  if (closest("[data-open-channel]")) {
    event.preventDefault();
    return openChannel(closest("[data-open-channel]").dataset.openChannel, closest("[data-open-channel]").dataset.openMessage);
  }
  return undefined;
});

document.addEventListener("error", (event) => {
  if (event.target.matches?.("img.emoji")) event.target.replaceWith(h("span", { class: "emoji-text" }, event.target.alt)); // the text is enough to play
}, true);

document.addEventListener("keydown", (event) => {
  const spoiler = event.target.closest?.(".spoiler");
  const selectButton = event.target.closest?.("[data-select-id]");
  if (spoiler && (event.key === "Enter" || event.key === " ")) spoiler.toggleAttribute("data-shown", true);
  else if (selectButton) return selects.handleKey(event, messageOf(selectButton), selectButton.dataset.selectId);
  else if (event.key === "Escape" && document.body.hasAttribute("data-sidebar")) closeSidebar();
  else if (event.key === "Escape" && $("dm-pane").contains(event.target)) closeDm();
  else if (/^[t1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest?.("input, textarea, select, dialog, [contenteditable]")) {
    if (!(event.key === "t" ? focusNewestButton($("log")) : focusNumberedButton($("log"), event.key))) return undefined;
  }
  else if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.target.closest?.("input, textarea, select, dialog")) composer.start("/");
  else return undefined;
  return event.preventDefault();
});

function messageOf(node) {
  const article = node.closest?.("article[data-message-id]");
  return article && state.messages.get(article.dataset.channelId)?.get(article.dataset.messageId);
}

async function interact(message, customId, op, fields) {
  if (state.busy.has(message.id)) return;
  markAsExperienced();
  arrangement.notePress(message.id);
  state.busy.set(message.id, customId);
  state.failures.delete(message.id);
  redraw(message);
  const answer = await connection.request(op, { message_id: message.id, channel_id: message.channel_id, ...fields });
  state.busy.delete(message.id);
  if (answer.t === "failed") state.failures.set(message.id, answer.text || "This interaction failed");
  const current = state.messages.get(message.channel_id)?.get(message.id);
  if (current) redraw(current);
  else if (answer.t === "failed") showNotice(answer.text || "This interaction failed");
}

function showModal(frame) {
  connection.resolve(frame.nonce, frame);
  openModal(frame.modal, frame.interaction_id, directory, async (components) => {
    const answer = await connection.request("submit", { interaction_id: frame.interaction_id, custom_id: frame.modal.custom_id, components });
    return answer.t === "failed" ? answer.text || "Something went wrong. Try again." : null;
  });
}

async function deleteMessage(message) {
  const answer = await connection.request("delete", { channel_id: message.channel_id, message_id: message.id });
  if (answer.t === "failed") showNotice(answer.text || "The message could not be deleted. Try again.");
}

function dismiss(message) {
  connection.send({ op: "dismiss", channel_id: message.channel_id, id: message.id });
  removeMessage(message.channel_id, message.id);
}

// The sidebar and its settings --------------------------------------------------------------------------------------

function openSidebar() {
  document.body.dataset.sidebar = "open";
  $("backdrop").hidden = false;
  $("sidebar-open").setAttribute("aria-expanded", "true");
  $("sidebar-close").focus();
}

function closeSidebar() {
  if (!document.body.hasAttribute("data-sidebar")) return;
  delete document.body.dataset.sidebar;
  $("backdrop").hidden = true;
  $("sidebar-open").setAttribute("aria-expanded", "false");
  $("sidebar-open").focus();
}

function closeDm() {
  const hadFocus = $("dm-pane").contains(document.activeElement);
  openDm = null;
  redrawAll();
  if (hadFocus) $("dm-toggle").focus();
}

function applyTheme(theme) {
  document.documentElement.dataset.theme = theme;
  $("theme").value = theme;
}

$("sidebar-open").addEventListener("click", openSidebar);
$("sidebar-close").addEventListener("click", closeSidebar);
$("backdrop").addEventListener("click", closeSidebar);
$("invite").addEventListener("click", () => { closeSidebar(); people.invite(); });
$("remove-people").addEventListener("click", () => { closeSidebar(); people.remove(directory.users().filter((user) => user.id !== directory.me)); });
$("current-user").addEventListener("click", (event) => event.target.id === "rename" && people.rename(displayName(state.me)));
$("theme").addEventListener("change", (event) => { storage.set("theme", event.target.value); applyTheme(event.target.value); });
$("close-dms").addEventListener("change", (event) => { state.dmsOpen = !event.target.checked; connection.send({ op: "dms", open: state.dmsOpen }); });
$("dm-close").addEventListener("click", closeDm);
wideScreen.addEventListener("change", redrawAll);
document.addEventListener("visibilitychange", () => state.me && showUnread());

const updateStops = roveIn($("sidebar"), ".channel-link");
const commandsIn = (channel) => state.commands.filter((command) => !state.dms.has(channel)
  || (!command.guild_id && command.dm_permission !== false && (!command.contexts || command.contexts.includes(1))));
const selects = new SelectMenus(directory, { current: (message) => state.messages.get(message.channel_id)?.get(message.id), redraw, interact });
const menus = new CommandMenus({
  channel: () => mainPane.channel, commandsIn, name: (user) => displayName(state.users.get(user)),
  async use(command, channel, target) {
    markAsExperienced();
    closeSidebar();
    const answer = await connection.request("menu", { channel_id: channel, name: command.name, type: command.type, target_id: target });
    if (answer.t === "failed") showNotice(answer.text || "This interaction failed");
  },
});
const people = new PeopleDialogs(connection);
const composer = new Composer($("composer"), {
  directory,
  placeholder: () => (state.channels.has(mainPane.channel) ? `Message ${channelTitle(mainPane.channel)}, or / for commands` : "Type / for commands"),
  async say(text) {
    const names = directory.users().map((user) => [`@${displayName(user)}`, `<@${user.id}>`]).sort((a, b) => b[0].length - a[0].length);
    const withMentions = names.reduce((written, [name, mention]) => written.replaceAll(name, mention), text); // as Discord's own box does
    const answer = await connection.request("say", { channel_id: mainPane.channel, text: withMentions });
    return answer.t === "failed" ? answer.text || "Your message could not be sent. Try again." : null;
  },
  commands: () => commandsIn(mainPane.channel),
  async run(command, options) {
    markAsExperienced();
    const answer = await connection.request("slash", { channel_id: mainPane.channel, name: command.root.name, options });
    return answer.t === "failed" ? answer.text || "This interaction failed" : null;
  },
  async ask(name, options) {
    const answer = await connection.request("slash", { channel_id: mainPane.channel, name, options });
    return answer.t === "failed" ? answer.text || "This interaction failed" : null;
  },
  async complete(command, values) {
    const answer = await connection.request("autocomplete", { channel_id: mainPane.channel, name: command.root.name, options: nestOptions(command, values) });
    return answer.t === "choices" ? answer.choices : null;
  },
});

setInterval(updateRelativeTimes, 1000);
connection.connect();
