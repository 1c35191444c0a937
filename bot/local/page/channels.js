// Channels, threads and forums: which are listed, in which order, and with which sign.
import { h } from "./dom.js";

const THREADS = new Set([10, 11, 12]), PRIVATE_THREAD = 12;
export const FORUM = 15;
export const SHOWN_CHANNELS = new Set([0, 5, ...THREADS, FORUM, undefined]); // text, announcements, threads, forums

/** Return the sign before a channel's name. */
export function channelMark(channel) {
  const isThread = THREADS.has(channel.type);
  return h("span", { class: isThread ? "hash thread" : "hash", "aria-hidden": "true" }, channel.type === PRIVATE_THREAD ? "🔒" : isThread ? "↳" : "#");
}

/** Return the channels, each before its threads, without archived threads (but the one that is open) and without forums that list no post. */
export function channelsInOrder(channels, open) {
  const all = [...channels.values()];
  const threads = all.filter((channel) => THREADS.has(channel.type) && (!isArchived(channel) || channel.id === open));
  const own = all.filter((channel) => !THREADS.has(channel.type) && (channel.type !== FORUM || threads.some((thread) => thread.parent_id === channel.id)));
  return [...own.flatMap((channel) => [channel, ...threads.filter((thread) => thread.parent_id === channel.id)]), ...threads.filter((thread) => !channels.has(thread.parent_id))];
}

/** Return the archived threads, but the one that is open; the newest first. */
export function olderRooms(channels, open) {
  return [...channels.values()].filter((channel) => isArchived(channel) && channel.id !== open).sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
}

const isArchived = (channel) => THREADS.has(channel.type) && Boolean(channel.thread_metadata?.archived);
