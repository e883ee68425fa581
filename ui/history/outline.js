// @ts-check
/**
 * The visible rows: messages and, after each open compression, its originals. A point is the summary or notice that a
 * compression left. A level is a list of messages: the conversation, or a point's originals, which an archive stores
 * as a batch.
 * @typedef {import('../../lib/history/levels.js').Level} Level
 * @typedef {import('../../lib/history/levels.js').Batch} Batch
 * @typedef {import('../../lib/history/levels.js').Contents} Contents
 * @typedef {import('../../lib/history/point.js').Point} Point
 * @typedef {'archive' | 'foreign' | 'loading' | 'failed' | 'damaged'} State why the originals aren't shown
 * @typedef {object} Row
 * @property {string} key
 * @property {'message' | 'point' | 'end' | State} kind
 * @property {number} depth
 * @property {string} parent key of the enclosing compression; empty in the conversation itself
 * @property {Level} level
 * @property {number} index in the level's messages; -1 for an `end` or a state
 * @property {Point} [point] of a `point`, and of the `end` and state rows after it
 * @typedef {{ path: Path | undefined, number: number, line: string }} Prompt a user message: its number ≥ 1, first line
 * @typedef {{ key: string, outer: Path | undefined }} Path the compressions that contain a message, innermost first
 * @typedef {{ level: Level, rows: Generator<Row>, path: Path | undefined, end: Row | undefined }} OpenLevel
 * @typedef {{ messages: unknown } | 'loading' | 'failed' | 'foreign'} Fetched the result of reading a batch from the
 *   archive; `foreign`: its session may not be read
 */
import levels from '../../lib/history/levels.js';
import points from '../../lib/history/point.js';

export class Outline {
  /** The conversation. @type {Level} */ #conversation = levels.levelOf([]);
  /** Keys of open compressions. @type {Set<string>} */ openKeys = new Set();
  /** Results by batch. @type {Map<string, Fetched>} */ fetched = new Map();
  /** What messages say, by list of messages. @type {WeakMap<readonly any[], Contents[]>} */ #contents = new WeakMap();
  /** A short number for each compression that was opened, by its key. @type {Map<string, number>} */
  #levelNumbers = new Map();
  /** True if an archive may be read. */ hasSource = false;
  /** The visible rows. @type {Row[]} */ rows = [];
  /** User messages, collapsed ones included, by key in conversation order. @type {Map<string, Prompt>} */
  prompts = new Map();

  /** Sets the conversation. @param {readonly any[]} messages */
  setMessages(messages) {
    this.#conversation = levels.levelOf(messages);
    this.#contents = new WeakMap();
    this.collectPrompts();
    this.rebuildRows();
  }

  /** Updates `prompts`. O(messages). */
  collectPrompts() {
    this.prompts = new Map();
    for (const { row, path } of this.walk()) {
      if (row.kind !== 'message') continue;
      const { role, text, isRepeated } = this.contentsOf(row);
      if (role !== 'user' || isRepeated) continue;
      const [line = ''] = text.trim().split('\n', 1);
      if (line !== '') this.prompts.set(row.key, { path, number: this.prompts.size + 1, line });
    }
  }

  rebuildRows() {
    this.rows = [...this.#visit((row) => this.openKeys.has(row.key))].map(({ row }) => row);
  }

  /** What a row's message says. @param {Row} row @returns {Contents} */
  contentsOf({ level: { messages }, index }) {
    const known = this.#contents.get(messages);
    // The application may have added messages in place.
    const all = known?.length === messages.length ? known : levels.contentsOf(messages);
    this.#contents.set(messages, all);
    return /** @type {Contents} */ (all[index]);
  }

  /** @param {Row} point @param {ReadonlySet<readonly any[]>} [enclosing] lists that contain the point */
  #originalsOf({ level, index }, enclosing) {
    return levels.openLevel(level, index, this.#fetchedBatch, enclosing);
  }

  /** @param {Batch} batch */
  #fetchedBatch = (batch) => {
    const fetched = this.fetched.get(keyOfBatch(batch));
    return typeof fetched === 'object' ? fetched : undefined;
  };

  /** Archived batches that were not fetched yet. @returns {Batch[]} */
  missingBatches() {
    return [...this.walk()].flatMap(({ row }) => (row.kind === 'point' && this.missingBatch(row)) || []);
  }

  /** Counts of the whole conversation. */
  get totals() {
    return levels.totalsOf(this.#conversation.messages, this.#fetchedBatch);
  }

  /** The batch to fetch before the point can be opened. @param {Row} point @returns {Batch | undefined} */
  missingBatch(point) {
    const originals = this.#originalsOf(point);
    return originals !== undefined && 'missing' in originals ? originals.missing : undefined;
  }

  /** All messages in order, collapsed ones included. A list that several records share is visited once. */
  *walk() {
    for (const visited of this.#visit(() => true, new Set())) if (visited.row.index >= 0) yield visited;
  }

  /**
   * All rows in order, with those of open points. Not recursive: there may be ten thousand levels.
   * @param {(point: Row) => boolean} isOpen @param {Set<readonly any[]>} [seen] messages that are visited once only
   * @returns {Generator<{ row: Row, path: Path | undefined }>}
   */
  *#visit(isOpen, seen) {
    const enclosing = new Set([this.#conversation.messages]);
    const rows = this.#rowsIn(this.#conversation, '', 0);
    /** The levels that contain the current row, the innermost last. @type {OpenLevel[]} */
    const stack = [{ level: this.#conversation, rows, path: undefined, end: undefined }];
    for (let innermost = stack.at(-1); innermost !== undefined; innermost = stack.at(-1)) {
      const { path, end } = innermost;
      const { value: row } = innermost.rows.next();
      if (row === undefined) {
        stack.pop();
        enclosing.delete(innermost.level.messages);
        if (end !== undefined) yield { row: end, path };
        continue;
      }
      yield { row, path };
      const originals = row.kind === 'point' && isOpen(row) ? this.#originalsOf(row, enclosing) : undefined;
      if (originals === undefined) continue;
      if (!('level' in originals)) {
        const fetched = 'missing' in originals ? this.fetched.get(keyOfBatch(originals.missing)) : 'damaged';
        const state = typeof fetched === 'string' ? fetched : 'loading';
        yield { row: edgeRow(row, 'missing' in originals && !this.hasSource ? 'archive' : state), path };
        continue;
      }
      const { level } = originals;
      if (seen?.has(level.messages)) continue;
      seen?.add(level.messages);
      enclosing.add(level.messages);
      const rows = this.#rowsIn(level, row.key, row.depth + 1);
      stack.push({ level, rows, path: { key: row.key, outer: path }, end: edgeRow(row, 'end') });
    }
  }

  /** @param {Level} level @param {string} parent @param {number} depth @returns {Generator<Row>} */
  *#rowsIn(level, parent, depth) {
    // The keys of all enclosing compressions would be long with ten thousand nested levels; a number is not.
    const number = this.#levelNumbers.get(parent) ?? this.#levelNumbers.size;
    this.#levelNumbers.set(parent, number);
    const ids = new Set();
    for (let index = 0; index < level.messages.length; index++) {
      const point = points.pointOf(level.messages[index]);
      const row = { depth, parent, level, index };
      if (point === undefined) yield { key: `${number}/${index}`, kind: 'message', ...row };
      else {
        // With its id as key a compression stays open when messages before it are removed. Ids may repeat.
        const isOwnId = point.id !== null && !ids.has(point.id);
        // Without the separators of keys.
        const plainId = point.id?.replace(/[^\w-]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}.`);
        ids.add(point.id);
        yield { key: `${number}/${isOwnId ? `p:${plainId}` : index}`, kind: 'point', ...row, point };
      }
    }
  }
}

/** The row after a point's originals, or instead. @param {Row} point @param {Row['kind']} kind @returns {Row} */
function edgeRow({ key, depth, level, point }, kind) {
  return { key: `${key}!${kind}`, kind, depth, parent: key, level, index: -1, ...(point && { point }) };
}

/** Key of a batch in `fetched`. @param {Batch} batch */
export function keyOfBatch({ sessionId, id }) {
  return JSON.stringify([sessionId, id]);
}
