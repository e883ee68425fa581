// @ts-check
'use strict';

const { jsonText } = require('../json-text.js');
const { isList } = require('../lists.js');
const { dialectFor, speakerFor } = require('./choice.js');
const { partsOf } = require('./parts.js');
const { isThinking } = require('./thinking.js');

/** Types of parts and items with a provider's own summary. */
const COMPACTIONS = new Set(['compaction', 'compaction_summary', 'context_compaction']);

/** Makes up ids for calls and results without one, in the order in which they match. */
class CallIds {
  #count = 0;
  /** Ids of calls without a result yet, keyed by tool. @type {Map<unknown, string[]>} */ #waiting = new Map();
  #isAnswered = false;
  /** Call ids, keyed by another id that results may use. @type {Map<unknown, unknown>} */ #aliases = new Map();

  /** @param {unknown} id @param {unknown} alias */
  name(id, alias) {
    if (alias !== undefined && id !== undefined) this.#aliases.set(alias, id);
  }

  /** @param {unknown} id the id in a result @returns {unknown} the call's id */
  known(id) {
    return this.#aliases.get(id) ?? id;
  }

  /** An id for a call without one. @param {unknown} name */
  next(name) {
    // Calls of an earlier turn without a result never get one, so they are forgotten.
    if (this.#isAnswered) this.#waiting.clear();
    this.#isAnswered = false;
    const id = `${textOf(name)}\u0000${this.#count++}`;
    this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), id]);
    return id;
  }

  /** The made-up call id for a result without one. @param {unknown} name */
  answered(name) {
    this.#isAnswered = true;
    return this.#waiting.get(name)?.shift() ?? `${textOf(name)}\u0000`;
  }
}

/** The texts of one message, its calls with their arguments, and the calls whose results it has. */
class Said {
  /** @param {CallIds} callIds of the conversation */
  constructor(callIds) {
    this.callIds = callIds;
    /** @type {import('./parts.js').Role} */ this.role = 'other';
    /** @type {string[]} */ this.texts = [];
    /** Id, name, and arguments as JSON; empty if missing. @type {[string, string, string][]} */ this.calls = [];
    /** Ids of the calls whose results it has. @type {string[]} */ this.answers = [];
    /** Start and end in `texts` of each result's texts. @type {[number, number][]} */ this.outputs = [];
    this.isFailed = false;
    /** The provider requires it unchanged, with the turn that it started. */
    this.hasThinking = false;
    /** UTF-16 units of texts outside results. */
    this.unitsBesideResults = 0;
    /** One of several messages that make up an assistant response. */
    this.isItem = false;
    /** The provider rejects the message without the one before it. */
    this.isJoined = false;
    /** It has the provider's own summary of everything before it, as text. */
    this.isCompaction = false;
    /** It has the provider's own summary, encrypted. */
    this.isSealed = false;
  }

  /** @param {any} message @param {import('./choice.js').Dialect} dialect */
  read(message, dialect) {
    const { all, role, hasThinking, isItem, isJoined } = partsOf(message, dialect);
    Object.assign(this, { role, hasThinking, isItem, isJoined });
    for (const part of all) {
      if (part.kind === 'call') this.call(part, dialect);
      else if (part.kind === 'result') this.result(part, dialect);
      else if (part.kind === 'content') this.content(part.content);
      else if (part.kind === 'part') this.part(part.content);
      else if (part.kind === 'said') this.text(part.content);
      else if (part.kind === 'mark') this.mark(part.content);
    }
  }

  /** @param {unknown} words */
  text(words) {
    if (typeof words !== 'string') return;
    this.texts.push(words);
    this.unitsBesideResults += words.trim().length;
  }

  /** Names a part without text, such as an image. @param {string} kind */
  mark(kind) {
    this.texts.push(`[${kind}]`);
  }

  /** A text, a list of parts, or a value that is sent as JSON. @param {unknown} content */
  content(content) {
    if (isList(content)) for (const part of content) this.part(part);
    else if (typeof content === 'object' && content !== null) this.text(jsonOf(content));
    else this.text(content);
  }

  /** @param {any} part */
  part(part) {
    if (typeof part === 'string') this.text(part);
    if (part === null || typeof part !== 'object' || part.thought === true) return;
    if (isThinking(part)) this.hasThinking = true;
    else if (COMPACTIONS.has(part.type)) this.compaction(part);
    else if (typeof part.text === 'string') this.text(part.text);
    else if (typeof part.refusal === 'string') this.text(part.refusal);
    else if (typeof part.type === 'string') this.mark(part.type);
  }

  /** @param {any} part */
  compaction({ type, content, encrypted_content: sealed, text }) {
    const summary = typeof content === 'string' ? content : text;
    if (typeof sealed === 'string') this.isSealed = true;
    else if (typeof summary === 'string') {
      this.isCompaction = true;
      this.text(summary);
    } else this.mark(type);
  }

  /** @param {import('./parts.js').Call} call @param {import('./choice.js').Dialect} dialect */
  call({ id, alias, name, arguments: given, said }, { isByName }) {
    this.callIds.name(id, alias);
    if (said !== undefined) for (const content of said) this.content(content);
    else {
      const known = isByName ? (id ?? this.callIds.next(name)) : id;
      this.calls.push([textOf(known), textOf(name), typeof given === 'string' ? given : jsonOf(given)]);
    }
  }

  /** @param {import('./parts.js').ResultPart} result @param {import('./choice.js').Dialect} dialect */
  result({ id, name, held, failed, form, isProviders }, { isByName }) {
    const { unitsBesideResults, texts } = this;
    const from = texts.length;
    this.content((form.said ?? form.content)(held));
    if (isProviders) return;
    this.outputs.push([from, texts.length]);
    this.unitsBesideResults = unitsBesideResults;
    const known = this.callIds.known(isByName ? (id ?? this.callIds.answered(name)) : id);
    if (typeof known === 'string') this.answers.push(known);
    this.isFailed ||= failed;
  }
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === 'string' ? value : '';
}

/** @param {unknown} value */
function jsonOf(value) {
  return value === undefined || value === null ? '' : (jsonText(value) ?? '');
}

/**
 * Reads all messages. Never throws; what can't be read is left out.
 * @param {readonly any[]} messages
 * @param {import('./choice.js').Forced} [forced]
 * @returns {Said[]}
 */
function sayAll(messages, forced) {
  const callIds = new CallIds();
  /** @type {Said[]} */
  const all = [];
  for (let index = 0; index < messages.length; index++) {
    const said = say(messages[index], new Said(callIds), forced);
    const before = all[index - 1];
    said.isJoined &&= before !== undefined;
    // Items of one response belong together: a reasoning item, and the texts and calls that it led to.
    const isSameAnswer = said.role === 'assistant' && before?.role === 'assistant' && (said.isItem || before.isItem);
    if (isSameAnswer) said.isJoined = true;
    all.push(said);
  }
  return all;
}

/** Reads one message. @param {any} message @param {import('./choice.js').Forced} [forced] */
function sayOf(message, forced) {
  return say(message, new Said(new CallIds()), forced);
}

/** @param {any} message @param {Said} said @param {import('./choice.js').Forced} [forced] */
function say(message, said, forced) {
  try {
    said.read(message, speakerFor(message, forced));
  } catch {
    // A getter or a proxy threw, or `message` isn't a message.
  }
  return said;
}

/**
 * A user message in the dialect of `conversation`.
 * @param {string} text
 * @param {{ conversation: readonly any[], now: number, forced?: import('./choice.js').Forced }} where
 * @returns {any}
 */
function textMessage(text, { conversation, now, forced }) {
  for (let index = 0; index < conversation.length; index++) {
    const { makeText } = dialectFor(conversation[index], forced) ?? {};
    if (makeText !== undefined) return makeText(text, conversation, now);
  }
  return { role: 'user', content: text };
}

module.exports = { Said, sayAll, sayOf, textMessage };
