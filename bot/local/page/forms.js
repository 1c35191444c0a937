// Forms: the ones the dealer sends (Discord's modals) and the page's own small dialogs.
// A <dialog> opened with showModal() keeps the focus inside, closes on Escape and gives the focus back.
import { h } from "./dom.js";
import { emojiImage, markdown } from "./markdown.js";

let serial = 0;

/** Open a dialog. `send()` returns words when something is wrong, or null when done; closing without it is `cancelled`. */
export function openDialog({ title, kind, fields, submit = "Submit", cancel = "Cancel", send }) {
  const heading = `dialog-${++serial}`;
  const trouble = h("p", { class: "trouble", role: "alert" });
  const go = submit && h("button", { type: "submit", class: "button primary", "data-label": submit }, submit);
  const form = h("form", { method: "dialog", novalidate: true },
    h("h2", { id: heading }, title), h("div", { class: "fields" }, fields), trouble,
    h("div", { class: "dialog-foot" }, h("button", { type: "button", class: "button secondary", "data-label": cancel, on: { click: () => dialog.close() } }, cancel), go));
  const dialog = h("dialog", { class: "dialog", "data-dialog": kind, "aria-labelledby": heading }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!send || go.disabled) return;
    trouble.textContent = "";
    go.disabled = true;
    const wrong = await send();
    go.disabled = false;
    if (wrong === null) dialog.close();
    else trouble.textContent = wrong;
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector(".fields input, .fields textarea, .fields select")?.focus();
  return dialog;
}

/** Show the dealer's form; `send(components)` hands over the answers in Discord's MODAL_SUBMIT shape. */
export function openModal(modal, interactionId, book, send) {
  const parts = (modal.components ?? []).map((component) => partOf(component, book));
  const dialog = openDialog({
    title: modal.title, kind: "modal", fields: parts.map((part) => part.node),
    send: async () => {
      const wrong = parts.map((part) => part.check()).find(Boolean);
      if (wrong) {
        wrong.focus();
        return "";
      }
      return send(parts.map((part) => part.answer()));
    },
  });
  dialog.dataset.customId = modal.custom_id;
  dialog.dataset.interactionId = interactionId;
  return dialog;
}

// A part is a node, `check` (marks what is wrong and returns the control to go to) and `answer` (Discord's shape).
function partOf(component, book) {
  const id = component.id ?? 0;
  if (component.type === 10) {
    return { node: h("div", { class: "form-text" }, markdown(component.content ?? "", book)), check: () => null, answer: () => ({ type: 10, id }) };
  }
  if (component.type === 1) {
    const inner = (component.components ?? []).map((child) => fieldOf(child, child.label, null, book));
    return { node: h("div", {}, inner.map((part) => part.node)), check: () => inner.map((part) => part.check()).find(Boolean),
      answer: () => ({ type: 1, id, components: inner.map((part) => part.answer()) }) };
  }
  const field = fieldOf(component.component ?? {}, component.label, component.description, book);
  return { ...field, answer: () => ({ type: 18, id, component: field.answer() }) };
}

function fieldOf(component, label, description, book) {
  const name = `field-${++serial}`;
  const required = component.required ?? component.type !== 23;
  const problem = h("p", { class: "problem", id: `${name}-problem`, role: "alert" });
  const described = `${name}-description ${name}-problem`;
  const control = controlOf(component, { name, described, book });
  const caption = [label, required && h("span", { class: "star", title: "required", "aria-label": "required" }, " *")];
  const grouped = control.grouped;
  const node = h(grouped ? "fieldset" : "div", { class: "field", "data-field": component.custom_id, "data-label": label },
    grouped ? h("legend", {}, caption) : h("label", { for: name }, caption),
    description && h("p", { class: "description", id: `${name}-description` }, description), control.node, problem);
  return {
    node,
    check: () => {
      problem.textContent = control.wrong(required) ?? "";
      node.toggleAttribute("data-wrong", problem.textContent !== "");
      control.focus().setAttribute("aria-invalid", String(problem.textContent !== ""));
      return problem.textContent ? control.focus() : null;
    },
    answer: () => ({ type: component.type, id: component.id ?? 0, custom_id: component.custom_id, ...control.value() }),
  };
}

function controlOf(component, { name, described, book }) {
  const shared = { id: name, name, "aria-describedby": described };
  switch (component.type) {
    case 4: {
      const least = component.min_length ?? 0, most = component.max_length ?? 4000;
      const input = component.style === 2
        ? h("textarea", { ...shared, rows: 4, maxlength: most, placeholder: component.placeholder })
        : h("input", { ...shared, type: "text", maxlength: most, placeholder: component.placeholder, autocomplete: "off" });
      input.value = component.value ?? "";
      return { node: input, focus: () => input, value: () => ({ value: input.value }), wrong: (required) => {
        if (!input.value) return required ? "This field is needed." : null;
        return input.value.length < least ? `Write at least ${least} characters.` : null;
      } };
    }
    case 21: return groupOf(component, name, described, "radio");
    case 22: return groupOf(component, name, described, "checkbox");
    case 23: {
      const box = h("input", { ...shared, type: "checkbox" });
      box.checked = Boolean(component.default);
      return { node: box, focus: () => box, value: () => ({ value: box.checked }), wrong: () => null };
    }
    case 3: case 5: case 6: case 7: case 8: {
      const offered = component.type === 3 ? component.options ?? []
        : component.type === 8 ? book.channels().map((channel) => ({ label: `#${channel.name}`, value: channel.id }))
          : component.type === 6 ? [] : book.users().map((user) => ({ label: user.global_name || user.username, value: user.id }));
      if ((component.max_values ?? 1) > 1) return groupOf({ ...component, options: offered }, name, described, "checkbox");
      const select = h("select", shared, h("option", { value: "" }, component.placeholder ?? "Make a selection"),
        offered.map((option) => h("option", { value: option.value, selected: option.default }, option.label)));
      return { node: select, focus: () => select, value: () => ({ values: select.value ? [select.value] : [] }),
        wrong: (required) => (required && !select.value ? "Choose one." : null) };
    }
    default: {
      const note = h("p", { tabindex: "-1" }, "This page cannot show that field.");
      return { node: note, focus: () => note, value: () => ({ values: [] }), wrong: () => null };
    }
  }
}

function groupOf(component, name, described, type) {
  const options = component.options ?? [];
  const boxes = options.map((option) => {
    const box = h("input", { type, name, value: option.value });
    box.checked = Boolean(option.default);
    return box;
  });
  const node = h("div", { class: "pick", role: type === "radio" ? "radiogroup" : "group", "aria-describedby": described },
    options.map((option, at) => h("label", { class: "pick-one", "data-value": option.value, "data-label": option.label }, boxes[at],
      option.emoji && emojiImage(option.emoji), h("span", {}, option.label, option.description && h("small", {}, option.description)))));
  if (type === "radio" && component.required === false) letGo(boxes);
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const least = component.min_values ?? 1, most = component.max_values ?? options.length;
  return {
    node, grouped: true, focus: () => boxes[0] ?? node, value: () => (type === "radio" ? { value: chosen()[0] ?? null } : { values: chosen() }),
    wrong: (required) => {
      const count = chosen().length;
      if (!count) return required && (type === "radio" || least > 0) ? "Choose one." : null;
      if (type === "checkbox" && count < least) return `Choose at least ${least}.`;
      return type === "checkbox" && count > most ? `Choose at most ${most}.` : null;
    },
  };
}

/** A radio group that need not be answered: pressing the chosen one again takes the choice back. */
function letGo(boxes) {
  let held = boxes.find((box) => box.checked) ?? null;
  for (const box of boxes) {
    box.addEventListener("click", () => {
      if (held === box) box.checked = false;
      held = box.checked ? box : null;
    });
  }
}
