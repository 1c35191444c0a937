// The menus of a message and of a person, with the dealer's commands: what Discord shows under "Apps".
import { h } from "./dom.js";

const TYPES = { person: 2, message: 3 };
const MARGIN = 8; // pixels that stay free at the edges of the window

export class CommandMenus {
  /** `page`: channel(), commandsIn(channel), name(user id), use(command, channel, target id). */
  constructor(page) {
    Object.assign(this, { page, node: null, anchor: null });
    const isOutside = (event) => this.node && !this.node.contains(event.target);
    document.addEventListener("pointerdown", (event) => { if (isOutside(event) && !this.anchor.contains(event.target)) this.close(); }, true);
    document.addEventListener("scroll", (event) => { if (isOutside(event)) this.close(); }, true);
    window.addEventListener("resize", () => this.close());
    document.addEventListener("contextmenu", (event) => this.handleRightClick(event));
  }

  /** Return which menus have commands in a channel. */
  offered(channel) { return { person: this.commands("person", channel).length > 0, message: this.commands("message", channel).length > 0 }; }

  commands(kind, channel) { return this.page.commandsIn(channel).filter((command) => command.type === TYPES[kind]); }

  /** Open the menu of a name or a message where it was clicked, as Discord does. With Shift, on marked text and on links the browser opens its own. */
  handleRightClick(event) {
    const anchor = event.target.closest?.("[data-menu], .mention[data-user-id]") ?? event.target.closest?.("article[data-message-id]")?.querySelector("[data-menu=message]");
    if (!anchor || event.shiftKey || event.target.closest("a, input, textarea") || String(getSelection())) return;
    if (this.open(anchor, { x: event.clientX, y: event.clientY })) event.preventDefault();
  }

  /** Open the menu of a message or a person beside `anchor`, or at a point; a second press closes it. Returns whether it is open. */
  open(anchor, at = null) {
    const again = this.anchor === anchor && !at;
    this.close(again);
    const { menu: kind = "person", menuTarget: target = anchor.dataset.userId } = anchor.dataset; // a mention has only a user
    const channel = anchor.closest("article")?.dataset.channelId ?? this.page.channel();
    const commands = again ? [] : this.commands(kind, channel);
    if (!commands.length) return false;
    const heading = `${kind === "person" ? this.page.name(target) : "Message"} · Apps`;
    const items = commands.map((command) => h("button", {
      type: "button", role: "menuitem", class: "menu-item", tabindex: "-1", "data-label": command.name,
      on: { click: () => { this.close(true); this.page.use(command, channel, target); } },
    }, command.name));
    this.anchor = anchor;
    this.node = h("div", { class: "command-menu", role: "menu", "aria-label": heading, on: { keydown: (event) => this.handleKey(event, items) } },
      h("div", { class: "menu-heading", "aria-hidden": "true" }, heading), items);
    anchor.setAttribute("aria-expanded", "true");
    document.body.append(this.node);
    this.place(at ?? anchor.getBoundingClientRect());
    items[0].focus({ preventScroll: true });
    return true;
  }

  /** Put the menu below a point or a button, or above it where there is no room. */
  place({ x, y, height = 0 }) {
    const { offsetWidth: width, offsetHeight: tall } = this.node;
    const below = y + height + 4;
    const top = below + tall + MARGIN <= innerHeight ? below : Math.max(MARGIN, y - tall - 4);
    this.node.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - width - MARGIN))}px`;
    this.node.style.top = `${top}px`;
  }

  handleKey(event, items) {
    const index = items.indexOf(document.activeElement);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
    if (next !== undefined) items[next % items.length].focus();
    else if (event.key === "Escape" || event.key === "Tab") this.close(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  close(returnFocus = false) {
    if (!this.node) return;
    this.node.remove();
    this.anchor.removeAttribute("aria-expanded");
    if (returnFocus && this.anchor.isConnected) this.anchor.focus({ preventScroll: true });
    Object.assign(this, { node: null, anchor: null });
  }
}
