// @ts-check
import contents from '../../lib/history/contents.js';
import levels from '../../lib/history/level.js';
import points from '../../lib/history/point.js';
import totals from '../../lib/history/totals.js';

/**
 * The visible rows: messages and, after each open compression, its originals, at any level of nesting.
 *
 * @typedef {import('../../lib/history/level.js').Level} Level
 * @typedef {import('../../lib/history/level.js').Batch} Batch
 * @typedef {import('../../lib/history/contents.js').Contents} Contents
 * @typedef {import('../../lib/history/point.js').Point} Point
 * @typedef {'archive' | 'foreign' | 'loading' | 'failed' | 'damaged'} State
 * @typedef {object} Row
 * @property {string} key
 * @property {'message' | 'point' | 'end' | State} kind
 * @property {number} depth
 * @property {string} parent key of the enclosing compression; empty in the conversation itself
 * @property {Level} level
 * @property {number} index in the level's messages
 * @property {Point} [point] of a `point`, and of the `end` and state rows after it
 */

/** @typedef {{ key: string, path: Path | undefined, number: number, text: string }} Prompt `number` counts from 1 */
/** The compressions that contain a message, innermost first. @typedef {{ key: string, outer: Path | undefined }} Path */

/**
 * Result of reading a batch from the archive.
 * @typedef {{ messages: unknown } | 'loading' | 'failed' | 'foreign'} Fetched
 */

export class Outline {
  /** @type {Level} */
  #top = levels.levelOf([]);
  /** Keys of open compressions. @type {Set<string>} */ open = new Set();
  /** Results by batch. @type {Map<string, Fetched>} */ fetched = new Map();
  /** @type {WeakMap<readonly any[], { length: number, all: Contents[] }>} */ #contents = new WeakMap();
  /** Number of each opened compression, by key. @type {Map<string, number>} */ #places = new Map();
  /** True if an archive may be read. */ hasSource = false;
  /** @type {Row[]} */ rows = [];

  /** User messages, collapsed ones included, by key in conversation order. @type {Map<string, Prompt>} */
  prompts = new Map();

  /** @param {readonly any[]} messages */
  setMessages(messages) {
    this.#top = levels.levelOf(messages);
    this.#contents = new WeakMap();
    this.number();
    this.refresh();
  }

  /** Collects the prompts. O(messages). */
  number() {
    this.prompts = new Map();
    for (const { row, path } of this.walk()) {
      if (row.kind !== 'message') continue;
      const { role, text, isRepeated } = this.contentsOf(row);
      if (role !== 'user' || text.trim() === '' || isRepeated) continue;
      this.prompts.set(row.key, { key: row.key, path, number: this.prompts.size + 1, text });
    }
  }

  /** Not recursive: there may be ten thousand levels. */
  refresh() {
    this.rows = [];
    const around = new Set([this.#top.messages]);
    /** @type {{ level: Level, steps: Generator<Row, undefined>, end: Row | undefined }[]} */
    const stack = [{ level: this.#top, steps: this.#rowsIn(this.#top, '', 0), end: undefined }];
    for (let last = stack.at(-1); last !== undefined; last = stack.at(-1)) {
      const { value: row } = last.steps.next();
      if (row === undefined) {
        stack.pop();
        around.delete(last.level.messages);
        if (last.end !== undefined) this.rows.push(last.end);
        continue;
      }
      this.rows.push(row);
      const opened = row.kind === 'point' && this.open.has(row.key) ? this.opened(row, around) : undefined;
      if (opened === undefined) continue;
      if ('level' in opened) {
        around.add(opened.level.messages);
        stack.push({
          level: opened.level,
          steps: this.#rowsIn(opened.level, row.key, row.depth + 1),
          end: besides(row, 'end'),
        });
      } else this.rows.push(besides(row, 'damage' in opened ? 'damaged' : this.#stateOf(opened.missing)));
    }
  }

  /** @param {Batch} batch @returns {State} */
  #stateOf(batch) {
    if (!this.hasSource) return 'archive';
    const fetched = this.fetched.get(keyOfBatch(batch));
    return typeof fetched === 'string' ? fetched : 'loading';
  }

  /** @param {{ level: Level, index: number }} row @returns {Contents} */
  contentsOf({ level, index }) {
    return /** @type {Contents} */ (this.#contentsIn(level)[index]);
  }

  /** @param {Level} level */
  #contentsIn({ messages }) {
    const known = this.#contents.get(messages);
    if (known !== undefined && known.length === messages.length) return known.all;
    const all = contents.contentsOf(messages);
    this.#contents.set(messages, { length: messages.length, all });
    return all;
  }

  /** @param {Row} row a point @param {ReadonlySet<readonly any[]>} [around] @returns {import('../../lib/history/level.js').Opened | undefined} */
  opened({ level, index }, around) {
    return levels.openLevel(level, index, this.#originalsOf, around);
  }

  /** @param {Batch} batch */
  #originalsOf = (batch) => {
    const fetched = this.fetched.get(keyOfBatch(batch));
    return typeof fetched === 'object' ? fetched : undefined;
  };

  /** Archived batches that were not fetched yet. @returns {Batch[]} */
  missingBatches() {
    const missing = [];
    for (const { row } of this.walk()) {
      const batch = row.kind === 'point' ? this.missing(row) : undefined;
      if (batch !== undefined) missing.push(batch);
    }
    return missing;
  }

  get totals() {
    return totals.totalsOf(this.#top.messages, this.#originalsOf);
  }

  /** The batch to fetch before the row can be opened. @param {Row} row @returns {Batch | undefined} */
  missing(row) {
    const opened = this.opened(row);
    return opened !== undefined && 'missing' in opened ? opened.missing : undefined;
  }

  /**
   * All messages in order, collapsed ones included. A list that several records share is visited once.
   * @returns {Generator<{ row: Row, path: Path | undefined }>}
   */
  *walk() {
    const seen = new Set();
    const stack = [{ rows: this.#rowsIn(this.#top, '', 0), path: /** @type {Path | undefined} */ (undefined) }];
    for (let last = stack.at(-1); last !== undefined; last = stack.at(-1)) {
      const next = last.rows.next();
      if (next.done) {
        stack.pop();
        continue;
      }
      const row = next.value;
      yield { row, path: last.path };
      if (row.kind !== 'point') continue;
      const opened = this.opened(row);
      if (opened === undefined || !('level' in opened) || seen.has(opened.level.messages)) continue;
      seen.add(opened.level.messages);
      stack.push({
        rows: this.#rowsIn(opened.level, row.key, row.depth + 1),
        path: { key: row.key, outer: last.path },
      });
    }
  }

  /** @param {Level} level @param {string} parent @param {number} depth @returns {Generator<Row, undefined>} */
  *#rowsIn(level, parent, depth) {
    // A path as key would get long with ten thousand nested levels.
    const place = this.#places.get(parent) ?? this.#places.size;
    this.#places.set(parent, place);
    const ids = new Set();
    for (let index = 0; index < level.messages.length; index++) {
      const point = points.pointOf(level.messages[index]);
      const row = { depth, parent, level, index };
      if (point === undefined) yield { key: `${place}/${index}`, kind: 'message', ...row };
      else {
        // With its id as key a compression stays open when messages before it are removed. Ids may repeat.
        const name = point.id === null || ids.has(point.id) ? String(index) : `p:${plainName(point.id)}`;
        ids.add(point.id);
        yield { key: `${place}/${name}`, kind: 'point', ...row, point };
      }
    }
    return undefined;
  }
}

/** A row of an open compression that isn't a message. @param {Row} row @param {'end' | State} kind @returns {Row} */
function besides({ key, depth, level, point }, kind) {
  return { key: `${key}!${kind}`, kind, depth, parent: key, level, index: -1, ...(point && { point }) };
}

/** Removes the separators of keys from an id. @param {string} id */
function plainName(id) {
  return id.replace(/[^\w-]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}.`);
}

/** @param {Batch} batch */
export function keyOfBatch({ sessionId, id }) {
  return JSON.stringify([sessionId, id]);
}
