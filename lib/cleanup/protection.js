// @ts-check
'use strict';

const { checkLength } = require('../arguments.js');
const { pairingsOf } = require('../compression/message-columns.js');
const { wrongType } = require('../errors.js');
const { deliverLog, isLogWanted } = require('../log.js');
const native = require('../native.js');
const { ignoreRejection, isAsyncFunction } = require('../callbacks.js');

/** @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation */

/** Results that the application protects from all rules: by result, by message, or by the id of either. */
class Protection {
  /** The option `protect`. */ #protect;
  /** The option `pin`, if it is a function. */ #pin;
  /** The option `pin`, if it is a list. */ #ids;

  /** @param {{ protect?: unknown, pin?: unknown }} options */
  constructor({ protect, pin }) {
    this.#protect = functionFrom('options.protect', protect, 'a function');
    const isList = Array.isArray(pin);
    if (isList) checkLength('options.pin', pin);
    const ids = isList ? [...pin] : [];
    const invalid = ids.findIndex((id) => typeof id !== 'string' || id === '');
    if (invalid >= 0) throw wrongType(`options.pin[${invalid}]`, 'the id of a message or a call', ids[invalid]);
    this.#ids = new Set(ids);
    this.#pin = isList ? null : functionFrom('options.pin', pin, 'a function, or an array of ids');
  }

  /** `pin` in the form that compression takes; undefined if nothing is pinned. @returns {((message: any) => unknown) | undefined} */
  get pin() {
    const ids = this.#ids;
    if (ids.size === 0) return this.#pin ?? undefined;
    return (message) =>
      ids.has(message?.id) || pairingsOf([message]).some(({ answers }) => answers.some((id) => ids.has(id)));
  }

  /**
   * True if the result in `row` must stay. The application's functions are called once for each content.
   * @param {Conversation} conversation @param {number} row @param {Answers} answers
   */
  covers(conversation, row, answers) {
    if (this.#protect === null && this.#pin === null && this.#ids.size === 0) return false;
    const { transcript, table } = conversation;
    const content = transcript.contents[row] ?? '';
    const cached = answers.get(row);
    if (cached !== undefined && cached.content === content) return cached.isProtected;
    const index = table.messageOf(row);
    const message = /** @type {any} */ (table.objects[index]);
    const id = transcript.ids[row];
    const toolName = String(transcript.calls.names[answeredCall(row, transcript)] ?? '');
    const hasId = typeof id === 'string' && !(/** @type {any} */ (table.rows[row]).isMatchedByName);
    const result = { toolCallId: hasId ? id : '', toolName, content, message, index };
    const isProtected =
      this.#ids.has(id) ||
      this.#ids.has(message?.id) ||
      (transcript.numbering.hasAliases && [...this.#ids].some((pinned) => transcript.numbering.areSame(pinned, id))) ||
      isProtectedBy('pin', this.#pin, message, toolName) ||
      isProtectedBy('protect', this.#protect, result, toolName);
    answers.set(row, { content, isProtected });
    return isProtected;
  }
}

/**
 * The call that the result in `row` answers: the nearest one before it with the same id, else the first one after it; −1 if there is none.
 * Some agents use an id again in every turn.
 * @param {number} row @param {Conversation['transcript']} transcript
 */
function answeredCall(row, { calls, ids, numbering }) {
  const isAnswered = (/** @type {unknown} */ id) => numbering.areSame(id, ids[row]);
  const earlier = calls.before(row);
  for (let call = earlier - 1; call >= 0; call--) if (isAnswered(calls.ids[call])) return call;
  return calls.ids.findIndex((id, call) => call >= earlier && isAnswered(id));
}

/** For each row, the application's answer and the content it was about. @typedef {Map<number, { content: string, isProtected: boolean }>} Answers */

/** @param {string} label @param {unknown} value @param {string} expected @returns {((about: any) => unknown) | null} */
function functionFrom(label, value, expected) {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'function') throw wrongType(label, expected, value);
  if (isAsyncFunction(value)) throw wrongType(label, 'a function that answers at once', value);
  return /** @type {(about: any) => unknown} */ (value);
}

/** True if the function returns a truthy value or a promise, or throws. @param {string} option @param {((about: any) => unknown) | null} ask @param {any} about @param {string} tool */
function isProtectedBy(option, ask, about, tool) {
  if (ask === null) return false;
  try {
    const answer = ask(about);
    const isPromise = ignoreRejection(answer);
    if (!isPromise) return Boolean(answer);
  } catch {
    // The error may contain the result's text, which must not be logged.
  }
  isLogWanted();
  native.noteUnanswered(option, tool);
  deliverLog();
  return true;
}

module.exports = { Protection };
