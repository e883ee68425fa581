// @ts-check
'use strict';

const { numbersOf, readMessage } = require('./message.js');

/** Messages at the end by which a conversation is found again: hosts often append one that isn't stored. */
const LOOK_BACK = 16;

/** A message as it was when it was counted. */
class Counted {
  /** @param {any} message @param {number} tokens @param {readonly string[]} texts */
  constructor(message, tokens, texts) {
    this.message = message;
    this.tokens = tokens;
    this.content = message.content;
    this.calls = message.tool_calls;
    this.reasoning = message.reasoning_content;
    /** Of what lies deeper than the fields: compared text by text, since hosts replace arguments in place. */
    this.texts = typeof this.content === 'object' || this.calls !== undefined ? texts : null;
  }

  /** Whether the message still has what was counted. @param {any} message */
  holds(message) {
    if (
      message.content !== this.content ||
      message.tool_calls !== this.calls ||
      message.reasoning_content !== this.reasoning
    ) {
      return false;
    }
    return this.texts === null || this.#sameTexts(message, this.texts);
  }

  /** @param {any} message @param {readonly string[]} texts */
  #sameTexts(message, texts) {
    // The usual message with calls has nothing else that lies deeper; its texts end with the calls'.
    if (typeof message.content === 'object' && message.content !== null) {
      return sameStrings(readMessage(message).texts, texts);
    }
    const { calls } = this;
    if (!Array.isArray(calls)) return true;
    let at = texts.length - 1;
    for (let index = calls.length - 1; index >= 0; index--) {
      const declared = calls[index]?.function;
      if (declared === undefined) continue;
      if (typeof declared.arguments === 'string' && declared.arguments !== texts[at--]) return false;
      if (typeof declared.name === 'string' && declared.name !== texts[at--]) return false;
    }
    return true;
  }
}

/** @param {readonly string[]} a @param {readonly string[]} b */
function sameStrings(a, b) {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}

/**
 * Counts of messages that were counted before. An agent counts before every request, with an array that only
 * grew: looking each message up would cost more than comparing it with its place in the last array.
 */
class CountMemo {
  /** @param {InstanceType<typeof import('../native.js').TokenModel>} model */
  constructor(model) {
    this.model = model;
    /** @type {WeakMap<object, Counted>} */ this.byMessage = new WeakMap();
    /** Conversations by their last message, which keeps them alive. @type {WeakMap<object, Counted[]>} */
    this.columns = new WeakMap();
  }

  /**
   * The conversation that `messages` continue; empty when there is none.
   * @param {readonly unknown[]} messages
   * @returns {(Counted | undefined)[]}
   */
  conversation(messages) {
    const stop = Math.max(0, messages.length - LOOK_BACK);
    for (let index = messages.length - 1; index >= stop; index--) {
      const message = messages[index];
      const found = typeof message === 'object' && message !== null ? this.columns.get(message) : undefined;
      if (found !== undefined) return found;
    }
    return [];
  }

  /**
   * Notes that `column` has the counts of `messages`.
   * @param {readonly unknown[]} messages
   * @param {(Counted | undefined)[]} column
   */
  remember(messages, column) {
    column.length = messages.length;
    const last = messages[messages.length - 1];
    if (typeof last === 'object' && last !== null) this.columns.set(last, /** @type {Counted[]} */ (column));
  }

  /**
   * Tokens of `messages[index]`, not rounded; counts it when it is new or has changed.
   * @param {readonly any[]} messages
   * @param {number} index
   * @param {(Counted | undefined)[]} column the conversation's
   * @returns {number}
   */
  tokensAt(messages, index, column) {
    try {
      const message = messages[index];
      const known = column[index];
      if (known !== undefined && known.message === message && known.holds(message)) return known.tokens;
      const counted = this.count(message);
      column[index] = counted;
      return counted === undefined ? this.model.countMessage([], [], numbersOf(readMessage(null))) : counted.tokens;
    } catch {
      // A getter or proxy throws: what could be read is counted, and nothing remembered.
      column[index] = undefined;
      return this.measure(safely(() => messages[index])).tokens;
    }
  }

  /** @param {any} message @returns {Counted | undefined} nothing for what is no object */
  count(message) {
    if (typeof message !== 'object' || message === null) return undefined;
    const known = this.byMessage.get(message);
    if (known?.holds(message)) return known;
    const { tokens, texts } = this.measure(message);
    const counted = new Counted(message, tokens, texts);
    this.byMessage.set(message, counted);
    return counted;
  }

  /** @param {unknown} message */
  measure(message) {
    const found = readMessage(message);
    return { tokens: this.model.countMessage(found.texts, found.images, numbersOf(found)), texts: found.texts };
  }
}

/** @template T @param {() => T} read @returns {T | undefined} */
function safely(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

module.exports = { CountMemo };
