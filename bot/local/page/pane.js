// A pane: the messages of one channel. Where the window is wide, some of them stand beside the log (see arrangement.js).
import { h, morph, morphChildren } from "./dom.js";
import { renderMessage } from "./message.js";

const NOTHING_BESIDE = { table: null, panel: null, answers: [] };
const MIN_PICTURE_HEIGHT = 150; // of a table's picture, in pixels; below that its numbers cannot be read

/** A box that stays scrolled to its end as long as its reader has not scrolled up. */
class Scroller {
  constructor(box, jumpButton = null) {
    Object.assign(this, { box, jumpButton, sticky: true });
    let lastTop = 0;
    box.addEventListener("scroll", () => {
      const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 60;
      if (atEnd) this.sticky = true;
      else if (box.scrollTop < lastTop) this.sticky = false; // only scrolling up ends it; a longer list does not
      lastTop = box.scrollTop;
      if (this.sticky && jumpButton) jumpButton.hidden = true;
    }, { passive: true });
    this.inner = h("div", { class: "log-inner" });
    box.append(this.inner);
    const observer = new ResizeObserver(() => this.follow()); // pictures load late, phones are turned
    observer.observe(this.inner);
    observer.observe(box);
    jumpButton?.addEventListener("click", () => { this.sticky = true; this.follow(); });
  }

  follow() { if (this.sticky) this.box.scrollTop = this.box.scrollHeight; }
}

export class Pane {
  /**
   * `source`: messages(channel) returns a Map, oldest first; viewFor(message, the one before it) is what renderMessage needs.
   * `beside`, if messages can stand beside the log: { table, panel, answers: elements, arrange(channel, messages), isWide() }.
   */
  constructor(log, source, { jumpButton = null, beside = null } = {}) {
    Object.assign(this, { log, source, jumpButton, beside, channel: null, arranged: NOTHING_BESIDE });
    this.history = new Scroller(log, jumpButton);
    this.answers = beside && new Scroller(beside.answers);
    if (!beside) return;
    new ResizeObserver(() => this.fitPicture()).observe(document.body);
    beside.table.addEventListener("load", () => this.fitPicture(), true); // a new picture can have another shape
  }

  get sticky() { return this.history.sticky; }

  set sticky(sticky) { this.history.sticky = sticky; }

  /** The elements that hold messages, in reading order. */
  get boxes() { return this.beside ? [this.beside.table, this.beside.panel, this.answers.inner, this.history.inner] : [this.history.inner]; }

  isVisible() { return this.channel !== null && this.log.offsetParent !== null; }

  scrollToEnd() {
    this.sticky = true;
    this.history.follow();
  }

  show(channel) {
    if (this.channel === channel) return;
    this.channel = channel;
    this.sticky = true;
    for (const box of this.boxes) box.replaceChildren();
    this.redraw();
  }

  listed() { return [...(this.source.messages(this.channel)?.values() ?? [])]; }

  arrange(messages) {
    return this.beside?.isWide() ? this.beside.arrange(this.channel, messages) : NOTHING_BESIDE;
  }

  boxOf(message) {
    if (message.id === this.arranged.table) return this.beside.table;
    if (message.id === this.arranged.panel) return this.beside.panel;
    return this.arranged.answers.includes(message.id) ? this.answers.inner : this.history.inner;
  }

  /** Return the message as it is drawn now, below `before`. */
  render(message, before) {
    const { table, panel } = this.arranged;
    return renderMessage(message, { ...this.source.viewFor(message, before), hasKeys: message.id === (panel ?? table) });
  }

  redraw() {
    const messages = this.listed();
    this.arranged = this.arrange(messages);
    const focused = document.activeElement;
    for (const message of messages) {
      const box = this.boxOf(message), article = this.article(message.id);
      if (article && article.parentNode !== box) box.append(article); // its nodes stay the same
    }
    for (const box of this.boxes) {
      const own = messages.filter((message) => this.boxOf(message) === box);
      const isEmpty = box === this.history.inner && !messages.length;
      morphChildren(box, h("div", {}, own.map((message, index) => this.render(message, own[index - 1])), isEmpty && h("p", { class: "empty", "data-key": "empty" }, "Nothing here yet.")));
    }
    this.settle();
    if (focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true }); // moving it took the focus away
  }

  /** Show a new or changed message. */
  put(message) {
    const messages = this.listed();
    const hadFocus = this.focusedIn(message.id);
    if (JSON.stringify(this.arrange(messages)) !== JSON.stringify(this.arranged)) this.redraw();
    else this.putInBox(message, messages);
    this.settle();
    if (hadFocus !== null) this.restoreFocus(message.id, hadFocus);
  }

  putInBox(message, messages) {
    const box = this.boxOf(message);
    const own = messages.filter((other) => this.boxOf(other) === box);
    const index = own.findIndex((other) => other.id === message.id);
    const fresh = this.render(message, own[index - 1]);
    const old = this.article(message.id);
    if (old) return morph(old, fresh);
    box.querySelector(":scope > .empty")?.remove();
    const next = own.slice(index + 1).map((other) => this.article(other.id)).find(Boolean);
    box.insertBefore(fresh, next ?? null);
    if (box === this.history.inner && !this.sticky && this.jumpButton) this.jumpButton.hidden = false;
    return fresh;
  }

  drop(id) {
    const hadFocus = this.focusedIn(id);
    const { table, panel } = this.arranged;
    this.article(id)?.remove();
    if (id === table || id === panel) this.redraw();
    this.settle();
    if (hadFocus !== null) this.restoreFocus(id, hadFocus);
  }

  /** Return the name of what has the focus in a message; "" for the message itself, null if nothing has it. */
  focusedIn(id) {
    const { activeElement } = document;
    return this.article(id)?.contains(activeElement) ? activeElement.dataset.label ?? "" : null;
  }

  /** A focused button has gone: take the one of the same name in the panel, or else the message itself. */
  restoreFocus(id, name) {
    if (document.activeElement !== document.body) return;
    const same = name && this.beside?.panel.querySelector(`button[data-label="${CSS.escape(name)}"]`);
    (same || this.article(id))?.focus({ preventScroll: true });
  }

  /** Show the boxes that have messages, and let the picture of the table leave room for its words. */
  settle() {
    if (this.beside) {
      const { table, panel, answers, area } = this.beside;
      const isFilled = { table: table.childElementCount > 0, panel: panel.childElementCount > 0, answers: this.answers.inner.childElementCount > 0 };
      table.hidden = !isFilled.table;
      panel.hidden = !isFilled.panel;
      answers.hidden = !isFilled.answers;
      area.toggleAttribute("data-table", isFilled.table);
      area.toggleAttribute("data-private", isFilled.panel || isFilled.answers);
      this.answers.follow();
      this.fitPicture();
    }
    this.history.follow();
  }

  /** Make the table's picture smaller where the table's message is higher than its place. */
  fitPicture() {
    const { table } = this.beside;
    const picture = table.querySelector(".picture");
    table.style.removeProperty("--picture-width");
    if (!picture || table.hidden) return;
    const tooHigh = table.scrollHeight - table.clientHeight;
    const { width, height } = picture.getBoundingClientRect();
    if (tooHigh > 0 && height) table.style.setProperty("--picture-width", `${Math.floor(Math.max(MIN_PICTURE_HEIGHT, height - tooHigh) * (width / height))}px`);
  }

  /** Scroll up to a message that is out of sight at the end of the list. */
  bringToView(id) {
    const article = id && this.article(id);
    if (!article || article.parentNode !== this.history.inner || article.getBoundingClientRect().top >= this.log.getBoundingClientRect().top) return;
    this.sticky = false;
    article.scrollIntoView({ block: "nearest" });
  }

  article(id) { return this.boxes.map((box) => box.querySelector(`:scope > [data-message-id="${CSS.escape(id)}"]`)).find(Boolean) ?? null; }
}
