// Dialogs: the forms that the dealer opens (Discord's modals), and the page's own small dialogs.
// A <dialog> opened with showModal() keeps the focus inside, closes on Escape and returns the focus.
import { h } from "./dom.js";
import { emojiImage, markdown } from "./markdown.js";

let serial = 0;

/** Open a dialog. `onSubmit()` returns an error text, or null when it is done and the dialog can close. */
export function openDialog({ title, kind, fields, submitLabel = "Submit", cancelLabel = "Cancel", onSubmit }) {
  const headingId = `dialog-${++serial}`;
  const error = h("p", { class: "dialog-error", role: "alert" });
  const submit = submitLabel && h("button", { type: "submit", class: "button primary", "data-label": submitLabel }, submitLabel);
  const cancel = h("button", { type: "button", class: "button secondary", "data-label": cancelLabel, on: { click: () => dialog.close() } }, cancelLabel);
  const form = h("form", { method: "dialog", novalidate: true },
    h("h2", { id: headingId }, title), h("div", { class: "fields" }, fields), error, h("div", { class: "dialog-footer" }, cancel, submit));
  const dialog = h("dialog", { class: "dialog", "data-dialog": kind, "aria-labelledby": headingId }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!onSubmit || submit.disabled) return;
    error.textContent = "";
    submit.disabled = true;
    const errorText = await onSubmit();
    submit.disabled = false;
    if (errorText === null) dialog.close();
    else error.textContent = errorText;
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector(".fields input, .fields textarea, .fields select")?.focus();
  return dialog;
}

/** Show the picture of a link as large as the window. A click anywhere, or Escape, closes it; the focus returns to the link. */
export function openPicture(link) {
  const small = link.querySelector("img");
  const height = small.naturalHeight || small.getAttribute("height"); // it can still be loading
  const close = h("button", { type: "button", class: "button secondary", "data-label": "Close" }, "Close");
  const image = h("img", { src: link.getAttribute("href"), alt: small.alt, vars: height ? { "--height": `${height}px` } : {} });
  const dialog = h("dialog", { class: "picture-dialog", "data-dialog": "picture", "aria-label": "Picture" }, h("div", { class: "picture-large" }, image), close);
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (link.isConnected) link.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
  close.focus();
  return dialog;
}

/** Show a form of the dealer. `onSubmit(components)` gets the answers in the shape of Discord's MODAL_SUBMIT. */
export function openModal(modal, interactionId, directory, onSubmit) {
  const items = (modal.components ?? []).map((component) => buildItem(component, directory));
  const dialog = openDialog({
    title: modal.title, kind: "modal", fields: items.map((item) => item.node),
    onSubmit: async () => {
      const invalid = items.map((item) => item.validate()).find(Boolean);
      if (invalid) {
        invalid.focus();
        return "";
      }
      return onSubmit(items.map((item) => item.answer()));
    },
  });
  dialog.dataset.customId = modal.custom_id;
  dialog.dataset.interactionId = interactionId;
  return dialog;
}

// An item has a node, `validate` (shows the error and returns the invalid control, or null) and `answer` (in Discord's shape).
function buildItem(component, directory) {
  const id = component.id ?? 0;
  if (component.type === 10) {
    return { node: h("div", { class: "form-text" }, markdown(component.content ?? "", directory)), validate: () => null, answer: () => ({ type: 10, id }) };
  }
  if (component.type === 1) {
    const fields = (component.components ?? []).map((child) => buildField(child, child.label, null, directory));
    return { node: h("div", {}, fields.map((field) => field.node)), validate: () => fields.map((field) => field.validate()).find(Boolean),
      answer: () => ({ type: 1, id, components: fields.map((field) => field.answer()) }) };
  }
  const field = buildField(component.component ?? {}, component.label, component.description, directory);
  return { ...field, answer: () => ({ type: 18, id, component: field.answer() }) };
}

function buildField(component, label, description, directory) {
  const name = `field-${++serial}`;
  const required = component.required ?? component.type !== 23;
  const error = h("p", { class: "field-error", id: `${name}-error`, role: "alert" });
  const describedBy = `${name}-description ${name}-error`;
  const control = buildControl(component, { name, describedBy, directory });
  const caption = [label, required && h("span", { class: "required-mark", title: "required", "aria-label": "required" }, " *")];
  const grouped = control.grouped;
  const node = h(grouped ? "fieldset" : "div", { class: "field", "data-field": component.custom_id, "data-label": label },
    grouped ? h("legend", {}, caption) : h("label", { for: name }, caption),
    description && h("p", { class: "description", id: `${name}-description` }, description), control.node, error);
  return {
    node,
    validate: () => {
      error.textContent = control.errorText(required) ?? "";
      const invalid = error.textContent !== "";
      node.toggleAttribute("data-invalid", invalid);
      control.focusTarget().setAttribute("aria-invalid", String(invalid));
      return invalid ? control.focusTarget() : null;
    },
    answer: () => ({ type: component.type, id: component.id ?? 0, custom_id: component.custom_id, ...control.value() }),
  };
}

// A control has a node, the node to focus, its value in Discord's shape, and the text of what is wrong with it, or null.
function buildControl(component, { name, describedBy, directory }) {
  const shared = { id: name, name, "aria-describedby": describedBy };
  switch (component.type) {
    case 4: return textInput(component, shared);
    case 21: return optionGroup(component, name, describedBy, "radio");
    case 22: return optionGroup(component, name, describedBy, "checkbox");
    case 23: {
      const box = h("input", { ...shared, type: "checkbox" });
      box.checked = Boolean(component.default);
      return { node: box, focusTarget: () => box, value: () => ({ value: box.checked }), errorText: () => null };
    }
    case 3: case 5: case 6: case 7: case 8: {
      const options = fieldOptions(component, directory);
      if ((component.max_values ?? 1) > 1) return optionGroup({ ...component, options }, name, describedBy, "checkbox");
      const select = h("select", shared, h("option", { value: "" }, component.placeholder ?? "Make a selection"),
        options.map((option) => h("option", { value: option.value, selected: option.default }, option.label)));
      return { node: select, focusTarget: () => select, value: () => ({ values: select.value ? [select.value] : [] }),
        errorText: (required) => (required && !select.value ? "Choose one." : null) };
    }
    case 19: return fileInput(component, shared);
    default: {
      const note = h("p", { tabindex: "-1" }, "This page cannot show that field.");
      return { node: note, focusTarget: () => note, value: () => ({ values: [] }), errorText: () => null };
    }
  }
}

function fieldOptions(component, directory) {
  if (component.type === 3) return component.options ?? [];
  if (component.type === 8) return directory.channels().map((channel) => ({ label: `#${channel.name}`, value: channel.id }));
  if (component.type === 6) return [];
  return directory.users().map((user) => ({ label: user.global_name || user.username, value: user.id }));
}

function textInput(component, shared) {
  const minimum = component.min_length ?? 0, maximum = component.max_length ?? 4000;
  const input = component.style === 2
    ? h("textarea", { ...shared, rows: 4, maxlength: maximum, placeholder: component.placeholder })
    : h("input", { ...shared, type: "text", maxlength: maximum, placeholder: component.placeholder, autocomplete: "off" });
  input.value = component.value ?? "";
  return { node: input, focusTarget: () => input, value: () => ({ value: input.value }), errorText: (required) => {
    if (!input.value) return required ? "This field is required." : null;
    return input.value.length < minimum ? `Enter at least ${minimum} characters.` : null;
  } };
}

// A file goes to the cardroom when it is chosen; the form names it by the id that it gets there.
function fileInput(component, shared) {
  const maximum = component.max_values ?? 10;
  const input = h("input", { ...shared, type: "file", multiple: maximum > 1 });
  const status = h("p", { class: "description", role: "status" });
  let ids = [], problem = null, uploads = 0;
  input.addEventListener("change", async () => {
    const upload = ++uploads;
    const chosen = [...input.files];
    ids = [];
    problem = chosen.length > maximum ? `Choose at most ${maximum}.` : chosen.length ? "The file is still on its way. Wait a moment." : null;
    status.textContent = "";
    if (!chosen.length || chosen.length > maximum) return;
    const answers = [];
    for (const file of chosen) answers.push(await sendFile(file));
    if (upload !== uploads) return; // another file was chosen meanwhile
    problem = answers.find((answer) => answer.error)?.error ?? null;
    ids = problem ? [] : answers.map((answer) => answer.id);
    status.textContent = problem ?? answers.map((answer) => `${answer.filename}, ${answer.size.toLocaleString("en")} bytes`).join("; ");
  });
  return { node: h("div", {}, input, status), focusTarget: () => input, value: () => ({ values: ids }),
    errorText: (required) => problem ?? (required && !ids.length ? "Choose a file." : null) };
}

async function sendFile(file) {
  try {
    const answer = await fetch(`${location.pathname.replace(/\/$/, "")}/files?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
    return answer.ok ? await answer.json() : { error: "The file could not be sent." };
  } catch {
    return { error: "The file could not be sent." };
  }
}

function optionGroup(component, name, describedBy, type) {
  const options = component.options ?? [];
  const boxes = options.map((option) => {
    const box = h("input", { type, name, value: option.value });
    box.checked = Boolean(option.default);
    return box;
  });
  const node = h("div", { class: "choice-group", role: type === "radio" ? "radiogroup" : "group", "aria-describedby": describedBy },
    options.map((option, index) => h("label", { class: "choice", "data-value": option.value, "data-label": option.label }, boxes[index],
      option.emoji && emojiImage(option.emoji), h("span", {}, option.label, option.description && h("small", {}, option.description)))));
  if (type === "radio" && component.required === false) allowDeselecting(boxes);
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const minimum = component.min_values ?? 1, maximum = component.max_values ?? options.length;
  return {
    node, grouped: true, focusTarget: () => boxes[0] ?? node, value: () => (type === "radio" ? { value: chosen()[0] ?? null } : { values: chosen() }),
    errorText: (required) => {
      const count = chosen().length;
      if (!count) return required && (type === "radio" || minimum > 0) ? "Choose one." : null;
      if (type === "checkbox" && count < minimum) return `Choose at least ${minimum}.`;
      return type === "checkbox" && count > maximum ? `Choose at most ${maximum}.` : null;
    },
  };
}

/** Let an optional radio group be emptied: pressing the chosen option again deselects it. */
function allowDeselecting(boxes) {
  let chosen = boxes.find((box) => box.checked) ?? null;
  for (const box of boxes) {
    box.addEventListener("click", () => {
      if (chosen === box) box.checked = false;
      chosen = box.checked ? box : null;
    });
  }
}
