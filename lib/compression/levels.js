// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { copyWith } = require('../messages/own-fields.js');
const { beforeOf, compressionOf } = require('./record.js');

/**
 * One array of messages that is being flattened. A message's originals lie at `refs[].position` in `lists`.
 * @typedef {{
 *   source: readonly any[], left: any[], at: number, copyOf: any, base: number, own: number,
 *   refs: { slot: number, position: number }[], ids: Set<unknown>, isChanged: boolean,
 * }} Level
 */

/**
 * The originals that a record holds: `range`, and in `earlier` the originals of the compressions in it, oldest first. They are
 * flat, since ten thousand levels within each other could be neither saved nor read.
 *
 * `originalsBack` of a message says how many places before its own list its originals lie; `originalMessages` lies behind the last
 * of `earlier`. Distances stay true when lists are joined. O(messages and levels); flat levels are not looked into.
 * @param {readonly any[]} range
 * @returns {{ messageCount: number, originalMessages: any[], earlier?: any[][] }}
 */
function originalsIn(range) {
  /** @type {any[][]} */ const lists = [];
  /** Each list's place; undefined while it is being read. @type {Map<readonly any[], number | undefined>} */
  const met = new Map([[range, undefined]]);
  const stack = [levelOf(range, undefined, 0, 0)];
  for (;;) {
    const level = /** @type {Level} */ (stack.at(-1));
    if (level.at < level.source.length) {
      const inner = read(level, level.source[level.at++], lists, met);
      if (inner !== undefined) stack.push(inner);
      continue;
    }
    const messages = closed(level, lists.length);
    stack.pop();
    const outer = stack.at(-1);
    if (outer === undefined) {
      return { messageCount: range.length, originalMessages: messages, ...(lists.length > 0 && { earlier: lists }) };
    }
    met.set(level.source, lists.length);
    refer(outer, level.copyOf, lists.length);
    lists.push(messages);
  }
}

/**
 * @param {readonly any[]} source @param {any} copyOf the message whose originals they are
 * @param {number} base where its earlier lists begin @param {number} own how many those are @returns {Level}
 */
function levelOf(source, copyOf, base, own) {
  const ids = new Set(source.map((message) => compressionOf(message)?.id));
  ids.delete(undefined);
  return { source, left: [], at: 0, copyOf, base, own, refs: [], ids, isChanged: false };
}

/**
 * @param {Level} level @param {any} message @param {any[][]} lists @param {Map<readonly any[], number | undefined>} met
 * @returns {Level | undefined} a level that has to be read first
 */
function read(level, message, lists, met) {
  const record = compressionOf(message);
  const originals = record?.originalMessages;
  if (record === undefined || !isList(originals)) {
    const back = record?.originalsBack;
    if (typeof back === 'number' && Number.isInteger(back))
      level.refs.push({ slot: level.left.length, position: level.base + level.own - back });
    level.left.push(message);
    return undefined;
  }
  const stripped = withoutOriginals(message, record);
  // A cut leaves a copy beside its notice, which has the originals.
  const isCopy = level.ids.has(beforeOf(message)?.pinnedBy) && beforeOf(message)?.pinnedBy !== record.id;
  const known = met.get(originals);
  if (stripped === undefined || (met.has(originals) && known === undefined)) level.left.push(message);
  else if (isCopy) put(level, stripped);
  else if (known !== undefined) refer(level, stripped, known);
  else {
    const earlier = isList(record.earlier) ? record.earlier : [];
    const base = lists.length;
    for (const list of earlier) lists.push(list);
    met.set(originals, undefined);
    return levelOf(originals, stripped, base, earlier.length);
  }
  return undefined;
}

/** @param {Level} level @param {any} message @param {number} position */
function refer(level, message, position) {
  level.refs.push({ slot: level.left.length, position });
  put(level, message);
}

/** @param {Level} level @param {any} message */
function put(level, message) {
  level.isChanged = true;
  level.left.push(message);
}

/** The level's messages, with distances from `place`. @param {Level} level @param {number} place where they will lie */
function closed({ source, left, refs, isChanged }, place) {
  let isSame = !isChanged && isList(source);
  for (const { slot, position } of refs) {
    const message = left[slot];
    const back = place - position;
    const record = compressionOf(message);
    if (record?.originalsBack === back) continue;
    left[slot] = copyWith(message, [], { compression: { ...record, originalsBack: back } });
    isSame = false;
  }
  return isSame ? /** @type {any[]} */ (source) : left;
}

/**
 * The newer record's digest includes this one; kept in each record, digests would be most of a session file.
 * @param {any} message @param {import('./record.js').CompressionRecord} record
 */
function withoutOriginals(message, record) {
  try {
    const { originalMessages, earlier, digest, ...compression } = record;
    return copyWith(message, [], { compression });
  } catch {
    // A proxy can't be copied.
    return undefined;
  }
}

/**
 * The messages of a record, each with its own originals again: an archived batch must be whole by itself.
 * @param {import('./record.js').CompressionRecord} record @returns {any[]}
 */
function originalsApart({ originalMessages = [], earlier = [] }) {
  let start = 0;
  return originalMessages.map((message) => {
    const record = compressionOf(message);
    const at = earlier.length - (record?.originalsBack ?? Number.NaN);
    if (record === undefined || !(at >= 0)) return message;
    const { originalsBack, ...rest } = record;
    const own = earlier.slice(at >= start ? start : 0, at);
    start = at + 1;
    const compression = { ...rest, originalMessages: earlier[at], ...(own.length > 0 && { earlier: own }) };
    return copyWith(message, [], { compression });
  });
}

module.exports = { originalsApart, originalsIn };
