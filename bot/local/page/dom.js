// Building and changing nodes. Nothing here, or anywhere on the page, turns text into markup.

/** Build an element. `on` adds listeners, `vars` sets CSS custom properties; every other prop is an attribute. */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, run] of Object.entries(value)) node.addEventListener(event, run);
    else if (name === "vars") for (const [key, to] of Object.entries(value)) node.style.setProperty(key, to);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const OWN_STATE = new Set(["data-shown"]); // what the reader has done to a node: a redraw must not undo it

/** Make `old` look like `fresh` while keeping its nodes, so that focus, scrolling and half-made clicks survive a redraw. */
export function morph(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName || keyOf(old) !== keyOf(fresh)) {
    old.replaceWith(fresh);
    return fresh;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return old;
  }
  for (const { name } of [...old.attributes]) {
    if (name !== "style" && !OWN_STATE.has(name) && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old.style.cssText !== fresh.style.cssText) old.style.cssText = fresh.style.cssText;
  morphChildren(old, fresh);
  return old;
}

function morphChildren(old, fresh) {
  const spare = new Set(old.childNodes);
  let place = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const match = [...spare].find((node) => node.nodeName === child.nodeName && keyOf(node) === keyOf(child));
    if (!match) {
      old.insertBefore(child, place);
      continue;
    }
    spare.delete(match);
    if (match === place) place = place.nextSibling;
    else old.insertBefore(match, place);
    morph(match, child);
  }
  for (const node of spare) node.remove();
}

function keyOf(node) {
  return node.dataset?.key;
}

/** Keep only what may be loaded from here: a path on this server, or nothing. */
export function ownPath(url) {
  const parsed = parseUrl(url);
  if (!parsed) return null;
  return parsed.origin === location.origin || parsed.pathname.startsWith("/cdn/") ? parsed.pathname + parsed.search : null;
}

/** Where a link may lead: http and https only; anything else (javascript:, data:) is no link. */
export function safeLink(url) {
  const parsed = parseUrl(url);
  return parsed && ["http:", "https:"].includes(parsed.protocol) ? parsed.href : null;
}

function parseUrl(url) {
  return URL.canParse(String(url), location.href) ? new URL(String(url), location.href) : null;
}

/** A place in the cardroom that a Discord link names, or null: `/channels/<server>/<channel>/<message>`. */
export function placeOf(url) {
  const found = /\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?$/.exec(parseUrl(url)?.pathname ?? "");
  return found ? { channel: found[1], message: found[2] } : null;
}

export const displayName = (user) => user?.global_name || user?.username || "somebody";

/** A round picture, or initials on a colour that follows from the id; the dealer without a picture is the spade. */
export function avatar(user, size = "") {
  const path = user?.avatar ? `/cdn/avatars/${user.id}/${user.avatar}.png` : user?.bot ? "/static/icon.svg" : null;
  if (path) return h("img", { class: `avatar ${size}`, src: path, alt: "", "aria-hidden": "true" });
  const words = displayName(user).split(/[\s_.-]+/u).filter(Boolean);
  const initials = words.slice(0, 2).map((word) => [...word][0].toUpperCase()).join("") || "?";
  const hue = Number(BigInt(/^\d+$/.test(user?.id) ? user.id : 0) % 8n);
  return h("span", { class: `avatar ${size}`, "data-hue": hue, "aria-hidden": "true" }, initials);
}
