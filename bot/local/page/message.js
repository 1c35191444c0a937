// One message as an article: header, text, Components V2 or rows, and the small print below.
// Rendering is a pure function of the message and of `view`; clicks are read from the data attributes.
import { avatar, displayName, h, ownPath, placeOf, safeLink } from "./dom.js";
import { emojiImage, markdown, spoken, stampText } from "./markdown.js";

export const FLAG = { EPHEMERAL: 64, LOADING: 128, SILENT: 4096, V2: 32768 };
const BUTTON_STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };

/**
 * `view` says what is not in the message itself: `book` (names), `now` users, `busy` (message id → custom id just
 * clicked), `failures` (message id → words), `choices` (message id/custom id → open, values, active), `first` (the
 * id of the message whose green button a newcomer should press), `day` (a date line above) .
 */
export function renderMessage(message, view) {
  const has = (flag) => Boolean((message.flags ?? 0) & flag);
  const thinking = has(FLAG.LOADING);
  const ephemeral = has(FLAG.EPHEMERAL);
  const author = message.author ?? {};
  const time = Date.parse(message.timestamp) / 1000;
  const command = message.interaction_metadata?.type === 2 && (message.interaction_metadata.name ?? message.interaction?.name);
  const failure = view.failures.get(message.id);
  const newcomer = view.first === message.id;
  const body = thinking
    ? [h("div", { class: "thinking" }, h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), `${displayName(author)} is thinking…`)]
    : [contentOf(message, view), componentsOf(message.components ?? [], message, view), attachmentsOf(message)];
  return h("article", {
    class: "message", tabindex: "-1", "data-key": message.id, "data-message-id": message.id, "data-channel-id": message.channel_id,
    "data-author-id": author.id, "data-ephemeral": ephemeral, "data-v2": has(FLAG.V2), "data-state": thinking ? "thinking" : "shown",
    "data-mentions-me": mentions(message, view.book.me), "data-busy": view.busy.has(message.id),
    "aria-label": `${displayName(author)}, ${stampText(time, "t")}`,
  },
    view.day && h("div", { class: "day", role: "separator" }, h("span", {}, view.day)),
    command && h("div", { class: "used" }, avatar(message.interaction_metadata.user, "tiny"),
      h("b", {}, displayName(message.interaction_metadata.user)), " used ", h("span", { class: "used-name" }, `/${command}`)),
    h("div", { class: "face" }, avatar(author)),
    h("header", {}, h("b", { class: "author" }, displayName(author)), author.bot && h("span", { class: "app" }, "APP"),
      h("time", { class: "at", datetime: message.timestamp, title: stampText(time, "F") }, stampText(time, "t"))),
    h("div", { class: "body" }, body,
      newcomer && h("div", { class: "first-hint" }, "New here? Press the green button and you are in."),
      failure && h("div", { class: "failure", role: "alert" }, failure),
      ephemeral && h("div", { class: "only-you" }, eye(), "Only you can see this · ",
        h("button", { type: "button", class: "textual", "data-dismiss": message.id }, "Dismiss message"))));
}

/** Does the message call this person by name? */
export function mentions(message, me) {
  return (message.mentions ?? []).some((user) => user.id === me) || textsOf(message).some((text) => new RegExp(`<@!?${me}>`).test(text));
}

/** Every text of a message, in reading order. */
export function textsOf(message) {
  const texts = message.content ? [message.content] : [];
  const walk = (component) => {
    if (component.type === 10) texts.push(component.content ?? "");
    for (const child of component.components ?? []) walk(child);
  };
  for (const component of message.components ?? []) walk(component);
  return texts;
}

/** A short preview in words, for announcements and notices. */
export function previewOf(message, book, length = 160) {
  if ((message.flags ?? 0) & FLAG.LOADING) return "is thinking…";
  const words = textsOf(message).map((text) => spoken(markdown(text, book)).replace(/\s+/g, " ").trim()).filter(Boolean).join(" · ");
  return words.length > length ? `${words.slice(0, length)}…` : words;
}

function contentOf(message, view) {
  if (!message.content) return null;
  const edited = message.edited_timestamp && h("span", { class: "edited", title: stampText(Date.parse(message.edited_timestamp) / 1000, "F") }, "(edited)");
  return h("div", { class: "content" }, markdown(message.content, view.book), edited);
}

function componentsOf(components, message, view) {
  return components.map((component, at) => componentOf(component, message, view, at));
}

function componentOf(component, message, view, at) {
  switch (component.type) {
    case 1: return h("div", { class: "row", "data-key": `row${at}` }, componentsOf(component.components ?? [], message, view));
    case 2: return buttonOf(component, message, view);
    case 3: case 5: case 6: case 7: case 8: return selectOf(component, message, view);
    case 9: return h("div", { class: "section" }, h("div", { class: "section-text" }, componentsOf(component.components ?? [], message, view)),
      component.accessory && componentOf(component.accessory, message, view, 0));
    case 10: return h("div", { class: "text" }, markdown(component.content ?? "", view.book));
    case 11: return spoilered(component, pictureOf(component, message, "thumbnail"));
    case 12: return h("div", { class: "gallery", "data-count": Math.min(component.items?.length ?? 0, 4) },
      (component.items ?? []).map((item) => spoilered(item, pictureOf(item, message, "picture"))));
    case 13: return spoilered(component, fileOf(component.name ?? nameOf(component.file?.url), resolve(component.file, message), component.size));
    case 14: return h("hr", { class: `separator ${component.spacing === 2 ? "wide" : ""}`, "data-line": component.divider !== false });
    case 17: return spoilered(component, h("div", {
      class: "container", "data-accent": Number.isInteger(component.accent_color),
      vars: Number.isInteger(component.accent_color) ? { "--accent": `#${component.accent_color.toString(16).padStart(6, "0")}` } : {},
    }, componentsOf(component.components ?? [], message, view)));
    default: return null;
  }
}

function buttonOf(component, message, view) {
  const label = component.label ?? "";
  const face = [component.emoji && emojiImage(component.emoji), label && h("span", {}, label)];
  const spoken = label || component.emoji?.name?.replaceAll("_", " ") || "button";
  const shared = { class: `button ${BUTTON_STYLES[component.style] ?? "secondary"}`, "data-key": `button ${spoken}`, "data-label": spoken, "data-style": component.style };
  if (component.style === 5) {
    const href = safeLink(component.url ?? "");
    const place = href && placeOf(href);
    if (!href || component.disabled) return h("span", { ...shared, "aria-disabled": "true" }, face);
    if (place) return h("a", { ...shared, href, "data-go": place.channel, "data-go-message": place.message }, face, outward());
    return h("a", { ...shared, href, target: "_blank", rel: "noopener noreferrer" }, face, outward());
  }
  return h("button", {
    ...shared, type: "button", "data-custom-id": component.custom_id, disabled: component.disabled, "aria-label": label ? null : spoken,
    "data-first": view.first === message.id && isSeatButton(component),
    "aria-busy": view.busy.get(message.id) === component.custom_id ? "true" : null,
  }, face);
}

export function isSeatButton(component) {
  return component.type === 2 && component.style === 3 && !component.disabled && /^take a seat/i.test(component.label ?? "");
}

/** Is there a button in the message that a newcomer should press? */
export function offersSeat(message) {
  const walk = (component) => isSeatButton(component) || (component.components ?? []).some(walk);
  return (message.components ?? []).some(walk);
}

/** What a select offers: its own options, or the people or channels of the server. */
export function optionsOf(component, book) {
  if (component.type === 3) return component.options ?? [];
  const people = book.users().map((user) => ({ label: displayName(user), value: user.id }));
  const channels = book.channels().map((channel) => ({ label: `#${channel.name}`, value: channel.id }));
  return component.type === 8 ? channels : component.type === 6 ? [] : people;
}

function selectOf(component, message, view) {
  const options = optionsOf(component, view.book);
  const key = `${message.id}/${component.custom_id}`;
  const state = view.choices.get(key);
  const values = state?.values ?? [...options.filter((option) => option.default).map((option) => option.value), ...(component.default_values ?? []).map((value) => value.id)];
  const chosen = options.filter((option) => values.includes(option.value));
  const most = component.max_values ?? 1;
  const open = Boolean(state?.open) && !component.disabled;
  const placeholder = component.placeholder || (most > 1 ? "Make a selection (several allowed)" : "Make a selection");
  const listId = `list-${key}`;
  const mark = (on) => h("span", { class: most > 1 ? "check" : "radio", "data-on": on, "aria-hidden": "true" });
  return h("div", { class: "select", "data-key": `select ${component.custom_id}`, "data-open": open },
    h("button", {
      type: "button", class: "select-face", role: "combobox", "aria-haspopup": "listbox", "aria-expanded": String(open), "aria-controls": listId,
      "aria-label": chosen.length ? `${placeholder}: ${chosen.map((option) => option.label).join(", ")}` : placeholder,
      "aria-activedescendant": open && state.active >= 0 ? `${listId}-${state.active}` : null,
      "data-select-id": component.custom_id, "data-select-type": component.type, "data-label": placeholder, disabled: component.disabled,
      "aria-busy": view.busy.get(message.id) === component.custom_id ? "true" : null,
    }, h("span", { class: chosen.length ? "chosen" : "placeholder" },
      chosen.length ? chosen.map((option) => h("span", { class: "one" }, option.emoji && emojiImage(option.emoji), option.label)) : placeholder), chevron()),
    open && h("div", { class: "options", role: "listbox", id: listId, "aria-label": placeholder, "aria-multiselectable": most > 1 ? "true" : null },
      options.map((option, at) => h("div", {
        class: "option", role: "option", id: `${listId}-${at}`, "data-value": option.value, "data-label": option.label,
        "aria-selected": String(values.includes(option.value)), "data-active": state.active === at,
      }, option.emoji && emojiImage(option.emoji),
        h("span", { class: "option-words" }, h("span", {}, option.label), option.description && h("small", {}, option.description)),
        mark(values.includes(option.value)))),
      !options.length && h("div", { class: "option" }, "Nothing to choose from."),
      most > 1 && h("div", { class: "select-foot" }, h("span", {}, `${values.length} of ${component.min_values ?? 1}–${most}`),
        h("button", { type: "button", class: "button primary", "data-select-done": component.custom_id }, "Done"))));
}

function attachmentsOf(message) {
  if ((message.flags ?? 0) & FLAG.V2) return null; // there, only what a component names is shown
  return (message.attachments ?? []).map((file) => {
    const path = ownPath(file.url);
    if (path && /^image\//.test(file.content_type ?? "")) {
      return h("div", { class: "gallery", "data-count": "1" }, h("img", { class: "picture", src: path, alt: file.description ?? file.filename, loading: "lazy" }));
    }
    return fileOf(file.filename, path, file.size);
  });
}

/** The path of a medium: as the server resolved it, or the message's own attachment of that name. */
function resolve(media, message) {
  const url = media?.url ?? "";
  const named = url.startsWith("attachment://") && (message.attachments ?? []).find((file) => file.filename === url.slice(13));
  return ownPath(named ? named.url : url);
}

function pictureOf(item, message, kind) {
  const path = resolve(item.media, message);
  const words = item.description ?? "";
  if (!path) return h("div", { class: "no-picture" }, words || "A picture from elsewhere, not loaded");
  const width = item.media?.width, height = item.media?.height;
  const image = h("img", { class: kind, src: path, alt: words, title: kind === "thumbnail" ? words : null, width, height });
  return kind === "thumbnail" ? image : h("a", { href: path, target: "_blank", rel: "noopener", class: "picture-link" }, image);
}

function fileOf(name, path, size) {
  const kilobytes = Number.isFinite(size) ? `${Math.max(1, Math.round(size / 1024)).toLocaleString("en")} KB` : "";
  return h("div", { class: "file" }, h("span", { class: "file-icon", "aria-hidden": "true" }),
    h("span", { class: "file-words" }, path ? h("a", { href: path, download: name }, name) : name, h("small", {}, kilobytes)));
}

const nameOf = (url) => decodeURIComponent(String(url ?? "file").split(/[/?]/).filter(Boolean).pop() ?? "file");

function spoilered(component, node) {
  if (!component.spoiler) return node;
  return h("div", { class: "spoiler block", role: "button", tabindex: "0", "aria-label": "Spoiler, press to show" }, h("span", {}, node));
}

const eye = () => h("span", { class: "eye", "aria-hidden": "true" }, "👁️ ");
const chevron = () => h("span", { class: "chevron", "aria-hidden": "true" });
const outward = () => h("span", { class: "outward", "aria-hidden": "true" }, "↗");
