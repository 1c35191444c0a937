// Build and update DOM nodes. No script of the page turns text into markup.

/** Build an element. `on` adds event listeners, `vars` sets CSS custom properties; every other prop is an attribute. */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    else if (name === "vars") for (const [property, setting] of Object.entries(value)) node.style.setProperty(property, setting);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const READER_STATE = new Set(["data-shown"]); // attributes that the reader's own clicks set: a redraw must keep them

/** Make `old` look like `fresh`. It keeps its nodes, so that focus, scroll positions and half-made clicks survive a redraw. */
export function morph(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName || keyOf(old) !== keyOf(fresh)) {
    old.replaceWith(fresh);
    return fresh;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return old;
  }
  const waits = waitsForPicture(old, fresh);
  for (const { name } of [...old.attributes]) {
    if (name !== "style" && !READER_STATE.has(name) && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== "style" && old.getAttribute(name) !== value && !(waits && OF_THE_FILE.has(name))) old.setAttribute(name, value);
  }
  if (old.style.cssText !== fresh.style.cssText && !waits) old.style.cssText = fresh.style.cssText;
  morphChildren(old, fresh);
  return old;
}

const OF_THE_FILE = new Set(["src", "width", "height"]);
const awaited = new WeakMap(); // the address that a picture shows as soon as it is decoded

/** Return whether a shown picture gets another file. It stays as it is until the new one is decoded, so that nothing flickers. */
function waitsForPicture(old, fresh) {
  if (old.nodeName !== "IMG" || !old.matches(".picture, .thumbnail")) return false;
  const source = fresh.getAttribute("src");
  if (awaited.get(old) === source) return true;
  awaited.delete(old); // what was awaited is out of date
  if (old.getAttribute("src") === source || !old.complete || !old.naturalWidth) return false;
  awaited.set(old, source);
  const next = new Image();
  next.src = source;
  const show = () => {
    if (awaited.get(old) !== source) return;
    awaited.delete(old);
    for (const name of OF_THE_FILE) if (fresh.hasAttribute(name)) old.setAttribute(name, fresh.getAttribute(name));
    old.style.cssText = fresh.style.cssText;
  };
  next.decode().then(show, show);
  return true;
}

/** Make the children of `old` look like those of `fresh`. */
export function morphChildren(old, fresh) {
  const unmatched = new Set(old.childNodes);
  let next = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const match = [...unmatched].find((node) => node.nodeName === child.nodeName && keyOf(node) === keyOf(child));
    if (!match) {
      old.insertBefore(child, next);
      continue;
    }
    unmatched.delete(match);
    if (match === next) next = next.nextSibling;
    else old.insertBefore(match, next);
    morph(match, child);
  }
  for (const node of unmatched) node.remove();
}

function keyOf(node) {
  return node.dataset?.key;
}

/** Return the path of an address on this server, or null. The page loads nothing from elsewhere. */
export function localPath(url) {
  const parsed = parseUrl(url);
  if (!parsed) return null;
  return parsed.origin === location.origin || parsed.pathname.startsWith("/cdn/") ? parsed.pathname + parsed.search : null;
}

/** Return an address that a link can lead to, or null: only http and https, never javascript: or data:. */
export function safeLink(url) {
  const parsed = parseUrl(url);
  return parsed && ["http:", "https:"].includes(parsed.protocol) ? parsed.href : null;
}

function parseUrl(url) {
  return URL.canParse(String(url), location.href) ? new URL(String(url), location.href) : null;
}

/** Return the channel and message that a Discord link names (`/channels/<server>/<channel>/<message>`), or null. */
export function linkTarget(url) {
  const found = /\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?$/.exec(parseUrl(url)?.pathname ?? "");
  return found ? { channel: found[1], message: found[2] } : null;
}

export const displayName = (user) => user?.global_name || user?.username || "somebody";

/** Build the user's picture, or their initials on a colour that depends on their id. A bot without a picture shows the spade. */
export function avatar(user, size = "") {
  const path = user?.avatar ? `/cdn/avatars/${user.id}/${user.avatar}.png` : user?.bot ? "/static/icon.svg" : null;
  if (path) return h("img", { class: `avatar ${size}`, src: path, alt: "", "aria-hidden": "true" });
  const words = displayName(user).split(/[\s_.-]+/u).filter(Boolean);
  const initials = words.slice(0, 2).map((word) => [...word][0].toUpperCase()).join("") || "?";
  const hue = Number(BigInt(/^\d+$/.test(user?.id) ? user.id : 0) % 8n);
  return h("span", { class: `avatar ${size}`, "data-hue": hue, "aria-hidden": "true" }, initials);
}
