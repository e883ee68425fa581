// @ts-check
'use strict';

const { beforeCompressionOf, compressionOf, findOriginals, NO_NEIGHBOURS } = require('../compression/record.js');
const { recordIdsIn, restored } = require('../compression/record.js');
const { readContents, readContent } = require('../messages/message-content.js');
const { safely } = require('../plain-data.js');
const { pointOf } = require('./point.js');

/**
 * Visits and reads the levels of a compressed history: the originals of a compression are a level, which may contain further
 * compressions. `depth` counts levels from outside, a record's `level` from inside.
 * @typedef {import('../compression/record.js').Batch} Batch
 * @typedef {import('../compression/record.js').Neighbours & { messages: readonly any[] }} Level
 * @typedef {{ level: Level } | { missing: Batch } | { damage: string }} Opened
 * @typedef {(batch: Batch) => { messages: unknown } | undefined} Fetched returns what an archive returned for a batch; undefined if it wasn't asked
 * @typedef {import('./point.js').Point} Point
 *
 * A step is a message, a compression (`point`), the end of its originals, or why these can't be visited. `ids`: ids of the records in the level.
 * @typedef {{ kind: 'message' | 'point', level: Level, ids: ReadonlySet<unknown>, index: number, depth: number, point: Point | undefined }
 *   | { kind: 'end' | 'archive' | 'damaged', depth: number, point: Point | undefined }} Step
 * @typedef {{ messages: number, points: number, tokensSaved: number }} Totals `messages`: number of distinct originals, including archived ones
 * What is displayed of a message. `answers`: names of tools whose results it has; `isShortened`: the model gets a shorter text.
 * @typedef {'system' | 'user' | 'assistant' | 'tool' | 'other'} Role
 * @typedef {{ role: Role, text: string, calls: { name: string, input: string }[], answers: string[], isFailed: boolean, isRepeated: boolean,
 *   isShortened: boolean, hasThinking: boolean }} Contents
 */

/** @param {readonly any[]} messages the application's messages, or a batch from an archive @returns {Level} */
const levelOf = (messages) => ({ messages, ...NO_NEIGHBOURS });

/**
 * The originals of the compression at `index`; undefined if the message is not a compression. Never throws. @param {Level} level @param {number} index
 * @param {Fetched} fetched @param {ReadonlySet<unknown>} [enclosing] lists of enclosing levels, to detect cycles @returns {Opened | undefined}
 */
function openLevel(level, index, fetched, enclosing) {
  const record = compressionOf(level.messages[index]);
  if (record === undefined) return undefined;
  try {
    const found = findOriginals(record, level, fetched);
    if (!('messages' in found)) return found;
    if (enclosing?.has(found.messages)) return { damage: 'expected other messages, got a record that holds itself' };
    return { level: found };
  } catch {
    return { damage: 'expected a record, got one that can’t be read' };
  }
}

/**
 * The original of a message that a compression changed or repeated; any other message itself. `isRepeated`: a compression holds the original.
 * @param {any} message @param {ReadonlySet<unknown>} ids of the records in the same list; a message that names none of them is no copy
 */
function originalOf(message, ids) {
  const beforeCompression = beforeCompressionOf(message);
  if (beforeCompression === undefined) return { message, isRepeated: false, isChanged: false };
  const original = safely(() => restored(message));
  const isChanged = original !== undefined;
  return { message: isChanged ? original : message, isRepeated: ids.has(beforeCompression.pinnedBy), isChanged };
}

/**
 * Visits the messages of a history and, with `visitsOriginals`, those of all levels. There may be ten thousand levels, so it doesn't recurse.
 * Originals that records share are visited once.
 * @param {readonly any[]} messages @param {boolean} visitsOriginals @param {Fetched} [fetched] @returns {Generator<Step, void>}
 */
function* walk(messages, visitsOriginals, fetched = () => undefined) {
  const visited = new Set();
  /** Lists of the levels in `stack`. */ const enclosing = new Set([messages]);
  const stack = [entered(levelOf(messages), undefined)];
  for (let current = stack.at(-1); current !== undefined; current = stack.at(-1)) {
    const { level, ids } = current;
    const depth = stack.length - 1;
    const index = current.nextIndex++;
    if (index >= level.messages.length) {
      stack.pop();
      enclosing.delete(level.messages);
      if (depth > 0) yield { kind: 'end', depth, point: current.point };
      continue;
    }
    const point = pointOf(level.messages[index]);
    yield { kind: point === undefined ? 'message' : 'point', level, ids, index, depth, point };
    const originals = visitsOriginals && point !== undefined ? openLevel(level, index, fetched, enclosing) : undefined;
    if (originals === undefined) continue;
    if ('missing' in originals) yield { kind: 'archive', depth: depth + 1, point };
    else if ('damage' in originals) yield { kind: 'damaged', depth: depth + 1, point };
    else if (!visited.has(originals.level.messages)) {
      visited.add(originals.level.messages);
      enclosing.add(originals.level.messages);
      stack.push(entered(originals.level, point));
    }
  }
}

/** A level with the next message to visit. @param {Level} level @param {Point | undefined} point */
const entered = (level, point) => ({ level, nextIndex: 0, ids: recordIdsIn(level.messages), point });

/** Counts messages, compressions and saved tokens of a whole history. @param {readonly any[]} messages @param {Fetched} [fetched] @returns {Totals} */
function totalsOf(messages, fetched) {
  const totals = { messages: 0, points: 0, tokensSaved: 0 };
  for (const step of walk(messages, true, fetched)) {
    if (step.kind === 'message') {
      if (!originalOf(step.level.messages[step.index], step.ids).isRepeated) totals.messages += 1;
    } else if (step.kind === 'archive') totals.messages += step.point?.originalCount ?? 0;
    else if (step.kind === 'point') {
      totals.points += 1;
      totals.tokensSaved += Math.max(0, step.point?.tokensSaved ?? 0);
    }
  }
  return totals;
}

/** Reads a whole level, because results name only the ids of their calls. Never throws. @param {readonly any[]} messages @returns {Contents[]} */
function contentsOf(messages) {
  const ids = recordIdsIn(messages);
  // `Array.from`, because an array may have holes, or override `map`.
  const originals = Array.from({ length: messages.length }, (_, index) => originalOf(messages[index], ids));
  const contents = readContents(originals.map(({ message }) => message));
  /** @type {Map<string, string>} */ const names = new Map();
  return contents.map(({ role, texts, calls, answers, isFailed, hasThinking }, index) => {
    for (const [id, name] of calls) names.set(id, name);
    const { isRepeated = false, isChanged = false } = originals[index] ?? {};
    const text = texts.join('\n');
    return {
      role: role === 'user' && answers.length > 0 ? 'tool' : role,
      text,
      calls: calls.map(([, name, input]) => ({ name, input })),
      answers: [...new Set(answers.map((id) => names.get(id) ?? ''))].filter((name) => name !== ''),
      isFailed,
      isRepeated,
      isShortened: isChanged && readContent(messages[index]).texts.join('\n') !== text,
      hasThinking,
    };
  });
}

/** The texts that a search reads, in the order in which they are shown. @param {Contents} contents */
const searchable = ({ text, calls }) => [text, ...calls.flatMap(({ name, input }) => [name, readable(input)])];

/** All texts as one. @param {Contents} contents */
const allText = (contents) => searchable(contents).filter(Boolean).join('\n');

/** Splits long JSON into lines. @param {string} input @returns {string} */
const readable = (input) =>
  input.length < 80 ? input : (safely(() => JSON.stringify(JSON.parse(input), null, 2)) ?? input);

module.exports = { allText, contentsOf, levelOf, openLevel, originalOf, readable, searchable, totalsOf, walk };
