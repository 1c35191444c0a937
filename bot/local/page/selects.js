// Select menus in messages: one choice is sent at once, several when the list closes.
import { optionsOf } from "./message.js";

/** The custom id of the select that a node belongs to. */
export const idAt = (node) => node.closest(".select").querySelector("[data-select-id]").dataset.selectId;

export class Selects {
  /** `host`: current(message) as it is now, touch(message) to draw it again, interact(message, id, op, fields). */
  constructor(book, host) {
    Object.assign(this, { book, host, states: new Map() }); // "message id/custom id" → open, active, values, sent
  }

  state(message, customId) {
    const key = `${message.id}/${customId}`;
    if (!this.states.has(key)) {
      const values = optionsOf(componentIn(message, customId), this.book).filter((option) => option.default).map((option) => option.value);
      this.states.set(key, { message, customId, open: false, active: -1, values, sent: values });
    }
    return this.states.get(key);
  }

  forget(messageId) {
    for (const [key, select] of this.states) if (select.message.id === messageId) this.states.delete(key);
  }

  toggle(message, customId) {
    const select = this.state(message, customId);
    if (select.open) return this.close(select);
    this.closeAll();
    const options = optionsOf(componentIn(message, customId), this.book);
    Object.assign(select, { open: true, active: Math.max(0, options.findIndex((option) => select.values.includes(option.value))) });
    return this.host.touch(message);
  }

  closeAll() {
    for (const select of this.states.values()) if (select.open) this.close(select);
  }

  close(select) {
    select.open = false;
    const message = this.host.current(select.message);
    const component = message && componentIn(message, select.customId);
    if (!component) return;
    const fits = select.values.length >= (component.min_values ?? 1) && select.values.length <= (component.max_values ?? 1);
    const changed = [...select.values].sort().join() !== [...select.sent].sort().join();
    if (!fits) select.values = select.sent;
    this.host.touch(message);
    if (fits && changed) {
      select.sent = select.values;
      this.host.interact(message, select.customId, "select", { custom_id: select.customId, component_type: component.type, values: select.values });
    }
  }

  choose(message, customId, value) {
    const select = this.state(message, customId);
    const most = componentIn(message, customId).max_values ?? 1;
    if (most === 1) {
      select.sent = []; // choosing the same again is a choice too
      select.values = [value];
      return this.close(select);
    }
    const on = select.values.includes(value);
    if (!on && select.values.length >= most) return undefined;
    select.values = on ? select.values.filter((other) => other !== value) : [...select.values, value];
    return this.host.touch(message);
  }

  /** A key on the face of a select: arrows open and move, Enter or Space chooses, Escape or Tab closes. */
  pressed(event, message, customId) {
    const select = this.state(message, customId);
    const options = optionsOf(componentIn(message, customId), this.book);
    if (!select.open) {
      if (!["ArrowDown", "ArrowUp"].includes(event.key)) return;
      this.toggle(message, customId);
    } else if (event.key === "Escape" || event.key === "Tab") {
      this.close(select);
      if (event.key === "Tab") return;
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      select.active = (select.active + (event.key === "ArrowDown" ? 1 : -1) + options.length) % options.length;
      this.host.touch(message);
    } else if ((event.key === "Enter" || event.key === " ") && options[select.active]) this.choose(message, customId, options[select.active].value);
    else return;
    event.preventDefault();
  }
}

function componentIn(message, customId) {
  const walk = (component) => (component.custom_id === customId && component.type !== 2 ? component : (component.components ?? []).map(walk).find(Boolean));
  return (message.components ?? []).map(walk).find(Boolean);
}
