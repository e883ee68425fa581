// @ts-check
'use strict';

const { PLAIN } = require('./contents.js');

/**
 * The parts of a message in order, as its dialect's `read` reports them. Rows, counts, quotes and cuts are made from them.
 *
 * @typedef {'system' | 'user' | 'assistant' | 'tool' | 'other'} Role
 * @typedef {import('./cut-texts.js').Shorter} Shorter
 *
 * `at`: index in the message's list of parts, −1 for the whole message; `settled`: the call needs no result right away; `quoted`: what is quoted of a
 * call that the provider runs; `isUnnamed`: we made up the id; `alias`: another id that results may use.
 * @typedef {{ id: unknown, alias?: unknown, name: unknown, arguments: unknown, at: number, settled?: boolean, quoted?: unknown[], isUnnamed?: boolean }} Call
 *
 * `id`: the call's id in the result; `name`: the tool's name, if it replaces an id; `failed`: the dialect's own field; `isProviders`: the provider ran
 * the tool.
 * @typedef {{ id: unknown, name?: unknown, held: any, at: number, failed: boolean, isProviders?: boolean }} Result
 *
 * How a dialect's results are read. `read`: what rules see; `textIn`: the text alone, if there is nothing else; `content`: what is counted and quoted;
 * `quoted`: what is quoted, if it differs; `cut`: the part, or the value of the message's `field`, with shorter texts.
 * @typedef {{
 *   read: (held: any) => import('./contents.js').ResultText | undefined, textIn?: (held: any) => unknown,
 *   content: (held: any) => unknown, quoted?: (held: any) => unknown, cut?: (holder: any, shorter: Shorter) => any, field?: string,
 * }} ResultForm
 *
 * `part`: a text, an image, thinking …; `content`: a text or a list of parts, the whole value of a field.
 * @typedef {{ kind: 'part', content: any, at: number }} ContentPart
 * @typedef {{ kind: 'content', content: any, field: string, isOutput: boolean }} Content
 * @typedef {{ kind: 'counted', content: any } | { kind: 'quoted' | 'marker', content: any } | { kind: 'interruption' }} Aside
 * @typedef {{ kind: 'call' } & Call} CallPart
 * @typedef {{ kind: 'result', form: ResultForm } & Result} ResultPart
 * @typedef {ContentPart | Content | Aside | CallPart | ResultPart} Part
 */
class Parts {
  constructor() {
    /** @type {Part[]} */ this.all = [];
    /** @type {Role} */ this.role = 'other';
    /** True if it starts or continues the assistant's turn. */
    this.isTurn = false;
    /** The provider requires it unchanged, with the turn that it started. */
    this.hasThinking = false;
    /** The provider rejects it without the message before it. */
    this.isJoined = false;
    /** One of several messages that make up an assistant response. */
    this.isItem = false;
    /** Some calls are stored only by the provider. */
    this.hasReferences = false;
    /** Count of results that no rule can replace: the provider keeps them or requires them unchanged. */
    this.fixed = 0;
    /** Name of the field with the list of parts. */
    this.field = 'content';
    /** @type {readonly any[]} */ this.list = [];
  }

  /** @param {Role} role */
  setRole(role, isTurn = role === 'assistant') {
    this.role = role;
    this.isTurn = isTurn;
  }

  /** @param {string} field @param {readonly any[]} list @param {(part: any, at: number) => void} take */
  each(field, list, take) {
    this.field = field;
    this.list = list;
    for (let at = 0; at < list.length; at++) take(list[at], at);
  }

  /** @param {any} content @param {number} [at] index, −1 if it can't be cut */
  part(content, at = -1) {
    this.all.push({ kind: 'part', content, at });
  }

  /** @param {any} content @param {string} [field] @param {boolean} [isOutput] the content is a tool's output */
  content(content, field = 'content', isOutput = false) {
    this.all.push({ kind: 'content', content, field, isOutput });
  }

  /** Content that is only counted or quoted; a `marker` names an image or the like. @param {'counted' | 'quoted' | 'marker'} kind @param {any} content */
  add(kind, content) {
    this.all.push({ kind, content });
  }

  /** Records that someone other than the model and its tools speaks. */
  interrupt() {
    this.all.push({ kind: 'interruption' });
  }

  /** @param {Call} call */
  call({ id, alias, name, arguments: given, at, settled = false, quoted }) {
    this.all.push({ kind: 'call', id, alias, name, arguments: given, at, settled, quoted, isUnnamed: false });
  }

  /** @param {Result} result @param {ResultForm} [form] */
  result({ id, name, held, at, failed, isProviders = false }, form = PLAIN) {
    this.all.push({ kind: 'result', id, name, held, at, failed, isProviders, form });
  }
}

/** @param {any} message @param {import('./dialect.js').Dialect} dialect */
function partsOf(message, dialect) {
  const parts = new Parts();
  dialect.read(message, parts);
  return parts;
}

module.exports = { Parts, partsOf };
