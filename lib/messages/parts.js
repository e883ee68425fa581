// @ts-check
'use strict';

const { copyOfList, isList, wordsOf } = require('../lists.js');
const { PLAIN_RESULT, valueAsText } = require('./tool-result.js');

/**
 * The parts of a message in order, as its dialect's `read` reports them. Rows, counts, quotes and cuts are made from them.
 * @typedef {'system' | 'user' | 'assistant' | 'tool' | 'other'} Role
 * @typedef {(text: string, isOutput: boolean) => string} Shorten returns the shorter text; `isOutput`: the text is a tool's output
 *
 * A tool call. `alias`: another id that results may use; `at`: index in the message's list of parts, −1 for the whole message; `settled`: needs no
 * result right away; `quoted`: what is quoted of a call that the provider runs; `hasNoId`: this package made up the id.
 * @typedef {{ id: unknown, alias?: unknown, name: unknown, arguments: unknown, at: number, settled?: boolean, quoted?: unknown[], hasNoId?: boolean }} Call
 *
 * A tool result. `id`: that of its call; `name`: the tool's, if it replaces an id; `source`: the value from which a {@link ResultForm} reads the
 * content; `failed`: by the dialect's own field; `isProviders`: the provider ran the tool.
 * @typedef {{ id: unknown, name?: unknown, source: any, at: number, failed: boolean, isProviders?: boolean }} Result
 *
 * @typedef {object} ResultForm how a dialect's results are read from their `source`
 * @property {(source: any) => import('./tool-result.js').ResultText | undefined} read what rules see; undefined: the result is never replaced
 * @property {(source: any) => unknown} [textIn] the text alone, if there is nothing else
 * @property {(source: any) => unknown} content what is counted and quoted
 * @property {(source: any) => unknown} [quoted] what is quoted, if it differs
 * @property {(holder: any, shorten: Shorten) => any} [cut] with shorter texts: the part, or the value of the message's field
 * @property {string} [field] the message's field with the content, if the result is no part; by default `Parts.field`
 *
 * `part`: a text, an image, thinking …; `content`: a text or a list of parts, the whole value of a field; `interruption`: someone other than the model
 * and its tools speaks; `counted`, `quoted`: what is only that; `marker`: the name of an image or the like.
 * @typedef {{ kind: 'part', content: any, at: number } | { kind: 'content', content: any, field: string, isOutput: boolean }} Content
 * @typedef {{ kind: 'counted', content: any } | { kind: 'quoted' | 'marker', content: any } | { kind: 'interruption' }} OtherPart
 * @typedef {{ kind: 'result', form: ResultForm } & Result} ResultPart
 * @typedef {Content | OtherPart | ({ kind: 'call' } & Call) | ResultPart} Part
 */
class Parts {
  constructor() {
    /** @type {Part[]} */ this.all = [];
    /** @type {Role} */ this.role = 'other';
    /** True if the message starts or continues the assistant's turn. */ this.isAssistantTurn = false;
    /** The provider requires the message unchanged, with the turn that it started. */ this.hasThinking = false;
    /** The provider rejects the message without the one before it. */ this.needsPrevious = false;
    /** One of several messages that make up an assistant response. */ this.isResponseItem = false;
    /** OpenAI's `item_reference`: a call may be stored only by the provider. */ this.hasItemReferences = false;
    /** Count of results that the provider keeps or requires unchanged, so no rule replaces them. */ this.unchangeableCount = 0;
    /** Name of the field with the list of parts. */ this.field = 'content';
    /** @type {readonly any[]} */ this.list = [];
  }

  /** @param {Role} role */
  setRole(role, isAssistantTurn = role === 'assistant') {
    this.role = role;
    this.isAssistantTurn = isAssistantTurn;
  }

  /** Reads the message's list of parts. @param {string} field @param {readonly any[]} list @param {(part: any, at: number) => void} readPart */
  each(field, list, readPart) {
    this.field = field;
    this.list = list;
    for (let at = 0; at < list.length; at++) readPart(list[at], at);
  }

  /** @param {any} content @param {number} [at] index in the list; −1 if the part can't be cut */
  part(content, at = -1) {
    this.all.push({ kind: 'part', content, at });
  }

  /** @param {any} content @param {string} [field] @param {boolean} [isOutput] the content is a tool's output */
  content(content, field = 'content', isOutput = false) {
    this.all.push({ kind: 'content', content, field, isOutput });
  }

  /** @param {'counted' | 'quoted' | 'marker'} kind @param {any} content */
  add(kind, content) {
    this.all.push({ kind, content });
  }

  otherSpeaks() {
    this.all.push({ kind: 'interruption' });
  }

  /** @param {Call} call */
  call({ id, alias, name, arguments: given, at, settled = false, quoted }) {
    this.all.push({ kind: 'call', id, alias, name, arguments: given, at, settled, quoted, hasNoId: false });
  }

  /** @param {Result} result @param {ResultForm} [form] */
  result({ id, name, source, at, failed, isProviders = false }, form = PLAIN_RESULT) {
    this.all.push({ kind: 'result', id, name, source, at, failed, isProviders, form });
  }
}

/** A dialect's roles, keyed by its own names. @param {Record<string, Role>} roles @returns {Map<unknown, Role>} */
const roleNames = (roles) => new Map(Object.entries(roles));

/** Reads a message that `dialect` can read. @param {any} message @param {import('./choice.js').Dialect} dialect */
function partsOf(message, dialect) {
  const parts = new Parts();
  dialect.read(message, parts);
  return parts;
}

const THINKING_PARTS = new Set(['thinking', 'redacted_thinking', 'reasoning']);
const SIGNATURES = ['signature', 'thoughtSignature', 'thought_signature', 'textSignature'];
const THINKING_FIELDS = wordsOf(
  'thinking thinking_blocks redacted_thinking reasoning_content reasoningContent reasoning reasoning_details',
).concat(SIGNATURES);

/** True for the model's thinking, which a provider requires unchanged. @param {any} part an object */
const isThinking = (part) => THINKING_PARTS.has(part.type);

/** True if the part has a text that the provider lets be changed: neither thinking nor signed. @param {any} part an object */
const isTextEditable = (part) =>
  typeof part.text === 'string' && !isThinking(part) && part.thought !== true && !hasAny(part, SIGNATURES);

/** True if a message has thinking outside its content. @param {any} message */
const hasThinkingFields = (message) => hasAny(message, THINKING_FIELDS);
/** @param {any} object @param {readonly string[]} fields */
const hasAny = (object, fields) => fields.some((field) => object[field] !== undefined && object[field] !== null);

/** A text or a list of parts, shortened. Parts without text are the same objects. @param {any} content @param {boolean} isOutput @param {Shorten} shorten @returns {any} */
function cutContent(content, isOutput, shorten) {
  if (typeof content === 'string') return content === '' ? content : shorten(content, isOutput);
  return isList(content) ? content.map((part) => cutPart(part, isOutput, shorten)) : content;
}

/** @param {any} part @param {boolean} isOutput @param {Shorten} shorten */
function cutPart(part, isOutput, shorten) {
  if (typeof part === 'string') return cutContent(part, isOutput, shorten);
  if (part === null || typeof part !== 'object' || !isTextEditable(part)) return part;
  return { ...part, text: cutContent(part.text, isOutput, shorten) };
}

/** The text of a result's value, shortened; undefined if nothing is cut. @param {unknown} value @param {Shorten} shorten @returns {string | undefined} */
function cutValue(value, shorten) {
  const text = valueAsText(value)?.text ?? '';
  const cut = cutContent(text, true, shorten);
  return cut === text ? undefined : cut;
}

/** The message's fields with texts, shortened. Thinking, signed parts, calls and images stay. @param {any} message @param {import('./choice.js').Dialect} dialect @param {Shorten} shorten */
function cutTexts(message, dialect, shorten) {
  const { all, field, list } = partsOf(message, dialect);
  const cut = copyOfList(list);
  /** @type {Record<string, unknown>} */ const fields = list.length > 0 ? { [field]: cut } : {};
  for (const part of all) {
    if (part.kind === 'content') fields[part.field] = cutContent(part.content, part.isOutput, shorten);
    else if (part.kind === 'part' && part.at >= 0) cut[part.at] = cutPart(part.content, false, shorten);
    // Output of the provider's own tools must be sent back unchanged.
    if (part.kind !== 'result' || part.isProviders) continue;
    const { at, source, form } = part;
    if (at >= 0) cut[at] = form.cut?.(cut[at], shorten) ?? cut[at];
    else fields[form.field ?? field] = form.cut?.(source, shorten) ?? cutContent(source, true, shorten);
  }
  return fields;
}

module.exports = { Parts, cutContent, cutPart, cutTexts, cutValue, hasThinkingFields, isThinking, partsOf, roleNames };
