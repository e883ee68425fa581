// @ts-check
'use strict';

const { recordIdsIn } = require('../compression/record.js');
const { levelOf, openLevel } = require('./level.js');
const { pointOf } = require('./point.js');

/**
 * Visits all levels of a history, without recursion, because there may be ten thousand. Originals that records share are visited
 * once.
 *
 * A step is a message, a compression (`point`), the end of its originals, or why these can't be visited. `ids`: ids of the records in the level.
 * @typedef {import('./level.js').Level} Level
 * @typedef {import('./point.js').Point} Point
 * @typedef {{ kind: 'message' | 'point', level: Level, ids: ReadonlySet<unknown>, index: number, depth: number, point: Point | undefined }
 *   | { kind: 'end' | 'archive' | 'damaged', depth: number, point: Point | undefined }} Step
 */

/**
 * @param {readonly any[]} messages
 * @param {boolean} visitsOriginals
 * @param {(batch: import('./level.js').Batch) => { messages: unknown } | undefined} [fetched] returns the archive's result
 * @returns {Generator<Step, void>}
 */
function* walk(messages, visitsOriginals, fetched = () => undefined) {
  const visited = new Set();
  /** Lists of the levels in `stack`. */
  const enclosing = new Set([messages]);
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
function entered(level, point) {
  return { level, nextIndex: 0, ids: recordIdsIn(level.messages), point };
}

module.exports = { walk };
