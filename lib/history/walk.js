// @ts-check
'use strict';

const { recordIdsIn } = require('../compression/record.js');
const { levelOf, opened } = require('./level.js');
const { pointOf } = require('./point.js');

/**
 * Visits all levels of a history, without recursion, because there may be ten thousand. Originals that records share are visited
 * once.
 *
 * @typedef {import('./level.js').Level} Level
 * @typedef {import('./point.js').Point} Point
 * @typedef {{ kind: 'message' | 'point', level: Level, ids: ReadonlySet<unknown>, index: number, depth: number, point: Point | undefined }
 *   | { kind: 'end' | 'archive' | 'damaged', depth: number, point: Point | undefined }} Step
 */

/**
 * @param {readonly any[]} messages
 * @param {boolean} isOpen whether to visit originals
 * @param {(batch: import('./level.js').Batch) => { messages: unknown } | undefined} [fetched] returns the archive's result
 * @returns {Generator<Step, void>}
 */
function* walk(messages, isOpen, fetched = () => undefined) {
  const given = new Set();
  const around = new Set([messages]);
  const stack = [entered(levelOf(messages), undefined)];
  for (let last = stack.at(-1); last !== undefined; last = stack.at(-1)) {
    const { level, ids } = last;
    const depth = stack.length - 1;
    const index = last.at++;
    if (index >= level.messages.length) {
      stack.pop();
      around.delete(level.messages);
      if (depth > 0) yield { kind: 'end', depth, point: last.point };
      continue;
    }
    const point = pointOf(level.messages[index]);
    yield { kind: point === undefined ? 'message' : 'point', level, ids, index, depth, point };
    const originals = isOpen && point !== undefined ? opened(level, index, fetched, around) : undefined;
    if (originals === undefined) continue;
    if ('missing' in originals) yield { kind: 'archive', depth: depth + 1, point };
    else if ('damage' in originals) yield { kind: 'damaged', depth: depth + 1, point };
    else if (!given.has(originals.level.messages)) {
      given.add(originals.level.messages);
      around.add(originals.level.messages);
      stack.push(entered(originals.level, point));
    }
  }
}

/** @param {Level} level @param {Point | undefined} point */
function entered(level, point) {
  return { level, at: 0, ids: recordIdsIn(level.messages), point };
}

module.exports = { walk };
