// Discord's markdown, mentions, emojis and timestamps, as nodes.
import { h, placeOf, safeLink } from "./dom.js";

const clock = { offset: 0 }; // server's clock minus ours, in ms

export function setClock(serverNow) {
  clock.offset = serverNow - Date.now();
}

/** Render a whole text. `book` knows names: `user(id)`, `channel(id)`, `me`. */
export function markdown(text, book) {
  const root = h("div", { class: onlyEmojis(text) ? "md jumbo" : "md" });
  let at = 0;
  for (const fence of text.matchAll(/```(?:[\w+#-]*\n)?([\s\S]+?)```/g)) {
    root.append(...blocks(text.slice(at, fence.index).replace(/\n$/, ""), book));
    root.append(h("pre", { tabindex: "0" }, h("code", {}, fence[1].replace(/\n$/, ""))));
    at = fence.index + fence[0].length;
  }
  root.append(...blocks(at ? text.slice(at).replace(/^\n/, "") : text, book));
  return root;
}

function onlyEmojis(text) {
  const rest = text.replace(/<a?:\w+:\d+>|\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}\uFE0F\u200D]*/gu, "");
  return text.trim() !== "" && rest.trim() === "";
}

const LIST_ITEM = /^( *)(?:[-*]|(\d{1,9})\.) +(.*)$/;

function blocks(text, book) {
  const out = [];
  if (!text) return out;
  const lines = text.split("\n");
  let paragraph = [];
  const flush = () => {
    if (paragraph.length) out.push(h("div", { class: "para" }, inline(paragraph.join("\n"), book)));
    paragraph = [];
  };
  while (lines.length) {
    const line = lines.shift();
    const heading = /^(#{1,3}) +(\S.*)$/.exec(line);
    const small = /^-# +(\S.*)$/.exec(line);
    if (heading) {
      flush();
      out.push(h(`h${heading[1].length + 1}`, { class: `md-h${heading[1].length}` }, inline(heading[2], book)));
    } else if (small) {
      flush();
      out.push(h("div", { class: "subtext" }, inline(small[1], book)));
    } else if (line.startsWith(">>> ")) {
      flush();
      out.push(h("blockquote", {}, blocks([line.slice(4), ...lines.splice(0)].join("\n"), book)));
    } else if (line.startsWith("> ")) {
      flush();
      const quoted = [line.slice(2)];
      while (lines[0]?.startsWith("> ")) quoted.push(lines.shift().slice(2));
      out.push(h("blockquote", {}, blocks(quoted.join("\n"), book)));
    } else if (LIST_ITEM.test(line)) {
      flush();
      const items = [line];
      while (LIST_ITEM.test(lines[0] ?? "")) items.push(lines.shift());
      out.push(list(items.map((item) => LIST_ITEM.exec(item)), book));
    } else paragraph.push(line);
  }
  flush();
  return out;
}

function list(items, book) {
  const [, indent, number] = items[0];
  const node = number ? h("ol", { start: number }) : h("ul");
  while (items.length) {
    const [, depth, , words] = items[0];
    if (depth.length > indent.length && node.lastChild) {
      const deeper = items.findIndex((item) => item[1].length <= indent.length);
      node.lastChild.append(list(items.splice(0, deeper < 0 ? items.length : deeper), book));
    } else {
      items.shift();
      node.append(h("li", {}, inline(words, book)));
    }
  }
  return node;
}

const PAIRS = [["**", "strong"], ["__", "u"], ["~~", "s"], ["||", "spoiler"], ["*", "em"], ["_", "em"]];
const WORD = /[\p{L}\p{N}]/u;

function inline(text, book, depth = 0) {
  const out = [];
  let plain = "";
  for (let at = 0; at < text.length; ) {
    const found = token(text, at, book, depth);
    if (!found) {
      plain += text[at++];
    } else if (typeof found.node === "string") {
      plain += found.node;
      at = found.end;
    } else {
      if (plain) out.push(plain);
      plain = "";
      out.push(found.node);
      at = found.end;
    }
  }
  if (plain) out.push(plain);
  return out;
}

function token(text, at, book, depth) {
  switch (text[at]) {
    case "\\":
      return /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "") ? { node: text[at + 1], end: at + 2 } : null;
    case "`":
      return codeSpan(text, at);
    case "<":
      return angled(text, at, book);
    case "[":
      return namedLink(text, at, book, depth);
    case "h":
      return bareLink(text, at);
    case "@": {
      const everyone = /^@(everyone|here)\b/.exec(text.slice(at, at + 10));
      return everyone && { node: h("span", { class: "mention" }, everyone[0]), end: at + everyone[0].length };
    }
    case "*": case "_": case "~": case "|":
      return depth < 8 ? paired(text, at, book, depth) : null;
    default:
      return null;
  }
}

function codeSpan(text, at) {
  const marks = /^`+/.exec(text.slice(at))[0];
  let close = text.indexOf(marks, at + marks.length);
  while (close >= 0 && text[close + marks.length] === "`") close = text.indexOf(marks, close + marks.length + 1);
  if (close < 0) return { node: marks, end: at + marks.length };
  const code = text.slice(at + marks.length, close);
  return { node: h("code", {}, code.trim() ? code.replace(/^ (?=.*`)|(?<=`.*) $/g, "") : code), end: close + marks.length };
}

function paired(text, at, book, depth) {
  for (const [mark, tag] of PAIRS) {
    if (!text.startsWith(mark, at)) continue;
    if (mark === "_" && WORD.test(text[at - 1] ?? "")) continue; // bob_the_builder is a name
    if (mark === "*" && /\s/.test(text[at + 1] ?? " ")) continue; // 2 * 3 is a sum
    const close = closing(text, at + mark.length, mark);
    if (close < 0) continue;
    const inner = inline(text.slice(at + mark.length, close), book, depth + 1);
    const node = tag !== "spoiler" ? h(tag, {}, inner)
      : h("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler, press to show" }, h("span", {}, inner));
    return { node, end: close + mark.length };
  }
  return null;
}

function closing(text, from, mark) {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "`") at = (codeSpan(text, at)?.end ?? at + 1) - 1;
    else if (text.startsWith(mark, at) && at > from) {
      if (mark.length === 1 && text[at + 1] === mark) at++; // a double mark inside belongs to something nested
      else if (mark.length === 2 && text[at + 2] === mark[0] && mark !== "||") continue; // let the last two of three close
      else if (mark === "_" && WORD.test(text[at + 1] ?? "")) continue;
      else if (mark === "*" && /\s/.test(text[at - 1])) continue;
      else return at;
    }
  }
  return -1;
}

function angled(text, at, book) {
  const found = /^<(?:@!?(?<user>\d+)|@&(?<role>\d+)|#(?<channel>\d+)|\/(?<command>[^:>]+):(?<commandId>\d+)|t:(?<unix>-?\d{1,13})(?::(?<style>[tTdDfFRsS]))?|a?:(?<emoji>\w+):(?<emojiId>\d+)|(?<url>https?:\/\/[^\s>]+))>/
    .exec(text.slice(at, at + 2000));
  if (!found) return null;
  const end = at + found[0].length;
  const { user, role, channel, command, commandId, unix, style, emoji: name, emojiId, url } = found.groups;
  if (user) return { node: h("span", { class: "mention", "data-user-id": user, "data-me": user === book.me }, `@${book.user(user)}`), end };
  if (role) return { node: h("span", { class: "mention" }, `@${book.role(role)}`), end };
  if (channel) return { node: h("button", { type: "button", class: "mention", "data-go": channel }, `#${book.channel(channel)}`), end };
  if (command) {
    return { node: h("button", { type: "button", class: "mention", "data-command": command, "data-command-id": commandId }, `/${command}`), end };
  }
  if (unix) return { node: stamp(Number(unix), style ?? "f"), end };
  if (emojiId) return { node: emojiImage({ id: emojiId, name }), end };
  return { node: link(url, [url]), end };
}

function namedLink(text, at, book, depth) {
  const found = /^\[((?:[^[\]\\]|\\.)+)\]\(<?(https?:\/\/[^\s)>]+)>?(?: +"([^"]*)")?\)/.exec(text.slice(at, at + 2500));
  if (!found) return null;
  return { node: link(found[2], inline(found[1], book, depth + 1), found[3]), end: at + found[0].length };
}

function bareLink(text, at) {
  if (WORD.test(text[at - 1] ?? "")) return null;
  const found = /^https?:\/\/[^\s<>]+/.exec(text.slice(at, at + 2000));
  if (!found) return null;
  const url = found[0].replace(/[.,:;!?'")\]]+$/, "");
  return { node: link(url, [url]), end: at + url.length };
}

function link(url, words, title) {
  const href = safeLink(url);
  if (!href) return h("span", {}, words);
  const place = placeOf(url);
  if (place) return h("a", { href, title, "data-go": place.channel, "data-go-message": place.message }, words);
  return h("a", { href, title, target: "_blank", rel: "noopener noreferrer" }, words);
}

/** An emoji of the application, spoken as words: ace_of_hearts is "ace of hearts". A plain one is text. */
export function emojiImage(emoji) {
  if (!emoji.id) return h("span", { class: "unicode" }, emoji.name ?? "");
  const words = (emoji.name ?? "emoji").replaceAll("_", " ");
  return h("img", { class: "emoji", src: `/cdn/emojis/${emoji.id}.png`, alt: words, title: words, draggable: "false" });
}

// Timestamps. Relative ones count by themselves: `tick` runs once a second and touches only what changed.
const FORMATS = {
  t: { hour: "2-digit", minute: "2-digit" },
  T: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  d: { day: "2-digit", month: "2-digit", year: "numeric" },
  D: { day: "numeric", month: "long", year: "numeric" },
  f: { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" },
  F: { weekday: "long", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" },
  s: { day: "2-digit", month: "2-digit", year: "numeric", hour: "2-digit", minute: "2-digit" },
  S: { day: "2-digit", month: "2-digit", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" },
};
const LOCALE = navigator.language.startsWith("en") ? navigator.language : "en-GB"; // the page speaks English
const UNITS = [["year", 31_536_000], ["month", 2_592_000], ["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const formats = Object.fromEntries(
  Object.entries(FORMATS).map(([style, shape]) => [style, new Intl.DateTimeFormat(LOCALE, shape)]),
);

export function stampText(unix, style, now = Date.now() + clock.offset) {
  const date = new Date(unix * 1000);
  if (Number.isNaN(date.getTime())) return "an unknown time";
  if (style !== "R") return formats[style].format(date);
  const seconds = Math.round(unix - now / 1000);
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return seconds === 0 ? "now" : relative.format(Math.trunc(seconds / length), unit);
}

function stamp(unix, style) {
  const valid = Math.abs(unix) < 8.64e12;
  return h("time", {
    class: "stamp", datetime: valid && new Date(unix * 1000).toISOString(), title: stampText(unix, "F"),
    "data-unix": unix, "data-stamp": style,
  }, stampText(unix, style));
}

export function tick(root = document) {
  for (const node of root.querySelectorAll("time[data-stamp=R]")) {
    const text = stampText(Number(node.dataset.unix), "R");
    if (node.textContent !== text) node.textContent = text;
  }
}

/** The words of a rendered text, emojis by their names: for announcements and previews. */
export function spoken(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeName === "IMG") return ` ${node.alt} `;
  if (node.classList?.contains("spoiler")) return " spoiler ";
  return [...node.childNodes].map(spoken).join("") + (/^(DIV|H\d|LI|PRE)$/.test(node.nodeName) ? "\n" : "");
}
