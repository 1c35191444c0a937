// Which message stands where on a wide screen: the table in the middle, the reader's own panel beside it, other private
// answers under the panel, and everything else in the log.
//
// The rules know no bot and read no ids:
// - The table is the public message with buttons that offers most of what the channel's table has offered so far; of two that
//   offer as much it is the newer one, for a table moves by being posted anew. A channel that has had no table yet takes the one
//   that was changed last.
// - The panel is the private message that follows the hand by itself: the one that was changed last without a press on it. A newer
//   one that offers the same buttons takes over from it. As long as none follows, it is the newest private message with buttons,
//   and sooner one that answers a press than one that answers a command; or the one that was the panel, if there is none newer: a
//   hand that is over has no buttons.
// - Under the panel stand the private answers that are newer than it, and those in which the reader has pressed something.
import { FLAG, pressableNames } from "./message.js";

const ANSWER_MS = 2500; // a change so soon after a message came, or after a press on it, is still the answer: its picture came later

const COMMAND = 2; // the type of an interaction

const isPrivate = (message) => Boolean((message.flags ?? 0) & FLAG.EPHEMERAL);
const changedAt = (message) => Date.parse(message.edited_timestamp ?? message.timestamp);
/** Return the message with the highest score; of equals the newest. */
const best = (messages, score) => messages.reduce((top, one) => (top && score(one) < score(top) ? top : one), undefined);

export class Arrangement {
  constructor() {
    this.offered = new Map(); // "table" or "panel" and a channel's id → the names of the buttons that it has had
    this.answeredAt = new Map(); // message id → when it came, or when the reader last pressed something in it
    this.pressed = new Set(); // ids of messages in which the reader has pressed something
    this.panels = new Map(); // a channel's key → the id of the message that was its panel
    this.followed = new Map(); // message id → the serial number of its last change that answered nobody
    this.changes = 0;
  }

  notePress(id, now = Date.now()) {
    this.pressed.add(id);
    this.answeredAt.set(id, now);
  }

  noteNew(id, now = Date.now()) { this.answeredAt.set(id, now); }

  noteChange(id, now = Date.now()) {
    if (now - (this.answeredAt.get(id) ?? -Infinity) > ANSWER_MS) this.followed.set(id, ++this.changes);
  }

  forget(id) {
    for (const memory of [this.answeredAt, this.pressed, this.followed]) memory.delete(id);
  }

  /** Return the ids of the table and of the panel among a channel's messages (oldest first), null where there is none, and of the answers under it. */
  arrange(channel, messages) {
    const table = this.findTable(`table ${channel}`, messages.filter((message) => !isPrivate(message) && pressableNames(message).length));
    const panel = this.findPanel(`panel ${channel}`, messages.filter(isPrivate));
    const own = messages.filter(isPrivate).map((message) => message.id);
    return { table, panel, answers: own.filter((id, index) => id !== panel && (index > own.indexOf(panel) || this.pressed.has(id))) };
  }

  findTable(key, candidates) {
    if (!candidates.length) return null;
    const inCommon = (message) => this.inCommon(key, message);
    const known = candidates.some(inCommon);
    const table = known ? best(candidates, inCommon) : best(candidates, changedAt);
    if (!known) this.offered.delete(key);
    this.remember(key, table);
    return table.id;
  }

  findPanel(key, candidates) {
    const following = best(candidates.filter((message) => this.followed.has(message.id)), (message) => this.followed.get(message.id));
    const pressable = candidates.filter((message) => pressableNames(message).length);
    const heir = pressable.findLast((message) => this.inCommon(key, message));
    const first = pressable.findLast((message) => message.interaction_metadata?.type !== COMMAND) ?? pressable.at(-1);
    const was = candidates.findIndex((message) => message.id === this.panels.get(key));
    const newest = candidates[Math.max(candidates.indexOf(first), was)];
    const panel = heir && !(following && candidates.indexOf(heir) < candidates.indexOf(following)) ? heir : following ?? newest;
    if (following || heir) this.remember(key, panel);
    this.panels.set(key, panel?.id);
    return panel?.id ?? null;
  }

  /** Return how many buttons of a message the table or panel has had too. */
  inCommon(key, message) { return new Set(pressableNames(message).filter((name) => this.offered.get(key)?.has(name))).size; }

  remember(key, message) { this.offered.set(key, new Set([...(this.offered.get(key) ?? []), ...pressableNames(message)])); }
}
