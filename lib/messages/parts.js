// @ts-check
'use strict';

const { PLAIN } = require('./contents.js');

/**
 * The parts of a message in their order, as its dialect's `read` names them. Rows, counts, quotations and cuts are made of them.
 *
 * @typedef {'system' | 'user' | 'assistant' | 'tool' | 'other'} Role
 * @typedef {import('./cut-texts.js').Shorter} Shorter
 *
 * `at` is the place in the message's list of parts, and −1 for the message as a whole. Of a call, `settled` says that it needs
 * no result right away, `said` what is said of one that the provider answers, `isUnnamed` that its id is ours, `alias` is another id
 * that results may name.
 * @typedef {{ id: unknown, alias?: unknown, name: unknown, arguments: unknown, at: number, settled?: boolean, said?: unknown[], isUnnamed?: boolean }} Call
 *
 * `id` is that of the call, as the result says it; `name` the tool's, where that may stand for an id. The provider runs some
 * tools itself. `failed` is the dialect's own mark.
 * @typedef {{ id: unknown, name?: unknown, held: any, at: number, failed: boolean, isProviders?: boolean }} Result
 *
 * How a dialect's results are read: what rules see of `held`, which text alone that is, what is counted and said of it, or said
 * otherwise, and the part, or what the message's `field` holds, with shorter texts.
 * @typedef {{
 *   look: (held: any) => import('./contents.js').Seen | undefined, textIn?: (held: any) => unknown,
 *   content: (held: any) => unknown, said?: (held: any) => unknown, cut?: (holder: any, shorter: Shorter) => any, field?: string,
 * }} ResultForm
 *
 * A `part` is a text, an image, thinking …; a `content` a text or a list of parts that is all that a field has.
 * @typedef {{ kind: 'part', content: any, at: number }} ContentPart
 * @typedef {{ kind: 'content', content: any, field: string, isOutput: boolean }} Content
 * @typedef {{ kind: 'counted', content: any } | { kind: 'said' | 'mark', content: any } | { kind: 'interruption' }} Aside
 * @typedef {{ kind: 'call' } & Call} CallPart
 * @typedef {{ kind: 'result', form: ResultForm } & Result} ResultPart
 * @typedef {ContentPart | Content | Aside | CallPart | ResultPart} Part
 */
class Parts {
  constructor() {
    /** @type {Part[]} */ this.all = [];
    /** @type {Role} */ this.role = 'other';
    /** Whether it begins the model's turn, or goes on with it. */
    this.isTurn = false;
    /** The provider wants it back unchanged, with the turn that it began. */
    this.hasThinking = false;
    /** The provider rejects it without the message before it. */
    this.isJoined = false;
    /** An answer of the model's consists of several messages like this. */
    this.isItem = false;
    /** Some calls are elsewhere, with the provider. */
    this.hasReferences = false;
    /** How many results no rule can replace: the provider keeps them, or wants them as they were. */
    this.fixed = 0;
    /** Which field has the list that parts are in. */
    this.field = 'content';
    /** @type {readonly any[]} */ this.list = [];
  }

  /** @param {Role} role */
  by(role, isTurn = role === 'assistant') {
    this.role = role;
    this.isTurn = isTurn;
  }

  /** @param {string} field @param {readonly any[]} list @param {(part: any, at: number) => void} take */
  each(field, list, take) {
    this.field = field;
    this.list = list;
    for (let at = 0; at < list.length; at++) take(list[at], at);
  }

  /** @param {any} content @param {number} [at] none where it can't be cut */
  part(content, at = -1) {
    this.all.push({ kind: 'part', content, at });
  }

  /** @param {any} content @param {string} [field] @param {boolean} [isOutput] a tool has written it */
  content(content, field = 'content', isOutput = false) {
    this.all.push({ kind: 'content', content, field, isOutput });
  }

  /** A content that only counts or is only said; a `mark` names what words can't say, such as an image. @param {'counted' | 'said' | 'mark'} kind @param {any} content */
  only(kind, content) {
    this.all.push({ kind, content });
  }

  /** Notes that somebody speaks who is neither the model nor one of its tools. */
  interrupt() {
    this.all.push({ kind: 'interruption' });
  }

  /** @param {Call} call */
  call({ id, alias, name, arguments: given, at, settled = false, said }) {
    this.all.push({ kind: 'call', id, alias, name, arguments: given, at, settled, said, isUnnamed: false });
  }

  /** @param {Result} result @param {ResultForm} [form] */
  result({ id, name, held, at, failed, isProviders = false }, form = PLAIN) {
    this.all.push({ kind: 'result', id, name, held, at, failed, isProviders, form });
  }
}

/** @param {any} message @param {import('./dialect.js').Dialect} dialect that reads it */
function partsOf(message, dialect) {
  const parts = new Parts();
  dialect.read(message, parts);
  return parts;
}

module.exports = { Parts, partsOf };
