// Render one message as an article: a header, the text, the components and attachments, and notes below.
// The result depends only on the message and on `view`. Clicks are handled in page.js, by the data attributes.
import { avatar, displayName, h, linkTarget, localPath, safeLink } from "./dom.js";
import { emojiImage, formatTimestamp, markdown, plainText } from "./markdown.js";

export const FLAG = { EPHEMERAL: 64, LOADING: 128, SILENT: 4096, V2: 32768 };
const MAX_PICTURE_HEIGHT = 420; // of a picture that stands beside no other component
const BUTTON_STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };

/**
 * `view` has what is not in the message itself:
 * `directory`: the names of users and channels; `canDelete`: whether the reader can delete the message; `busy`: message id → the custom id just clicked; `failures`: message id →
 * error text; `selects`: message id/custom id → state of a select menu; `newcomerMessageId`: the message whose green button
 * a newcomer should press; `hasKeys`: whether its first buttons are chosen by the keys 1 to 9; `menus`: whether there are commands in the menus of messages and of people; `dayHeading`: the date to show above the message, or false.
 */
export function renderMessage(message, view) {
  const has = (flag) => Boolean((message.flags ?? 0) & flag);
  const thinking = has(FLAG.LOADING);
  const ephemeral = has(FLAG.EPHEMERAL);
  const author = message.author ?? {};
  const time = Date.parse(message.timestamp) / 1000;
  const command = message.interaction_metadata?.type === 2 && (message.interaction_metadata.name ?? message.interaction?.name);
  const fromMenu = message.type === 23; // it has no slash, because nobody typed it
  const failure = view.failures.get(message.id);
  const newcomer = view.newcomerMessageId === message.id;
  const keys = view.hasKeys ? { used: 0 } : null;
  const body = thinking
    ? [h("div", { class: "thinking" }, h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), `${displayName(author)} is thinking…`)]
    : [renderContent(message, view), renderComponents(message.components ?? [], message, { ...view, keys }), renderAttachments(message)];
  return h("article", {
    class: "message", tabindex: "-1", "data-key": message.id, "data-message-id": message.id, "data-channel-id": message.channel_id,
    "data-author-id": author.id, "data-ephemeral": ephemeral, "data-v2": has(FLAG.V2), "data-state": thinking ? "thinking" : "shown",
    "data-mentions-me": isMentionedIn(message, view.directory.me), "data-busy": view.busy.has(message.id),
    "aria-label": [`${displayName(author)}, ${formatTimestamp(time, "t")}`, headline(message, view.directory)].filter(Boolean).join(": "),
  },
    view.dayHeading && h("div", { class: "day-heading", role: "separator", "data-key": "day" }, h("span", {}, view.dayHeading)),
    command && h("div", { class: "command-used", "data-key": "command" }, avatar(message.interaction_metadata.user, "tiny"),
      h("b", {}, displayName(message.interaction_metadata.user)), " used ", h("span", { class: "command-used-name" }, fromMenu ? command : `/${command}`)),
    h("div", { class: "message-avatar", "data-key": "avatar" }, avatar(author)),
    h("header", {}, authorName(author, view), author.bot && h("span", { class: "app-tag" }, "APP"),
      h("time", { class: "message-time", datetime: message.timestamp, title: formatTimestamp(time, "F") }, formatTimestamp(time, "t")),
      view.menus.message && !ephemeral && !thinking && h("button", {
        type: "button", class: "menu-button", "data-menu": "message", "data-menu-target": message.id, "aria-haspopup": "menu",
        "aria-label": `More for the message of ${displayName(author)}`, title: "More",
      }, h("span", { "aria-hidden": "true" }, "⋯")),
      view.canDelete && !ephemeral && h("button", { type: "button", class: "text-button delete-message", "data-delete": message.id, "aria-label": `Delete the message of ${displayName(author)}` }, "Delete")),
    h("div", { class: "body", "data-key": "body" }, body,
      newcomer && h("div", { class: "newcomer-hint" }, "New here? Press the green button to join."),
      failure && h("div", { class: "failure", role: "alert" }, failure),
      ephemeral && h("div", { class: "ephemeral-note" }, h("span", {}, eye(), "Only you can see this · "),
        h("button", { type: "button", class: "text-button", "data-dismiss": message.id }, "Dismiss message"))));
}

/** A name is a button where people have a menu; for a screen reader it stays the name. */
function authorName(author, view) {
  const name = displayName(author);
  if (!view.menus.person || author.bot || !author.id) return h("b", { class: "author" }, name);
  return h("button", { type: "button", class: "author", "data-menu": "person", "data-menu-target": author.id, "aria-haspopup": "menu" }, name);
}

/** Return whether the message mentions this user. */
export function isMentionedIn(message, userId) {
  return (message.mentions ?? []).some((user) => user.id === userId) || textsIn(message).some((text) => new RegExp(`<@!?${userId}>`).test(text));
}

/** Return every text of a message, in reading order. */
export function textsIn(message) {
  const texts = message.content ? [message.content] : [];
  const collect = (component) => {
    if (component.type === 10) texts.push(component.content ?? "");
    for (const child of component.components ?? []) collect(child);
  };
  for (const component of message.components ?? []) collect(component);
  return texts;
}

/** Return the names of what can be pressed or chosen in a message, without amounts: "Call" for "Call 450". */
export function pressableNames(message) {
  const names = [];
  const collect = (component) => {
    const name = component.label ?? component.placeholder ?? component.emoji?.name;
    if (component.custom_id && !component.disabled) names.push((name ?? "").replace(/[\d.,]+/g, "").trim());
    for (const child of [...(component.components ?? []), component.accessory].filter(Boolean)) collect(child);
  };
  for (const component of message.components ?? []) collect(component);
  return names;
}

/** Return the first line of a message as plain text: what a screen reader calls it by. */
function headline(message, directory) {
  const first = textsIn(message)[0]?.split("\n")[0] ?? "";
  return plainText(markdown(first, directory)).replace(/\s+/g, " ").trim().slice(0, 80);
}

/** Return a short preview as plain text, for announcements and notices. */
export function previewText(message, directory, length = 160) {
  if ((message.flags ?? 0) & FLAG.LOADING) return "is thinking…";
  const preview = textsIn(message).map((text) => plainText(markdown(text, directory)).replace(/\s+/g, " ").trim()).filter(Boolean).join(" · ");
  return preview.length > length ? `${preview.slice(0, length)}…` : preview;
}

function renderContent(message, view) {
  if (!message.content) return null;
  const edited = message.edited_timestamp && h("span", { class: "edited", title: formatTimestamp(Date.parse(message.edited_timestamp) / 1000, "F") }, "(edited)");
  return h("div", { class: "content" }, markdown(message.content, view.directory), edited);
}

function renderComponents(components, message, view) {
  return components.map((component, index) => renderComponent(component, message, view, index));
}

function renderComponent(component, message, view, index) {
  switch (component.type) {
    case 1: return h("div", { class: "row", "data-key": `row${index}` }, renderComponents(component.components ?? [], message, view));
    case 2: return renderButton(component, message, view);
    case 3: case 5: case 6: case 7: case 8: return renderSelect(component, message, view);
    case 9: return h("div", { class: "section" }, h("div", { class: "section-text" }, renderComponents(component.components ?? [], message, view)),
      component.accessory && renderComponent(component.accessory, message, view, 0));
    case 10: return h("div", { class: "text" }, markdown(component.content ?? "", view.directory));
    case 11: return wrapSpoiler(component, renderPicture(component, message, "thumbnail"));
    case 12: return h("div", { class: "gallery", "data-key": "gallery", "data-count": Math.min(component.items?.length ?? 0, 4) },
      (component.items ?? []).map((item) => wrapSpoiler(item, renderPicture(item, message, "picture"))));
    case 13: return wrapSpoiler(component, renderFile(component.name ?? fileName(component.file?.url), mediaPath(component.file, message), component.size));
    case 14: return h("hr", { class: `separator ${component.spacing === 2 ? "wide" : ""}`, "data-divider": component.divider !== false });
    case 17: return wrapSpoiler(component, h("div", {
      class: "container", "data-accent": Number.isInteger(component.accent_color),
      vars: Number.isInteger(component.accent_color) ? { "--accent": `#${component.accent_color.toString(16).padStart(6, "0")}` } : {},
    }, renderComponents(component.components ?? [], message, view)));
    default: return null;
  }
}

function renderButton(component, message, view) {
  const label = component.label ?? "";
  const content = [component.emoji && emojiImage(component.emoji), label && h("span", {}, label)];
  const name = label || component.emoji?.name?.replaceAll("_", " ") || "button";
  const shared = { class: `button ${BUTTON_STYLES[component.style] ?? "secondary"}`, "data-key": `button ${name}`, "data-label": name, "data-style": component.style };
  if (component.style === 5) {
    const href = safeLink(component.url ?? "");
    const target = href && linkTarget(href);
    if (!href || component.disabled) return h("span", { ...shared, "aria-disabled": "true" }, content);
    if (target) return h("a", { ...shared, href, "data-open-channel": target.channel, "data-open-message": target.message }, content, externalArrow());
    return h("a", { ...shared, href, target: "_blank", rel: "noopener noreferrer" }, content, externalArrow());
  }
  const digit = view.keys && !component.disabled && view.keys.used < 9 ? ++view.keys.used : null;
  return h("button", {
    ...shared, type: "button", "data-custom-id": component.custom_id, "data-digit": digit, "aria-keyshortcuts": digit, disabled: component.disabled, "aria-label": label ? null : name,
    "data-newcomer": view.newcomerMessageId === message.id && isSeatButton(component),
    "aria-busy": view.busy.get(message.id) === component.custom_id ? "true" : null,
  }, content);
}

export function isSeatButton(component) {
  return component.type === 2 && component.style === 3 && !component.disabled && /^take a seat/i.test(component.label ?? "");
}

/** Return whether the message has a button that a newcomer should press. */
export function hasSeatButton(message) {
  const search = (component) => isSeatButton(component) || (component.components ?? []).some(search);
  return (message.components ?? []).some(search);
}

/** Return the options of a select menu: its own, or the people or channels of the server. */
export function selectOptions(component, directory) {
  if (component.type === 3) return component.options ?? [];
  const people = directory.users().map((user) => ({ label: displayName(user), value: user.id }));
  const channels = directory.channels().map((channel) => ({ label: `#${channel.name}`, value: channel.id }));
  return component.type === 8 ? channels : component.type === 6 ? [] : people;
}

function renderSelect(component, message, view) {
  const options = selectOptions(component, view.directory);
  const key = `${message.id}/${component.custom_id}`;
  const state = view.selects.get(key);
  const values = state?.values ?? [...options.filter((option) => option.default).map((option) => option.value), ...(component.default_values ?? []).map((value) => value.id)];
  const chosen = options.filter((option) => values.includes(option.value));
  const maximum = component.max_values ?? 1;
  const open = Boolean(state?.open) && !component.disabled;
  const placeholder = component.placeholder || (maximum > 1 ? "Make a selection (several allowed)" : "Make a selection");
  const listId = `list-${key}`;
  const checkMark = (checked) => h("span", { class: maximum > 1 ? "check" : "radio", "data-chosen": checked, "aria-hidden": "true" });
  return h("div", { class: "select", "data-key": `select ${component.custom_id}`, "data-open": open },
    h("button", {
      type: "button", class: "select-button", role: "combobox", "aria-haspopup": "listbox", "aria-expanded": String(open), "aria-controls": listId,
      "aria-label": chosen.length ? `${placeholder}: ${chosen.map((option) => option.label).join(", ")}` : placeholder,
      "aria-activedescendant": open && state.active >= 0 ? `${listId}-${state.active}` : null,
      "data-select-id": component.custom_id, "data-select-type": component.type, "data-label": placeholder, disabled: component.disabled,
      "aria-busy": view.busy.get(message.id) === component.custom_id ? "true" : null,
    }, h("span", { class: chosen.length ? "chosen" : "placeholder" },
      chosen.length ? chosen.map((option) => h("span", { class: "chosen-option" }, option.emoji && emojiImage(option.emoji), option.label)) : placeholder), chevron()),
    open && h("div", { class: "option-list", role: "listbox", id: listId, "aria-label": placeholder, "aria-multiselectable": maximum > 1 ? "true" : null },
      options.map((option, index) => h("div", {
        class: "option", role: "option", id: `${listId}-${index}`, "data-value": option.value, "data-label": option.label,
        "aria-selected": String(values.includes(option.value)), "data-active": state.active === index,
      }, option.emoji && emojiImage(option.emoji),
        h("span", { class: "option-text" }, h("span", {}, option.label), option.description && h("small", {}, option.description)),
        checkMark(values.includes(option.value)))),
      !options.length && h("div", { class: "option" }, "Nothing to choose from."),
      maximum > 1 && h("div", { class: "select-footer" }, h("span", {}, `${values.length} of ${component.min_values ?? 1}–${maximum}`),
        h("button", { type: "button", class: "button primary", "data-select-done": component.custom_id }, "Done"))));
}

function renderAttachments(message) {
  if ((message.flags ?? 0) & FLAG.V2) return null; // such a message shows only the files that a component names
  return (message.attachments ?? []).map((file) => {
    const path = localPath(file.url);
    if (path && /^image\//.test(file.content_type ?? "")) {
      return h("div", { class: "gallery", "data-key": "gallery", "data-count": "1" }, renderPictureLink(path, file.description ?? file.filename, file));
    }
    return renderFile(file.filename, path, file.size);
  });
}

/** Return the path of a media item: the address that the server gave, or that of the message's own attachment with this name. */
function mediaPath(media, message) {
  const url = media?.url ?? "";
  const named = url.startsWith("attachment://") && (message.attachments ?? []).find((file) => file.filename === url.slice(13));
  return localPath(named ? named.url : url);
}

function renderPicture(item, message, kind) {
  const path = mediaPath(item.media, message);
  const description = item.description ?? "";
  if (!path) return h("div", { class: "missing-picture" }, description || "A picture from another website, which is not loaded");
  const { width, height } = item.media ?? {};
  if (kind === "thumbnail") return h("img", { class: "thumbnail", src: path, alt: description, title: description, width, height });
  return renderPictureLink(path, description, { width, height });
}

/** Build a picture that is opened large by a click. Its size is known before it is loaded, so that nothing below it jumps. */
function renderPictureLink(path, description, { width, height }) {
  const vars = width && height ? { "--fitting-width": `${Math.round(Math.min(width, (MAX_PICTURE_HEIGHT * width) / height))}px` } : {};
  return h("a", { href: path, target: "_blank", rel: "noopener", class: "picture-link", "aria-haspopup": "dialog", "aria-label": description ? null : "Picture" },
    h("img", { class: "picture", src: path, alt: description, width, height, loading: "lazy", decoding: "sync", vars }));
}

function renderFile(name, path, size) {
  const kilobytes = Number.isFinite(size) ? `${Math.max(1, Math.round(size / 1024)).toLocaleString("en")} KB` : "";
  return h("div", { class: "file" }, h("span", { class: "file-icon", "aria-hidden": "true" }),
    h("span", { class: "file-text" }, path ? h("a", { href: path, download: name }, name) : name, h("small", {}, kilobytes)));
}

const fileName = (url) => decodeURIComponent(String(url ?? "file").split(/[/?]/).filter(Boolean).pop() ?? "file");

function wrapSpoiler(component, node) {
  if (!component.spoiler) return node;
  return h("div", { class: "spoiler block", role: "button", tabindex: "0", "aria-label": "Spoiler, press to show" }, h("span", {}, node));
}

const eye = () => h("span", { class: "eye", "aria-hidden": "true" }, "👁️ ");
const chevron = () => h("span", { class: "chevron", "aria-hidden": "true" });
const externalArrow = () => h("span", { class: "external-arrow", "aria-hidden": "true" }, "↗");
