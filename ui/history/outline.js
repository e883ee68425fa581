// @ts-check
import contents from '../../lib/history/contents.js';
import levels from '../../lib/history/level.js';
import points from '../../lib/history/point.js';
import totals from '../../lib/history/totals.js';

/**
 * Which rows of a conversation are shown: its messages, and behind each compression that is open the messages that it stands for,
 * level within level.
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
 * @property {string} parent key of the compression that it is behind; empty for the conversation itself
 * @property {Level} level
 * @property {number} index in the level's messages
 * @property {Point} [point] of a `point`, and of what is behind it
 */

/** @typedef {{ key: string, path: Path | undefined, number: number, text: string }} Prompt `number` counts from 1 */
/** The compressions that a message is behind, from the innermost on. @typedef {{ key: string, outer: Path | undefined }} Path */

/** What an archive gave for a batch, or that it is being asked, or has failed. @typedef {{ messages: unknown } | 'loading' | 'failed' | 'foreign'} Fetched */

export class Outline {
  /** @type {Level} */
  #top = levels.levelOf([]);
  /** Keys of the compressions that are open. @type {Set<string>} */
  open = new Set();
  /** By batch. @type {Map<string, Fetched>} */
  fetched = new Map();
  /** @type {WeakMap<readonly any[], { length: number, all: Contents[] }>} */
  #contents = new WeakMap();
  /** A number for each compression that was looked behind, by key. @type {Map<string, number>} */
  #places = new Map();
  /** Whether there is an archive that may be asked. */
  hasSource = false;
  /** @type {Row[]} */
  rows = [];

  /** By key, what the user wrote in the order of the conversation, folded away or not. @type {Map<string, Prompt>} */
  prompts = new Map();

  /** @param {readonly any[]} messages */
  setMessages(messages) {
    this.#top = levels.levelOf(messages);
    this.#contents = new WeakMap();
    this.number();
    this.refresh();
  }

  /** Works out the prompts: messages came, also from an archive. O(messages). */
  number() {
    this.prompts = new Map();
    for (const { row, path } of this.walk()) {
      if (row.kind !== 'message') continue;
      const { role, text, isRepeated } = this.contentsOf(row);
      if (role !== 'user' || text.trim() === '' || isRepeated) continue;
      this.prompts.set(row.key, { key: row.key, path, number: this.prompts.size + 1, text });
    }
  }

  /** Works out the rows. No recursion: there may be ten thousand levels. */
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
      const behind = row.kind === 'point' && this.open.has(row.key) ? this.opened(row, around) : undefined;
      if (behind === undefined) continue;
      if ('level' in behind) {
        around.add(behind.level.messages);
        stack.push({
          level: behind.level,
          steps: this.#rowsIn(behind.level, row.key, row.depth + 1),
          end: besides(row, 'end'),
        });
      } else this.rows.push(besides(row, 'damage' in behind ? 'damaged' : this.#stateOf(behind.missing)));
    }
  }

  /** @param {Batch} batch @returns {State} */
  #stateOf(batch) {
    if (!this.hasSource) return 'archive';
    const fetched = this.fetched.get(keyOfBatch(batch));
    return typeof fetched === 'string' ? fetched : 'loading';
  }

  /** What the row's message says. @param {{ level: Level, index: number }} row @returns {Contents} */
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
    return levels.opened(level, index, this.#given, around);
  }

  /** What the archive gave. @param {Batch} batch */
  #given = (batch) => {
    const fetched = this.fetched.get(keyOfBatch(batch));
    return typeof fetched === 'object' ? fetched : undefined;
  };

  /** All batches that aren't there, whatever is open. @returns {Batch[]} */
  missingBatches() {
    const missing = [];
    for (const { row } of this.walk()) {
      const batch = row.kind === 'point' ? this.missing(row) : undefined;
      if (batch !== undefined) missing.push(batch);
    }
    return missing;
  }

  get totals() {
    return totals.totalsOf(this.#top.messages, this.#given);
  }

  /** The batch that opening the row takes, where it isn't there yet. @param {Row} row @returns {Batch | undefined} */
  missing(row) {
    const opened = this.opened(row);
    return opened !== undefined && 'missing' in opened ? opened.missing : undefined;
  }

  /**
   * Every message there is, open or not, in the order of the conversation, with the compressions that it is behind. A list that several
   * records share is walked once.
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
    // Keys within keys within keys would be long: ten thousand levels are.
    const place = this.#places.get(parent) ?? this.#places.size;
    this.#places.set(parent, place);
    const ids = new Set();
    for (let index = 0; index < level.messages.length; index++) {
      const point = points.pointOf(level.messages[index]);
      const row = { depth, parent, level, index };
      if (point === undefined) yield { key: `${place}/${index}`, kind: 'message', ...row };
      else {
        // By id, so that it stays open when messages before it go; by place where an id comes twice.
        const name = point.id === null || ids.has(point.id) ? String(index) : `p:${plainName(point.id)}`;
        ids.add(point.id);
        yield { key: `${place}/${name}`, kind: 'point', ...row, point };
      }
    }
    return undefined;
  }
}

/** What stands behind an open compression that is no message. @param {Row} row @param {'end' | State} kind @returns {Row} */
function besides({ key, depth, level, point }, kind) {
  return { key: `${key}!${kind}`, kind, depth, parent: key, level, index: -1, ...(point && { point }) };
}

/** Without what parts keys. @param {string} id */
function plainName(id) {
  return id.replace(/[^\w-]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}.`);
}

/** @param {Batch} batch */
export function keyOfBatch({ sessionId, id }) {
  return JSON.stringify([sessionId, id]);
}
