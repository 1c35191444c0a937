// Select menus in messages. One choice is sent at once; several are sent when the list closes.
import { selectOptions } from "./message.js";

/** Return the custom id of the select menu that a node belongs to. */
export const selectIdOf = (node) => node.closest(".select").querySelector("[data-select-id]").dataset.selectId;

export class SelectMenus {
  /** `page`: current(message) returns its latest version, redraw(message), interact(message, id, op, fields). */
  constructor(directory, page) {
    Object.assign(this, { directory, page, states: new Map() }); // "message id/custom id" → open, active, values, sent
  }

  state(message, customId) {
    const key = `${message.id}/${customId}`;
    if (!this.states.has(key)) {
      const values = selectOptions(findSelect(message, customId), this.directory).filter((option) => option.default).map((option) => option.value);
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
    const options = selectOptions(findSelect(message, customId), this.directory);
    Object.assign(select, { open: true, active: Math.max(0, options.findIndex((option) => select.values.includes(option.value))) });
    return this.page.redraw(message);
  }

  closeAll() {
    for (const select of this.states.values()) if (select.open) this.close(select);
  }

  close(select) {
    select.open = false;
    const message = this.page.current(select.message);
    const component = message && findSelect(message, select.customId);
    if (!component) return;
    const allowed = select.values.length >= (component.min_values ?? 1) && select.values.length <= (component.max_values ?? 1);
    const changed = [...select.values].sort().join() !== [...select.sent].sort().join();
    if (!allowed) select.values = select.sent;
    this.page.redraw(message);
    if (allowed && changed) {
      select.sent = select.values;
      this.page.interact(message, select.customId, "select", { custom_id: select.customId, component_type: component.type, values: select.values });
    }
  }

  choose(message, customId, value) {
    const select = this.state(message, customId);
    const maximum = findSelect(message, customId).max_values ?? 1;
    if (maximum === 1) {
      select.sent = []; // choosing the same option again is sent too
      select.values = [value];
      return this.close(select);
    }
    const chosen = select.values.includes(value);
    if (!chosen && select.values.length >= maximum) return undefined;
    select.values = chosen ? select.values.filter((other) => other !== value) : [...select.values, value];
    return this.page.redraw(message);
  }

  /** Handle a key on a select menu: arrows open the list and move in it, Enter or Space chooses, Escape or Tab closes. */
  handleKey(event, message, customId) {
    const select = this.state(message, customId);
    const options = selectOptions(findSelect(message, customId), this.directory);
    if (!select.open) {
      if (!["ArrowDown", "ArrowUp"].includes(event.key)) return;
      this.toggle(message, customId);
    } else if (event.key === "Escape" || event.key === "Tab") {
      this.close(select);
      if (event.key === "Tab") return;
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      select.active = (select.active + (event.key === "ArrowDown" ? 1 : -1) + options.length) % options.length;
      this.page.redraw(message);
    } else if ((event.key === "Enter" || event.key === " ") && options[select.active]) this.choose(message, customId, options[select.active].value);
    else return;
    event.preventDefault();
  }
}

function findSelect(message, customId) {
  const search = (component) => (component.custom_id === customId && component.type !== 2 ? component : (component.components ?? []).map(search).find(Boolean));
  return (message.components ?? []).map(search).find(Boolean);
}
