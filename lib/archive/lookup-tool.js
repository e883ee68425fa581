// @ts-check
'use strict';

const { checkOptions, choicesOf, isGiven, optional, readArray, readChoice } = require('../arguments.js');
const { readFlag, readInteger, readText } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { codeNameOf, outOfRange, quoted } = require('../errors.js');
const native = require('../native.js');
const { isObject } = require('../plain-data.js');
const { usersLanguage } = require('../messages/users-language.js');
const { TokenCounter } = require('../tokens/counter.js');
const { wordsIn } = require('./lookup-words.js');
const { readStore } = require('./store.js');
const { MAX_UINT32, readId, roleAndText } = require('./stored-form.js');
const { timeOfAny } = require('../messages/time.js');

/**
 * @typedef {{ query?: string, id?: string, session?: string, from: number, count: number }} Question
 * @typedef {import('../entry/types/archive-store.js').ArchiveStore} ArchiveStore
 * @typedef {import('./lookup-words.js').Words} Words
 *
 * A message to quote. `at`: when its batch was stored (ms); `index`: in the batch; `id`: of the batch; `snippet`: the part around a match.
 * @typedef {{ message: any, at: number, index: number, id?: string, session?: string, snippet?: string }} Entry
 */

const DEFAULT_NAME = 'lookup_compressed_history';
/** The tool names that all providers accept. */ const TOOL_NAME = /^[\w-]{1,64}$/;
/** Maximum number of messages in one answer. */ const MAX_RESULTS = 100;
/** A smaller limit leaves no room for a quotation next to its heading. */ const MIN_TOKENS = 100;
const MAX_TOKENS = 1_000_000;

/**
 * The tool with which a model looks up original messages of its conversation in an archive: its name, definition in two dialects, and handler.
 * @param {unknown} store @param {unknown} options @param {boolean} [hasResults] true if placeholders refer to results in the store
 */
function lookupTool(store, options, hasResults = false) {
  /** @type {ArchiveStore} */ const reader = readStore('store', store, ['getMany', 'search']);
  const settings = readSettings(options);
  const { name, sessionId, maxResults } = settings;
  const words = { ...settings.words, ...(hasResults && settings.words.ofResults) };
  const { description } = words;
  const text = (/** @type {string} */ ofArgument) => ({ type: 'string', description: ofArgument });
  const parameters = {
    type: 'object',
    properties: {
      query: text(words.query),
      id: text(words.id),
      from: { type: 'integer', minimum: 0, description: words.from },
      count: { type: 'integer', minimum: 1, maximum: maxResults, description: words.count },
      ...(sessionId === undefined && { session: text(words.session) }),
    },
    additionalProperties: false,
  };
  return {
    name,
    definition: { type: 'function', function: { name, description, parameters } },
    anthropicDefinition: { name, description, input_schema: parameters },
    /** @param {unknown} args */
    handler: (args) => answer(reader, { ...settings, words }, args),
  };
}

/** @param {unknown} options */
function readSettings(options) {
  const { sessionId, allSessions, name, language, messages, maxResults, maxTokens } =
    checkOptions(options, OPTIONS.lookupTool) ?? {};
  const toolName = optional(readText, 'options.name', name) ?? DEFAULT_NAME;
  if (!TOOL_NAME.test(toolName)) {
    throw outOfRange('options.name', 'letters, digits, _ and -, at most 64', quoted(toolName));
  }
  const isForAll = optional(readFlag, 'options.allSessions', allSessions) ?? false;
  if (isForAll && isGiven(sessionId)) throw outOfRange('options.allSessions', 'false beside a sessionId', 'true');
  // An omitted session is an error, because it must not open all sessions to the model.
  const session = isForAll ? undefined : readId('options.sessionId', sessionId);
  const conversation = optional(readArray, 'options.messages', messages) ?? [];
  const choice = optional(readChoice, 'options.language', language, ['auto', ...choicesOf('language')]) ?? 'auto';
  return {
    sessionId: session,
    name: toolName,
    words: wordsIn(choice === 'auto' ? usersLanguage(conversation) : choice),
    maxResults: readInteger('options.maxResults', maxResults ?? 5, 1, MAX_RESULTS),
    maxTokens: readInteger('options.maxTokens', maxTokens ?? 2000, MIN_TOKENS, MAX_TOKENS),
  };
}

/**
 * Handles a call. Never rejects: a model can act on a sentence, and a failed lookup must not end the agent's loop.
 * @param {ArchiveStore} reader @param {ReturnType<typeof readSettings>} settings @param {unknown} args
 */
async function answer(reader, settings, args) {
  const { words, maxResults, maxTokens } = settings;
  try {
    const counter = new TokenCounter();
    const question = readQuestion(args, maxResults);
    const text = question === undefined ? words.usage : await lookUp(reader, settings, question, counter);
    return counter.truncate(text, maxTokens);
  } catch (error) {
    return apology(error, words);
  }
}

/** The sentence for an error. @param {any} error @param {Words} words */
function apology(error, words) {
  const code = codeNameOf(error);
  // The model's arguments were invalid JSON, or beyond a limit.
  const isArgumentError = ['ERR_OUT_OF_RANGE', 'ERR_INVALID_ARG_TYPE'].includes(error?.code);
  if (error instanceof SyntaxError || isArgumentError) return words.usage;
  if (code === 'ARCHIVE_NOT_FOUND') return words.unknownId;
  if (code === 'ARCHIVE_TIMEOUT') return words.tooSlow;
  return ['ARCHIVE_CORRUPT', 'ARCHIVE_SCHEMA'].includes(code) ? words.damaged(code) : words.unavailable(code);
}

/**
 * Reads a batch by its id, or searches; returns quotations. @param {ArchiveStore} reader @param {ReturnType<typeof readSettings>} settings
 * @param {Question} question @param {InstanceType<typeof TokenCounter>} counter
 */
async function lookUp(reader, { words, maxTokens, ...settings }, { query, id, session, from, count }, counter) {
  const sessionId = settings.sessionId ?? session;
  if (id !== undefined) {
    if (sessionId === undefined) return words.whichSession;
    const [batch] = await reader.getMany(sessionId, [readId('id', id)]);
    if (batch === undefined) return words.unknownId;
    const { messages, at } = batch;
    const entries = messages
      .slice(from, from + count)
      .map((message, offset) => ({ message, at, index: from + offset }));
    return quote(entries, words.batch(id, messages.length, from, entries.length), { words, counter, maxTokens });
  }
  // On each side of the match, a third of a message's tokens, in characters: a Chinese character may take a whole token.
  const context = Math.max(10, Math.floor(maxTokens / count / 3));
  const hits = await reader.search(query ?? '', { sessionId, limit: count, context });
  const entries = hits.map(({ batchId: id, sessionId: session, ...hit }) =>
    settings.sessionId === undefined ? { ...hit, id, session } : { ...hit, id },
  );
  return quote(entries, words.hits(hits.length), { words, counter, maxTokens });
}

/** Reads the model's arguments leniently: models often deviate from the schema. @param {unknown} args @param {number} maxResults @returns {Question | undefined} */
function readQuestion(args, maxResults) {
  const given = typeof args === 'string' ? JSON.parse(args) : args;
  if (!isObject(given)) return undefined;
  const { query, id, session, from, count } = given;
  const hasText = (/** @type {unknown} */ value) => typeof value === 'string' && value.trim() !== '';
  if (!hasText(id) && !hasText(query)) return undefined;
  return {
    ...(hasText(id) ? { id } : { query }),
    ...(hasText(session) && { session }),
    from: nearestInteger(from, 0, 0, MAX_UINT32),
    count: nearestInteger(count, maxResults, 1, maxResults),
  };
}

/** @param {unknown} value a number, or one in a string @param {number} byDefault @param {number} min @param {number} max */
function nearestInteger(value, byDefault, min, max) {
  const integer = typeof value === 'string' || typeof value === 'number' ? Math.trunc(Number(value)) : byDefault;
  return Number.isNaN(integer) ? byDefault : Math.min(Math.max(integer, min), max);
}

/**
 * Quotes messages in at most `maxTokens` in total. A message that needs less than its share leaves the rest to the next; a search hit that is too
 * long keeps the part around the match.
 * @param {readonly Entry[]} entries @param {string} heading
 * @param {{ words: Words, counter: InstanceType<typeof TokenCounter>, maxTokens: number }} setting
 */
function quote(entries, heading, { words, counter, maxTokens }) {
  const messages = entries.map(({ message }) => roleAndText(message));
  const titles = entries.map((entry, index) => titleOf(entry, messages[index]?.role || '?', index + 1, words));
  let tokensLeft = maxTokens - counter.count([heading, ...titles].join('\n\n')) - entries.length;
  const blocks = entries.map(({ snippet }, index) => {
    const share = Math.max(0, Math.floor(tokensLeft / (entries.length - index)));
    const text = native.archiveText(messages[index]?.text ?? '') || words.noText;
    const quoted = counter.fits(text, share) ? text : counter.truncate(snippet ?? text, share, { keep: 'both' });
    tokensLeft -= counter.count(quoted);
    return `${titles[index]}\n${quoted}`;
  });
  return [heading, ...blocks].join('\n\n');
}

/**
 * The line above a quotation, with the time of the message, or that of its compression if it has none.
 * @param {Entry} entry @param {string} role @param {number} number from 1 @param {Words} words
 */
function titleOf({ message, at, index, id, session }, role, number, words) {
  const own = timeOfAny(message);
  const time = new Date(Number.isFinite(own) ? native.timeInMs(own) : at);
  const parts = [`[${number}] ${role}`, Number.isNaN(time.getTime()) ? '?' : time.toISOString()];
  if (session !== undefined) parts.push(`session ${session}`);
  if (id !== undefined) parts.push(`id ${id}`);
  return [...parts, words.place(index)].join(' · ');
}

module.exports = { lookupTool };
