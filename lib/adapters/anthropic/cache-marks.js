// @ts-check
'use strict';

/** Where a request to Anthropic gets `cache_control`, beside what the host has marked itself. */

const { isList } = require('../../lists.js');
const { outOfRange, wrongType } = require('../../errors.js');
const { MOST_MARKS } = require('../../view/marks.js');

/** @typedef {{ type: 'ephemeral', ttl?: '1h' }} Mark */
/** @typedef {{ place: number, isHour: boolean }} Placed `place`: a message; before all of them, -1 */

/** Blocks that the API takes a mark on, of those that agents send. */
const MARKABLE = new Set(['text', 'image', 'document', 'search_result', 'tool_use', 'tool_result']);

/**
 * @param {unknown} given `true`, or how long the prefix is to be kept
 * @returns {Mark | undefined}
 * @throws TypeError, RangeError
 */
function readCacheControl(given) {
  if (given === undefined || given === null || given === false) return undefined;
  if (given === true || given === '5m') return { type: 'ephemeral' };
  if (given === '1h') return { type: 'ephemeral', ttl: '1h' };
  if (typeof given !== 'string') throw wrongType('options.cacheControl', "true, false, '5m' or '1h'", given);
  throw outOfRange('options.cacheControl', "true, false, '5m' or '1h'", given);
}

/**
 * The messages with marks at `positions`, as many as the request has left; those nearest the end where it has too few,
 * since a request that goes on from this one reads up to there. What the host marked stays as it is.
 * @param {any} params the request
 * @param {readonly any[]} messages as they are sent
 * @param {readonly number[]} positions ascending
 * @param {Mark} mark
 * @returns {any[]}
 */
function marked(params, messages, positions, mark) {
  const before = [...marksIn(params.tools), ...marksIn(params.system)].map((isHour) => ({ place: -1, isHour }));
  const among = messages.flatMap((message, place) => marksIn(message?.content).map((isHour) => ({ place, isHour })));
  // The API itself marks the last block of a request that asks for that.
  const behind = params.cache_control ? [{ place: messages.length - 1, isHour: isHourLong(params.cache_control) }] : [];
  const hosts = [...before, ...among, ...behind];
  const free = Math.max(0, MOST_MARKS - hosts.length);
  const copies = [...messages];
  let used = 0;
  for (const place of [...positions].reverse()) {
    const own = markFor(place, mark, hosts);
    if (used === free || own === undefined) continue;
    const copy = withMark(messages[place], own);
    if (copy === undefined) continue;
    copies[place] = copy;
    used++;
  }
  return copies;
}

/**
 * What to mark a message with: a prefix that is kept for an hour must not lie behind one that is kept for less.
 * @param {number} place
 * @param {Mark} mark
 * @param {readonly Placed[]} hosts
 * @returns {Mark | undefined}
 */
function markFor(place, mark, hosts) {
  if (hosts.some((other) => other.place === place)) return undefined;
  const isLaterHour = hosts.some((other) => other.place > place && other.isHour);
  const isEarlierShort = hosts.some((other) => other.place < place && !other.isHour);
  if (isLaterHour && isEarlierShort) return undefined;
  if (isEarlierShort) return { type: 'ephemeral' };
  return isLaterHour ? { type: 'ephemeral', ttl: '1h' } : mark;
}

/** A copy whose last block that can be marked is. @param {any} message @param {Mark} mark */
function withMark(message, mark) {
  const { content } = message ?? {};
  if (typeof content === 'string') {
    if (content.trim() === '') return undefined;
    return { ...message, content: [{ type: 'text', text: content, cache_control: mark }] };
  }
  if (!isList(content)) return undefined;
  const at = content.findLastIndex(isMarkable);
  if (at < 0) return undefined;
  return {
    ...message,
    content: content.map((block, index) => (index === at ? { ...block, cache_control: mark } : block)),
  };
}

/** @param {any} block */
function isMarkable(block) {
  return MARKABLE.has(block?.type) && (block.type !== 'text' || String(block.text).trim() !== '');
}

/** For each mark in a list of tools or blocks, whether it is for an hour. @param {unknown} list @returns {boolean[]} */
function marksIn(list) {
  if (!isList(list)) return [];
  return list.flatMap((block) => [
    ...(block?.cache_control ? [isHourLong(block.cache_control)] : []),
    ...(block?.type === 'tool_result' ? marksIn(block.content) : []),
  ]);
}

/** @param {any} cacheControl */
function isHourLong(cacheControl) {
  return cacheControl.ttl === '1h';
}

module.exports = { marked, marksIn, readCacheControl };
