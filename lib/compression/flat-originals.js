// @ts-check
'use strict';

/**
 * Builds the originals in a record. A summary may replace an earlier summary, whose originals lie one level deeper; all levels are stored as
 * flat lists.
 */

const { isList } = require('../lists.js');
const { copyWith } = require('../messages/message-fields.js');
const { beforeCompressionOf, compressionOf } = require('./record.js');

/**
 * One list of messages that is being flattened: `source` is read up to `at` into `messages`. The originals of the message at
 * `refs[].index` are at `refs[].position` in `lists`. `ids`: of the records in `source`.
 * @typedef {{
 *   source: readonly any[], messages: any[], at: number, copyOf: any, base: number, earlierCount: number,
 *   refs: { index: number, position: number }[], ids: Set<unknown>, isChanged: boolean,
 * }} Level
 */

/**
 * Builds the originals of a record: `originalMessages` for `range`, and in `earlier` the originals of the compressions within it, oldest first. The
 * lists are flat, because ten thousand nested levels could be neither saved nor read.
 *
 * `originalsBack` of a message is the distance from its own list back to the list of its originals; `originalMessages` comes after the last list of
 * `earlier`. Distances stay valid when lists are concatenated. O(messages and levels); levels that are already flat are not visited.
 * @param {readonly any[]} range @returns {{ messageCount: number, originalMessages: any[], earlier?: any[][] }}
 */
function originalsIn(range) {
  /** @type {any[][]} */ const lists = [];
  /** Each list's position; undefined while it is being read. @type {Map<readonly any[], number | undefined>} */
  const positions = new Map([[range, undefined]]);
  const stack = [levelOf(range, undefined, 0, 0)];
  for (;;) {
    const level = /** @type {Level} */ (stack.at(-1));
    if (level.at < level.source.length) {
      const inner = readMessage(level, level.source[level.at++], lists, positions);
      if (inner !== undefined) stack.push(inner);
      continue;
    }
    const messages = flattened(level, lists.length);
    stack.pop();
    const outer = stack.at(-1);
    if (outer === undefined) {
      return { messageCount: range.length, originalMessages: messages, ...(lists.length > 0 && { earlier: lists }) };
    }
    positions.set(level.source, lists.length);
    addReference(outer, level.copyOf, lists.length);
    lists.push(messages);
  }
}

/**
 * @param {readonly any[]} source @param {any} copyOf the message whose originals `source` holds
 * @param {number} base index in `lists` of its first earlier list @param {number} earlierCount number of these
 * @returns {Level}
 */
function levelOf(source, copyOf, base, earlierCount) {
  const ids = new Set(source.map((message) => compressionOf(message)?.id));
  ids.delete(undefined);
  return { source, messages: [], at: 0, copyOf, base, earlierCount, refs: [], ids, isChanged: false };
}

/**
 * Reads the next message of a level into its `messages`.
 * @param {Level} level @param {any} message @param {any[][]} lists @param {Map<readonly any[], number | undefined>} positions
 * @returns {Level | undefined} the message's originals, to be flattened first
 */
function readMessage(level, message, lists, positions) {
  const record = compressionOf(message);
  const originals = record?.originalMessages;
  if (record === undefined || !isList(originals)) {
    const back = record?.originalsBack;
    if (typeof back === 'number' && Number.isInteger(back))
      level.refs.push({ index: level.messages.length, position: level.base + level.earlierCount - back });
    level.messages.push(message);
    return undefined;
  }
  const stripped = withoutOriginals(message, record);
  // A cut leaves a copy next to its notice, which has the originals.
  const isCopy =
    level.ids.has(beforeCompressionOf(message)?.pinnedBy) && beforeCompressionOf(message)?.pinnedBy !== record.id;
  const position = positions.get(originals);
  const holdsItself = positions.has(originals) && position === undefined;
  if (stripped === undefined || holdsItself) level.messages.push(message);
  else if (isCopy) pushChanged(level, stripped);
  else if (position !== undefined) addReference(level, stripped, position);
  else {
    const earlier = isList(record.earlier) ? record.earlier : [];
    const base = lists.length;
    for (const list of earlier) lists.push(list);
    positions.set(originals, undefined);
    return levelOf(originals, stripped, base, earlier.length);
  }
  return undefined;
}

/** Adds a message whose originals are at `position`. @param {Level} level @param {any} message @param {number} position */
function addReference(level, message, position) {
  level.refs.push({ index: level.messages.length, position });
  pushChanged(level, message);
}

/** @param {Level} level @param {any} message */
function pushChanged(level, message) {
  level.isChanged = true;
  level.messages.push(message);
}

/** The level's messages as the list at `position`, from which distances count. @param {Level} level @param {number} position */
function flattened({ source, messages, refs, isChanged }, position) {
  let isSame = !isChanged && isList(source);
  for (const { index, position: originals } of refs) {
    const message = messages[index];
    const back = position - originals;
    const record = compressionOf(message);
    if (record?.originalsBack === back) continue;
    messages[index] = copyWith(message, [], { compression: { ...record, originalsBack: back } });
    isSame = false;
  }
  return isSame ? /** @type {any[]} */ (source) : messages;
}

/**
 * A copy of the message whose record lacks originals and digest. The newer record's digest includes this one; digests in every record would make up
 * most of a session file.
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
 * The messages of a record, each with its own originals restored, because an archived batch must be self-contained.
 * @param {import('./record.js').CompressionRecord} record @returns {any[]}
 */
function originalsSeparately({ originalMessages = [], earlier = [] }) {
  let start = 0;
  return originalMessages.map((message) => {
    const record = compressionOf(message);
    const at = earlier.length - (record?.originalsBack ?? Number.NaN);
    if (record === undefined || !(at >= 0)) return message;
    const { originalsBack, ...rest } = record;
    const nested = earlier.slice(at >= start ? start : 0, at);
    start = at + 1;
    const compression = { ...rest, originalMessages: earlier[at], ...(nested.length > 0 && { earlier: nested }) };
    return copyWith(message, [], { compression });
  });
}

module.exports = { originalsIn, originalsSeparately };
