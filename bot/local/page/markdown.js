// Render Discord's markdown, mentions, emojis and timestamps as DOM nodes.
import { h, linkTarget, safeLink } from "./dom.js";

const clock = { offset: 0 }; // the server's clock minus this computer's, in ms

export function setServerTime(serverNow) {
  clock.offset = serverNow - Date.now();
}

/** Render a whole text. `directory` gives names: `user(id)`, `channel(id)`, `role(id)`; and `me`, the reader's id. */
export function markdown(text, directory) {
  const root = h("div", { class: hasOnlyEmojis(text) ? "md jumbo" : "md" });
  let position = 0;
  for (const fence of text.matchAll(/```(?:[\w+#-]*\n)?([\s\S]+?)```/g)) {
    root.append(...parseBlocks(text.slice(position, fence.index).replace(/\n$/, ""), directory));
    root.append(h("pre", { tabindex: "0" }, h("code", {}, fence[1].replace(/\n$/, ""))));
    position = fence.index + fence[0].length;
  }
  root.append(...parseBlocks(position ? text.slice(position).replace(/^\n/, "") : text, directory));
  return root;
}

function hasOnlyEmojis(text) {
  const rest = text.replace(/<a?:\w+:\d+>|\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}\uFE0F\u200D]*/gu, "");
  return text.trim() !== "" && rest.trim() === "";
}

const MANY_LINES = 6, SHORT_LINE = 56; // such a text is a list, which can stand in two columns
const LIST_ITEM = /^( *)(?:[-*]|(\d{1,9})\.) +(.*)$/;

function parseBlocks(text, directory) {
  const nodes = [];
  if (!text) return nodes;
  const lines = text.split("\n");
  let paragraph = [];
  const flush = () => {
    const isList = paragraph.length >= MANY_LINES && paragraph.every((one) => one.length <= SHORT_LINE);
    if (paragraph.length) nodes.push(h("div", { class: isList ? "paragraph many-lines" : "paragraph" }, parseInline(paragraph.join("\n"), directory)));
    paragraph = [];
  };
  while (lines.length) {
    const line = lines.shift();
    const heading = /^(#{1,3}) +(\S.*)$/.exec(line);
    const small = /^-# +(\S.*)$/.exec(line);
    if (heading) {
      flush();
      nodes.push(h(`h${heading[1].length + 1}`, { class: `md-h${heading[1].length}${hasOnlyEmojis(heading[2]) ? " only-emojis" : ""}` }, parseInline(heading[2], directory)));
    } else if (small) {
      flush();
      nodes.push(h("div", { class: "subtext" }, parseInline(small[1], directory)));
    } else if (line.startsWith(">>> ")) {
      flush();
      nodes.push(h("blockquote", {}, parseBlocks([line.slice(4), ...lines.splice(0)].join("\n"), directory)));
    } else if (line.startsWith("> ")) {
      flush();
      const quoted = [line.slice(2)];
      while (lines[0]?.startsWith("> ")) quoted.push(lines.shift().slice(2));
      nodes.push(h("blockquote", {}, parseBlocks(quoted.join("\n"), directory)));
    } else if (LIST_ITEM.test(line)) {
      flush();
      const items = [line];
      while (LIST_ITEM.test(lines[0] ?? "")) items.push(lines.shift());
      nodes.push(parseList(items.map((item) => LIST_ITEM.exec(item)), directory));
    } else paragraph.push(line);
  }
  flush();
  return nodes;
}

function parseList(items, directory) {
  const [, indent, number] = items[0];
  const node = number ? h("ol", { start: number }) : h("ul");
  while (items.length) {
    const [, depth, , content] = items[0];
    if (depth.length > indent.length && node.lastChild) {
      const deeper = items.findIndex((item) => item[1].length <= indent.length);
      node.lastChild.append(parseList(items.splice(0, deeper < 0 ? items.length : deeper), directory));
    } else {
      items.shift();
      node.append(h("li", {}, parseInline(content, directory)));
    }
  }
  return node;
}

const STYLES = [["**", "strong"], ["__", "u"], ["~~", "s"], ["||", "spoiler"], ["*", "em"], ["_", "em"]];
const WORD_CHARACTER = /[\p{L}\p{N}]/u;

function parseInline(text, directory, depth = 0) {
  const nodes = [];
  let plain = "";
  for (let position = 0; position < text.length; ) {
    const found = parseToken(text, position, directory, depth);
    if (!found) {
      plain += text[position++];
    } else if (typeof found.node === "string") {
      plain += found.node;
      position = found.end;
    } else {
      if (plain) nodes.push(plain);
      plain = "";
      nodes.push(found.node);
      position = found.end;
    }
  }
  if (plain) nodes.push(plain);
  return nodes;
}

/** Parse what begins at a position. Returns `{ node, end }`, where a node can be a string, or null for a plain character. */
function parseToken(text, position, directory, depth) {
  switch (text[position]) {
    case "\\":
      return /[!-/:-@[-`{-~]/.test(text[position + 1] ?? "") ? { node: text[position + 1], end: position + 2 } : null;
    case "`":
      return codeSpan(text, position);
    case "<":
      return angleBrackets(text, position, directory);
    case "[":
      return namedLink(text, position, directory, depth);
    case "h":
      return bareLink(text, position);
    case "@": {
      const everyone = /^@(everyone|here)\b/.exec(text.slice(position, position + 10));
      return everyone && { node: h("span", { class: "mention" }, everyone[0]), end: position + everyone[0].length };
    }
    case "*": case "_": case "~": case "|":
      return depth < 8 ? styledText(text, position, directory, depth) : null;
    default:
      return null;
  }
}

function codeSpan(text, position) {
  const marks = /^`+/.exec(text.slice(position))[0];
  let end = text.indexOf(marks, position + marks.length);
  while (end >= 0 && text[end + marks.length] === "`") end = text.indexOf(marks, end + marks.length + 1);
  if (end < 0) return { node: marks, end: position + marks.length };
  const code = text.slice(position + marks.length, end);
  return { node: h("code", {}, code.trim() ? code.replace(/^ (?=.*`)|(?<=`.*) $/g, "") : code), end: end + marks.length };
}

function styledText(text, position, directory, depth) {
  for (const [mark, tag] of STYLES) {
    if (!text.startsWith(mark, position)) continue;
    if (mark === "_" && WORD_CHARACTER.test(text[position - 1] ?? "")) continue; // bob_the_builder is a name
    if (mark === "*" && /\s/.test(text[position + 1] ?? " ")) continue; // 2 * 3 is a sum
    const end = findClosingMark(text, position + mark.length, mark);
    if (end < 0) continue;
    const inner = parseInline(text.slice(position + mark.length, end), directory, depth + 1);
    const node = tag !== "spoiler" ? h(tag, {}, inner)
      : h("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler, press to show" }, h("span", {}, inner));
    return { node, end: end + mark.length };
  }
  return null;
}

function findClosingMark(text, from, mark) {
  for (let position = from; position < text.length; position++) {
    if (text[position] === "\\") position++;
    else if (text[position] === "`") position = (codeSpan(text, position)?.end ?? position + 1) - 1;
    else if (text.startsWith(mark, position) && position > from) {
      if (mark.length === 1 && text[position + 1] === mark) position++; // a double mark belongs to a style inside
      else if (mark.length === 2 && text[position + 2] === mark[0] && mark !== "||") continue; // of three marks the last two close the style
      else if (mark === "_" && WORD_CHARACTER.test(text[position + 1] ?? "")) continue;
      else if (mark === "*" && /\s/.test(text[position - 1])) continue;
      else return position;
    }
  }
  return -1;
}

function angleBrackets(text, position, directory) {
  const found = /^<(?:@!?(?<user>\d+)|@&(?<role>\d+)|#(?<channel>\d+)|\/(?<command>[^:>]+):(?<commandId>\d+)|t:(?<unix>-?\d{1,13})(?::(?<style>[tTdDfFRsS]))?|a?:(?<emoji>\w+):(?<emojiId>\d+)|(?<url>https?:\/\/[^\s>]+))>/
    .exec(text.slice(position, position + 2000));
  if (!found) return null;
  const end = position + found[0].length;
  const { user, role, channel, command, commandId, unix, style, emoji: name, emojiId, url } = found.groups;
  if (user) return { node: h("span", { class: "mention", "data-user-id": user, "data-me": user === directory.me }, `@${directory.user(user)}`), end };
  if (role) return { node: h("span", { class: "mention" }, `@${directory.role(role)}`), end };
  if (channel) return { node: h("button", { type: "button", class: "mention", "data-open-channel": channel }, `#${directory.channel(channel)}`), end };
  if (command) {
    return { node: h("button", { type: "button", class: "mention", "data-command": command, "data-command-id": commandId }, `/${command}`), end };
  }
  if (unix) return { node: timestampNode(Number(unix), style ?? "f"), end };
  if (emojiId) return { node: emojiImage({ id: emojiId, name }), end };
  return { node: link(url, [url]), end };
}

function namedLink(text, position, directory, depth) {
  const found = /^\[((?:[^[\]\\]|\\.)+)\]\(<?(https?:\/\/[^\s)>]+)>?(?: +"([^"]*)")?\)/.exec(text.slice(position, position + 2500));
  if (!found) return null;
  return { node: link(found[2], parseInline(found[1], directory, depth + 1), found[3]), end: position + found[0].length };
}

function bareLink(text, position) {
  if (WORD_CHARACTER.test(text[position - 1] ?? "")) return null;
  const found = /^https?:\/\/[^\s<>]+/.exec(text.slice(position, position + 2000));
  if (!found) return null;
  const url = found[0].replace(/[.,:;!?'")\]]+$/, "");
  return { node: link(url, [url]), end: position + url.length };
}

function link(url, content, title) {
  const href = safeLink(url);
  if (!href) return h("span", {}, content);
  const target = linkTarget(url);
  if (target) return h("a", { href, title, "data-open-channel": target.channel, "data-open-message": target.message }, content);
  return h("a", { href, title, target: "_blank", rel: "noopener noreferrer" }, content);
}

/** Render an emoji. One of the application is a picture with its name as text: "ace of hearts" for ace_of_hearts. */
export function emojiImage(emoji) {
  if (!emoji.id) return h("span", { class: "unicode" }, emoji.name ?? "");
  const name = (emoji.name ?? "emoji").replaceAll("_", " ");
  return h("img", { class: "emoji", src: `/cdn/emojis/${emoji.id}.png`, alt: name, title: name, draggable: "false" });
}

// Timestamps. `updateRelativeTimes` runs once a second and changes only the texts that are different.
const DAY = { day: "numeric", month: "long", year: "numeric" }, SHORT_DAY = { ...DAY, month: "short" };
const LOCALE = "en-GB"; // "23 November 2026", as the dealer writes it; the reader's own language decides between 20:14 and 8:14 pm
const { hourCycle } = new Intl.DateTimeFormat(navigator.language, { hour: "numeric" }).resolvedOptions();
const MINUTES = { hour: hourCycle === "h12" ? "numeric" : "2-digit", minute: "2-digit", hourCycle }, SECONDS = { ...MINUTES, second: "2-digit" };
const FORMATS = {
  t: MINUTES, T: SECONDS, d: DAY, D: DAY, f: { ...DAY, ...MINUTES }, F: { weekday: "long", ...DAY, ...MINUTES }, s: { ...SHORT_DAY, ...MINUTES }, S: { ...SHORT_DAY, ...SECONDS },
};
const UNITS = [["year", 31_536_000], ["month", 2_592_000], ["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const formats = Object.fromEntries(
  Object.entries(FORMATS).map(([style, shape]) => [style, new Intl.DateTimeFormat(LOCALE, shape)]),
);

export function formatTimestamp(unix, style, now = Date.now() + clock.offset) {
  const date = new Date(unix * 1000);
  if (Number.isNaN(date.getTime())) return "an unknown time";
  if (style !== "R") return formats[style].format(date);
  const seconds = Math.round(unix - now / 1000);
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return seconds === 0 ? "now" : relative.format(Math.trunc(seconds / length), unit);
}

function timestampNode(unix, style) {
  const valid = Math.abs(unix) < 8.64e12;
  return h("time", {
    class: "timestamp", datetime: valid && new Date(unix * 1000).toISOString(), title: formatTimestamp(unix, "F"),
    "data-unix": unix, "data-timestamp-style": style,
  }, formatTimestamp(unix, style));
}

export function updateRelativeTimes(root = document) {
  for (const node of root.querySelectorAll("time[data-timestamp-style=R]")) {
    const text = formatTimestamp(Number(node.dataset.unix), "R");
    if (node.textContent !== text) node.textContent = text;
  }
}

/** Return the plain text of rendered nodes, with the names of emojis: for announcements and previews. */
export function plainText(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeName === "IMG") return ` ${node.alt} `;
  if (node.classList?.contains("spoiler")) return " spoiler ";
  return [...node.childNodes].map(plainText).join("") + (/^(DIV|H\d|LI|PRE)$/.test(node.nodeName) ? "\n" : "");
}
