// @ts-check
'use strict';

const { copyOfList } = require('../lists.js');
const { copyWith } = require('../messages/message-fields.js');
const { textMessage } = require('../messages/message-content.js');
const native = require('../native.js');
const { once } = require('../once.js');
const { repeatedCopy, withoutUsage } = require('./copies.js');
const { originalsIn } = require('./flat-originals.js');
const { isPinnedCopy, recordIdsIn } = require('./record.js');

/**
 * @typedef {import('../../binding.js').HistoryEdit} HistoryEdit
 * @typedef {{ next: any[], made: any }} Edited `next`: the messages after the edit; `made`: the new summary or notice, if any
 */

const usageFields = once(() => native.usageStatisticsNames());

/** Applies the core's edits to copies of messages. */
class Edits {
  #window;
  #dialect;

  /** @param {InstanceType<typeof import('./window.js').Window>} window @param {import('../messages/choice.js').Forced} dialect */
  constructor(window, dialect) {
    this.#window = window;
    this.#dialect = dialect;
  }

  /**
   * Replaces `range` with a summary: `[system…, pinned…, summary, carried…, …recent]`.
   * @param {readonly any[]} messages @param {number} start of the range now @param {readonly any[]} range
   * @param {HistoryEdit} edit @param {number} now @returns {Edited}
   */
  applySummary(messages, start, range, edit, now) {
    const made = this.#newMessage(edit, range, { conversation: range, now });
    const kept = (/** @type {any} */ message) => this.stripUsage(message);
    const repeated = (/** @type {number[]} */ indices, /** @type {boolean} */ isCarried) =>
      indices.map((index) => this.#repeated(kept(range[index - edit.start]), edit, isCarried));
    const next = [
      ...copyOfList(messages, 0, start).map(kept),
      ...repeated(edit.pinned, false),
      made,
      ...repeated(edit.carried, true),
      ...copyOfList(messages, start + range.length).map(kept),
    ];
    return { next, made };
  }

  /**
   * Removes the dropped messages, inserts a notice, and replaces shortened messages.
   * @param {readonly any[]} messages @param {ReadonlyMap<number, any>} shortened by index
   * @param {HistoryEdit} edit @param {number} now @returns {Edited}
   */
  applyCut(messages, shortened, edit, now) {
    const { noticeAt, start, end } = edit;
    const dropped = droppedBy(edit);
    const ids = recordIdsIn(messages);
    const made =
      noticeAt === undefined
        ? undefined
        : this.#newMessage(edit, messages.slice(start, end), { conversation: messages, now });
    /** @type {any[]} */ const next = [];
    for (let index = 0; index <= messages.length; index++) {
      if (made !== undefined && index === noticeAt) next.push(made);
      if (index === messages.length || dropped.has(index)) continue;
      const kept = shortened.get(index) ?? this.stripUsage(messages[index]);
      const isInside = made !== undefined && index >= start && index < end;
      if (!isInside) next.push(kept);
      // The message stays although it is also among the notice's originals.
      else next.push(this.#repeated(kept, edit, !isPinnedCopy(kept, ids)));
    }
    return { next, made };
  }

  /** @param {any} message @param {HistoryEdit} edit @param {boolean} isCarried */
  #repeated(message, { id }, isCarried) {
    return this.#withCount(repeatedCopy(message, id, isCarried), message);
  }

  /** Removes usage figures, because they describe the history before the edit. @param {any} message */
  stripUsage(message) {
    return this.#withCount(withoutUsage(message, usageFields()), message);
  }

  /** Gives a copy the token count of its message. @param {any} copy @param {any} message */
  #withCount(copy, message) {
    if (copy !== message) this.#window.memo.reuseFor(copy, message);
    return copy;
  }

  /**
   * The summary or notice with its record, in the dialect of the surrounding messages.
   * @param {HistoryEdit} edit @param {readonly any[]} range @param {{ conversation: readonly any[], now: number }} where
   */
  #newMessage({ content, record, tokens }, range, { conversation, now }) {
    const text = textMessage(content, { conversation, now, forced: this.#dialect });
    const compression = { ...JSON.parse(record), ...originalsIn(range) };
    const made = copyWith(text, [], { isCompressed: true, compressedAt: now, compression });
    this.#window.memo.set(made, tokens);
    return made;
  }
}

/** Indices of the dropped messages. @param {HistoryEdit} edit */
function droppedBy({ dropped }) {
  const indices = new Set();
  for (const { start, end } of dropped) for (let index = start; index < end; index++) indices.add(index);
  return indices;
}

module.exports = { Edits };
