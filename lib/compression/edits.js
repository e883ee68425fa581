// @ts-check
'use strict';

const { copyOfList } = require('../lists.js');
const { copyWith, withoutFields } = require('../messages/message-fields.js');
const { textMessage } = require('../messages/message-content.js');
const native = require('../native.js');
const { once } = require('../once.js');
const { safely } = require('../plain-data.js');
const { originalsIn } = require('./record-originals.js');
const { isPinnedCopy, recordIdsIn, repeatedCopy, withChanges } = require('./record.js');
const { dialectOrChat } = require('../messages/choice.js');
const { cutTexts } = require('../messages/parts.js');
const { countOf, readMessage } = require('../tokens/message.js');

/**
 * @typedef {import('../../binding.js').HistoryEdit} HistoryEdit
 * @typedef {{ next: any[], made: any }} Edited `next`: the messages after the edit; `made`: the new summary or notice, if any
 */

const usageFields = once(() => native.usageStatisticsNames());

/** Applies the core's edits to copies of messages: a summary that replaces messages, or a cut at the hard limit. */
class Edits {
  #window;
  #dialect;

  /** @param {InstanceType<typeof import('./window.js').Window>} window @param {import('../messages/choice.js').Forced} dialect */
  constructor(window, dialect) {
    this.#window = window;
    this.#dialect = dialect;
  }

  /**
   * `messages` may have changed since the edit was planned: `replaced` now begins at `start`, not at `edit.start`.
   * @param {readonly any[]} messages @param {number} start @param {readonly any[]} replaced @param {HistoryEdit} edit @param {number} now @returns {Edited}
   */
  applySummary(messages, start, replaced, edit, now) {
    const made = this.#newMessage(edit, replaced, replaced, now);
    const strip = (/** @type {any} */ message) => this.#withoutUsage(message);
    const repeated = (/** @type {number[]} */ indices, /** @type {boolean} */ isCarried) =>
      indices.map((index) => this.#repeated(strip(replaced[index - edit.start]), edit, isCarried));
    const next = [
      ...copyOfList(messages, 0, start).map(strip),
      ...repeated(edit.pinned, false),
      made,
      ...repeated(edit.carried, true),
      ...copyOfList(messages, start + replaced.length).map(strip),
    ];
    return { next, made };
  }

  /** @param {readonly any[]} messages @param {ReadonlyMap<number, any>} shortened by index @param {HistoryEdit} edit @param {number} now @returns {Edited} */
  applyCut(messages, shortened, edit, now) {
    const { noticeAt, start, end } = edit;
    const dropped = new Set();
    for (const range of edit.dropped) for (let index = range.start; index < range.end; index++) dropped.add(index);
    const ids = recordIdsIn(messages);
    const made = noticeAt === undefined ? undefined : this.#newMessage(edit, messages.slice(start, end), messages, now);
    /** @type {any[]} */ const next = [];
    for (let index = 0; index <= messages.length; index++) {
      if (made !== undefined && index === noticeAt) next.push(made);
      if (index === messages.length || dropped.has(index)) continue;
      const kept = shortened.get(index) ?? this.#withoutUsage(messages[index]);
      // A message that stays, and is also among the notice's originals.
      const isRepeated = made !== undefined && index >= start && index < end;
      next.push(isRepeated ? this.#repeated(kept, edit, !isPinnedCopy(kept, ids)) : kept);
    }
    return { next, made };
  }

  /** Cuts the texts to about `maxTokens`, format included. Images, calls and thinking stay; the core decides which part stays. @param {any} message @param {number} maxTokens */
  shorten(message, maxTokens) {
    const { model } = this.#window;
    const changed = safely(() => {
      const dialect = dialectOrChat(message, this.#dialect);
      /** @type {string[]} */ const texts = [];
      /** For each text, 1 if it is a tool's output. @type {number[]} */ const isOutputFlags = [];
      const emptied = cutTexts(message, dialect, (text, isOutput) => {
        texts.push(text);
        isOutputFlags.push(Number(isOutput));
        return '';
      });
      const withoutTexts = readMessage(copyWith(message, [], emptied), this.#dialect);
      const tokensForTexts = maxTokens - countOf(model, withoutTexts, Number.POSITIVE_INFINITY);
      const cutOrNull = model.shortenTexts(texts, Float64Array.from(isOutputFlags), tokensForTexts);
      if (cutOrNull.every((text) => text === null)) return message;
      let next = 0;
      const cut = cutTexts(message, dialect, (text) => cutOrNull[next++] ?? text);
      return withChanges(message, cut);
    });
    return this.#withoutUsage(changed ?? message);
  }

  /** @param {any} message @param {HistoryEdit} edit @param {boolean} isCarried the next compression removes it */
  #repeated(message, { id }, isCarried) {
    const copy = repeatedCopy(message, id, isCarried);
    this.#window.memo.reuseFor(copy, message);
    return copy;
  }

  /** The message without usage figures, because they describe the history before the edit. @param {any} message */
  #withoutUsage(message) {
    const copy = safely(() => {
      const changes = withoutFields(message, usageFields());
      return Object.keys(changes).length === 0 ? message : withChanges(message, changes);
    });
    if (copy === undefined || copy === message) return message;
    this.#window.memo.reuseFor(copy, message);
    return copy;
  }

  /** With its record, in the dialect of `conversation`. @param {HistoryEdit} edit @param {readonly any[]} originals @param {readonly any[]} conversation @param {number} now */
  #newMessage({ content, record, tokens }, originals, conversation, now) {
    const text = textMessage(content, { conversation, now, forced: this.#dialect });
    const compression = { ...JSON.parse(record), ...originalsIn(originals) };
    const made = copyWith(text, [], { isCompressed: true, compressedAt: now, compression });
    this.#window.memo.set(made, tokens);
    return made;
  }
}

module.exports = { Edits };
