// @ts-check
'use strict';

const { isList, indexInList } = require('../lists.js');
const { copyWith } = require('../messages/message-fields.js');
const { beforeCompressionOf, compressedAt, compressionOf, recordIdsIn } = require('./record.js');
const { unlessAborted } = require('../archive/store.js');
const { safely } = require('../plain-data.js');
const { replaceSlots } = require('../slots.js');
const { textOf } = require('./message-columns.js');

/**
 * The originals in a record are flat lists, because ten thousand nested levels could be neither saved nor read: `originalMessages`, and in
 * `earlier` the originals of the compressions within it, oldest first. `originalsBack` of a message is the distance from its own list back to
 * the list of its originals. It stays valid when lists are concatenated.
 *
 * A list of messages that is being flattened. `source`: the list in its former record; `messages`: those read so far, as stored;
 * `references`: indices in `messages`, each with the position of the list of its originals; `owner`: has these originals;
 * `formerPosition`: after the `earlier` lists of its former record, from where its distances count; `isChanged`: `messages` has copies.
 * @typedef {{ source: readonly any[], nextIndex: number, messages: any[], references: { index: number, originalsAt: number }[],
 *   owner: any, formerPosition: number, ids: Set<unknown>, isChanged: boolean }} OpenList
 *
 * `lists`: the finished ones, the record's `earlier`; `positions`: of each source list in them, undefined while it is open.
 * @typedef {{ lists: any[][], positions: Map<readonly any[], number | undefined> }} FlatLists
 */

/**
 * The originals of a message that replaces `range`. O(messages and levels); levels that are already flat are not visited.
 * @param {readonly any[]} range @returns {{ messageCount: number, originalMessages: any[], earlier?: any[][] }}
 */
function originalsIn(range) {
  /** @type {FlatLists} */ const flat = { lists: [], positions: new Map([[range, undefined]]) };
  const { lists, positions } = flat;
  const openLists = [openList(range, undefined, 0)];
  for (;;) {
    const list = /** @type {OpenList} */ (openLists.at(-1));
    if (list.nextIndex < list.source.length) {
      const nested = readNext(list, flat);
      if (nested !== undefined) openLists.push(nested);
      continue;
    }
    const messages = withDistances(list, lists.length);
    openLists.pop();
    const outer = openLists.at(-1);
    if (outer === undefined) {
      return { messageCount: range.length, originalMessages: messages, ...(lists.length > 0 && { earlier: lists }) };
    }
    positions.set(list.source, lists.length);
    addChanged(outer, list.owner, lists.length);
    lists.push(messages);
  }
}

/** @param {readonly any[]} source @param {any} owner @param {number} formerPosition @returns {OpenList} */
function openList(source, owner, formerPosition) {
  const ids = recordIdsIn(source);
  return { source, nextIndex: 0, messages: [], references: [], owner, formerPosition, ids, isChanged: false };
}

/** Reads the next message of a list. @param {OpenList} list @param {FlatLists} flat @returns {OpenList | undefined} its originals, to be flattened first */
function readNext(list, { lists, positions }) {
  const message = list.source[list.nextIndex++];
  const record = compressionOf(message);
  const originals = record?.originalMessages;
  if (record === undefined || !isList(originals)) {
    const back = record?.originalsBack;
    if (typeof back === 'number' && Number.isInteger(back))
      list.references.push({ index: list.messages.length, originalsAt: list.formerPosition - back });
    list.messages.push(message);
    return undefined;
  }
  const stripped = withoutOriginals(message, record);
  // A cut leaves a copy next to its notice, which has the originals.
  const pinnedBy = beforeCompressionOf(message)?.pinnedBy;
  const isCopy = list.ids.has(pinnedBy) && pinnedBy !== record.id;
  const position = positions.get(originals);
  const holdsItself = positions.has(originals) && position === undefined;
  if (stripped === undefined || holdsItself) list.messages.push(message);
  else if (isCopy || position !== undefined) addChanged(list, stripped, isCopy ? undefined : position);
  else {
    for (const earlier of isList(record.earlier) ? record.earlier : []) lists.push(earlier);
    positions.set(originals, undefined);
    return openList(originals, stripped, lists.length);
  }
  return undefined;
}

/** @param {OpenList} list @param {any} copy @param {number} [originalsAt] position of the list of its originals */
function addChanged(list, copy, originalsAt) {
  if (originalsAt !== undefined) list.references.push({ index: list.messages.length, originalsAt });
  list.isChanged = true;
  list.messages.push(copy);
}

/** The messages of a list at `position`, with distances from there; the source itself if nothing changed. @param {OpenList} list @param {number} position */
function withDistances({ source, messages, references, isChanged }, position) {
  let isSame = !isChanged && isList(source);
  for (const { index, originalsAt } of references) {
    const message = messages[index];
    const record = compressionOf(message);
    const originalsBack = position - originalsAt;
    if (record?.originalsBack === originalsBack) continue;
    messages[index] = copyWith(message, [], { compression: { ...record, originalsBack } });
    isSame = false;
  }
  return isSame ? /** @type {any[]} */ (source) : messages;
}

/** A copy without originals and digest, which the newer digest includes; undefined for a proxy. @param {any} message @param {import('./record.js').CompressionRecord} record */
const withoutOriginals = (message, { originalMessages, earlier, digest, ...compression }) =>
  safely(() => copyWith(message, [], { compression }));

/** An archived batch must be self-contained. @param {import('./record.js').CompressionRecord} record */
function originalsSeparately({ originalMessages = [], earlier = [] }) {
  /** Position of the first list that no earlier message took. */ let start = 0;
  return originalMessages.map((message) => {
    const record = compressionOf(message);
    const originalsAt = earlier.length - (record?.originalsBack ?? Number.NaN);
    if (record === undefined || !(originalsAt >= 0)) return message;
    const { originalsBack, ...rest } = record;
    // The lists before its own belong to the compressions within it.
    const nested = earlier.slice(originalsAt >= start ? start : 0, originalsAt);
    start = originalsAt + 1;
    const lists = { originalMessages: earlier[originalsAt], ...(nested.length > 0 && { earlier: nested }) };
    return copyWith(message, [], { compression: { ...rest, ...lists } });
  });
}

/**
 * Moves the originals into the archive. Then a copy replaces the message, which the application may already have saved with its originals.
 * @param {any[]} messages @param {any} made the summary or notice @param {any} archive
 * @param {string} sessionId the manager's own: one from the history could name anybody's session
 * @param {AbortSignal | undefined} signal stops waiting; the originals then stay
 */
async function archiveOriginals(messages, made, archive, sessionId, signal) {
  const complete = /** @type {import('./record.js').CompressionRecord} */ (compressionOf(made));
  const { originalMessages, earlier, ...record } = complete;
  const { id, kind, level } = record;
  const originals = originalsSeparately(complete);
  const batch = { id, kind, level, at: compressedAt(made), messages: originals, summary: textOf(made) };
  await unlessAborted(async () => archive.append(sessionId, batch, { signal }), signal);
  const index = indexInList(messages, made);
  if (index === -1) return;
  replaceSlots(messages, [index], [copyWith(made, [], { compression: { ...record, archive: { sessionId, id } } })]);
}

module.exports = { archiveOriginals, originalsIn };
