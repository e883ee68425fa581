// @ts-check
'use strict';

const { isObject, jsonText } = require('../plain-data.js');
const { isList } = require('../lists.js');
const { dialectFor, dialectOrChat } = require('./choice.js');
const { partsOf, isThinking } = require('./parts.js');

const COMPACTIONS = new Set(['compaction', 'compaction_summary', 'context_compaction']);

/** Matches results with calls: makes up ids for calls and results without one, in their order, and resolves second ids. */
class CallIds {
  #count = 0;
  /** Ids of calls without a result yet, keyed by tool. @type {Map<unknown, string[]>} */ #unanswered = new Map();
  /** True after a result: the next call is of another turn. */ #hasResult = false;
  /** Call ids, keyed by another id that results may use. @type {Map<unknown, unknown>} */ #aliases = new Map();

  /** @param {unknown} id @param {unknown} alias */
  addAlias(id, alias) {
    if (alias !== undefined && id !== undefined) this.#aliases.set(alias, id);
  }

  /** @param {unknown} id the id in a result @returns {unknown} the call's id */
  callIdOf(id) {
    return this.#aliases.get(id) ?? id;
  }

  /** An id for a call without one. @param {unknown} name */
  forCall(name) {
    // Calls of an earlier turn without a result never get one, so they are forgotten.
    if (this.#hasResult) this.#unanswered.clear();
    this.#hasResult = false;
    const id = `${textOf(name)}\u0000${this.#count++}`;
    const ids = this.#unanswered.get(name) ?? [];
    this.#unanswered.set(name, ids);
    ids.push(id);
    return id;
  }

  /** The made-up call id for a result without one. @param {unknown} name */
  forResult(name) {
    this.#hasResult = true;
    return this.#unanswered.get(name)?.shift() ?? `${textOf(name)}\u0000`;
  }
}

/** The texts of one message, its calls with their arguments, and the calls whose results it has. */
class MessageContent {
  /** @param {CallIds} callIds of the conversation */
  constructor(callIds) {
    this.callIds = callIds;
    /** @type {import('./parts.js').Role} */ this.role = 'other';
    /** @type {string[]} */ this.texts = [];
    /** For each call, texts that are empty if missing. @type {[id: string, name: string, argumentsJson: string][]} */
    this.calls = [];
    /** Ids of the calls whose results it has. @type {string[]} */ this.answers = [];
    /** For each result, where its texts are in `texts`. @type {[start: number, end: number][]} */ this.outputs = [];
    this.isFailed = false;
    /** UTF-16 units of texts outside results. */ this.unitsOutsideResults = 0;
    /** The message has the provider's own summary of everything before it, as text. */ this.isCompaction = false;
    /** The message has the provider's own summary, encrypted. */ this.isSealed = false;
    this.hasThinking = false;
    this.isResponseItem = false;
    this.needsPrevious = false;
  }

  /** @param {any} message @param {import('./choice.js').Dialect} dialect */
  read(message, dialect) {
    const { all, role, hasThinking, isResponseItem, needsPrevious } = partsOf(message, dialect);
    Object.assign(this, { role, hasThinking, isResponseItem, needsPrevious });
    for (const part of all) {
      if (part.kind === 'call') this.addCall(part, dialect);
      else if (part.kind === 'result') this.addResult(part, dialect);
      else if (part.kind === 'content') this.addContent(part.content);
      else if (part.kind === 'part') this.addPart(part.content);
      else if (part.kind === 'quoted') this.addText(part.content);
      else if (part.kind === 'marker') this.texts.push(`[${part.content}]`);
    }
  }

  /** @param {unknown} text ignored unless it is a string */
  addText(text) {
    if (typeof text !== 'string') return;
    this.texts.push(text);
    this.unitsOutsideResults += text.trim().length;
  }

  /** A text, a list of parts, or a value that is sent as JSON. @param {unknown} content */
  addContent(content) {
    if (isList(content)) for (const part of content) this.addPart(part);
    else this.addText(isObject(content) ? jsonOf(content) : content);
  }

  /** @param {any} part */
  addPart(part) {
    if (typeof part === 'string') this.addText(part);
    if (!isObject(part) || part.thought === true) return;
    if (isThinking(part)) this.hasThinking = true;
    else if (COMPACTIONS.has(part.type)) this.addCompaction(part);
    else if (typeof part.text === 'string') this.addText(part.text);
    else if (typeof part.refusal === 'string') this.addText(part.refusal);
    else if (typeof part.type === 'string') this.texts.push(`[${part.type}]`);
  }

  /** @param {any} part */
  addCompaction({ type, content, encrypted_content: encrypted, text }) {
    const summary = typeof content === 'string' ? content : text;
    if (typeof encrypted === 'string') this.isSealed = true;
    else if (typeof summary === 'string') {
      this.isCompaction = true;
      this.addText(summary);
    } else this.texts.push(`[${type}]`);
  }

  /** @param {import('./parts.js').Call} call @param {import('./choice.js').Dialect} dialect */
  addCall({ id, alias, name, arguments: given, quoted }, { matchesByName }) {
    this.callIds.addAlias(id, alias);
    if (quoted !== undefined) for (const content of quoted) this.addContent(content);
    else {
      const callId = matchesByName ? (id ?? this.callIds.forCall(name)) : id;
      this.calls.push([textOf(callId), textOf(name), typeof given === 'string' ? given : jsonOf(given)]);
    }
  }

  /** @param {import('./parts.js').ResultPart} result @param {import('./choice.js').Dialect} dialect */
  addResult({ id, name, source, failed, form, isProviders }, { matchesByName }) {
    const { unitsOutsideResults, texts } = this;
    const start = texts.length;
    this.addContent((form.quoted ?? form.content)(source));
    if (isProviders) return;
    this.outputs.push([start, texts.length]);
    this.unitsOutsideResults = unitsOutsideResults;
    const callId = this.callIds.callIdOf(matchesByName ? (id ?? this.callIds.forResult(name)) : id);
    if (typeof callId === 'string') this.answers.push(callId);
    this.isFailed ||= failed;
  }
}

const textOf = (/** @type {unknown} */ value) => (typeof value === 'string' ? value : '');
const jsonOf = (/** @type {unknown} */ value) => (value === undefined || value === null ? '' : (jsonText(value) ?? ''));

/** Reads all messages; leaves out what can't be read. @param {readonly any[]} messages @param {import('./choice.js').Forced} [forced] */
function readContents(messages, forced) {
  const callIds = new CallIds();
  /** @type {MessageContent[]} */ const all = [];
  for (let index = 0; index < messages.length; index++) {
    const content = readContent(messages[index], forced, callIds);
    const previous = all[index - 1];
    content.needsPrevious &&= previous !== undefined;
    // Items of one response belong together: a reasoning item, and the texts and calls that it led to.
    const areAssistants = content.role === 'assistant' && previous?.role === 'assistant';
    if (areAssistants && (content.isResponseItem || previous.isResponseItem)) content.needsPrevious = true;
    all.push(content);
  }
  return all;
}

/** Reads one message. Never throws. @param {any} message @param {import('./choice.js').Forced} [forced] */
function readContent(message, forced, callIds = new CallIds()) {
  const content = new MessageContent(callIds);
  try {
    content.read(message, dialectOrChat(message, forced));
  } catch {
    // A getter or a proxy threw, or `message` isn't a message.
  }
  return content;
}

/** A user message in the dialect of `conversation`. @param {string} text @param {{ conversation: readonly any[], now: number, forced?: import('./choice.js').Forced }} context @returns {any} */
function textMessage(text, { conversation, now, forced }) {
  for (let index = 0; index < conversation.length; index++) {
    const { makeText } = dialectFor(conversation[index], forced) ?? {};
    if (makeText !== undefined) return makeText(text, conversation, now);
  }
  return { role: 'user', content: text };
}

module.exports = { MessageContent, readContent, readContents, textMessage };
