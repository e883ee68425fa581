// @ts-check
'use strict';

const { checkLength, checkOptions, isGiven, nowFrom, optional, readFunction } = require('../arguments.js');
const { readInteger, readSignal, readText } = require('../arguments.js');
const { readStore } = require('../archive/store.js');
const { readId } = require('../archive/stored-form.js');
const { isRevoked, wrongType, isThenable } = require('../errors.js');
const { MAX_LIST_LENGTH } = require('../lists.js');
const { forcedFrom } = require('../messages/choice.js');
const { readLogStyle } = require('../log.js');
const { OPTIONS } = require('../option-names.js');
const { isAsyncFunction } = require('../callbacks.js');
const { clientOf } = require('./summary-call.js');

/** Checks a manager's options, except model, language and prompt, which the core checks. @param {unknown} options */
function readManagerOptions(options) {
  const checked = checkOptions(options, OPTIONS.manager) ?? {};
  const { model, language, prompt, tools, pin, archive, sessionId, onEvent, logFields, logStyle } = checked;
  checkPrompt(prompt);
  optional(readText, 'options.sessionId', sessionId);
  optional(readFunction, 'options.pin', pin);
  optional(readFunction, 'options.onEvent', onEvent);
  if (isGiven(logFields) && typeof logFields !== 'object') throw wrongType('options.logFields', 'an object', logFields);
  const asynchronous = Object.entries({ pin, tools }).find(([, value]) => isAsyncFunction(value));
  if (asynchronous) throw wrongType(`options.${asynchronous[0]}`, 'a function that answers at once', asynchronous[1]);
  if (isGiven(tools) && !Array.isArray(tools) && typeof tools !== 'function') {
    throw wrongType('options.tools', 'an array, or a function that gives one', tools);
  }
  if (Array.isArray(tools)) checkLength('options.tools', tools);
  if (isGiven(archive)) {
    readStore('options.archive', archive, ['append']);
    // A generated id would change at a restart, and one from the history would let a message choose its session.
    readId('options.sessionId', sessionId);
  }
  return {
    coreOptions: { model, language, prompt },
    model: /** @type {string | undefined} */ (model ?? undefined),
    tools,
    pin: /** @type {((message: any) => unknown) | null} */ (pin ?? null),
    archive: /** @type {any} */ (archive ?? null),
    sessionId: /** @type {string} */ (sessionId ?? ''),
    dialect: forcedFrom(checked),
    onEvent: onEvent ?? undefined,
    logStyle: readLogStyle(logStyle),
    // Copied once here, so that a getter's error reaches the application.
    logFields: { ...(logFields ?? {}) },
  };
}

/** Checks the names in a prompt; the core checks their values. @param {unknown} prompt */
function checkPrompt(prompt) {
  if (!isGiven(prompt) || typeof prompt !== 'object') return;
  const sections = checkOptions(prompt, OPTIONS.prompt, 'options.prompt')?.sections;
  if (!Array.isArray(sections)) return;
  for (const [index, section] of sections.slice(0, MAX_LIST_LENGTH).entries()) {
    if (typeof section === 'object') checkOptions(section, OPTIONS.promptSection, `options.prompt.sections[${index}]`);
  }
}

/** @param {unknown} options @param {readonly string[]} [names] @returns {{ signal: AbortSignal | undefined, now: number }} */
function readCall(options, names = OPTIONS.call) {
  const checked = checkOptions(options, names);
  return { signal: optional(readSignal, 'options.signal', checked?.signal), now: nowFrom(checked) };
}

/**
 * Options of one call of `process`. `maxContextTokens`, `model`: the window and name of the next request's model;
 * `mostThreshold`: upper bound of the share of the window above which history is summarised.
 * @typedef {{ signal: AbortSignal | undefined, now: number, maxContextTokens?: number, model?: string, mostThreshold?: number }} Call
 */

/** A smaller window is a mistake, such as a share: the whole history would be cut. */ const MIN_WINDOW_TOKENS = 100;

/** @param {string} name @param {unknown} value */
const readWindow = (name, value) => readInteger(name, value, MIN_WINDOW_TOKENS, Number.MAX_SAFE_INTEGER);

/** @param {unknown} options an object, or the window @returns {Call} */
function readProcessOptions(options) {
  if (typeof options === 'number') {
    return { ...readCall(undefined), maxContextTokens: readWindow('maxContextTokens', options) };
  }
  const { maxContextTokens, model, mostThreshold } = checkOptions(options, OPTIONS.process) ?? {};
  return {
    ...readCall(options, OPTIONS.process),
    maxContextTokens: optional(readWindow, 'options.maxContextTokens', maxContextTokens),
    model: optional(readText, 'options.model', model),
    mostThreshold: /** @type {number | undefined} */ (mostThreshold ?? undefined),
  };
}

/** Checks the options of a manual compression. @param {unknown} options */
function readCompressOptions(options) {
  const checked = checkOptions(options, OPTIONS.compressByHand);
  return {
    summary: optional(readText, 'options.summary', checked?.summary),
    instructions: optional(readText, 'options.instructions', checked?.instructions),
    ...readCall(checked, OPTIONS.compressByHand),
  };
}

/** The conversation's messages: the array itself, or the object's `messages`. @param {any} conversation @returns {any[]} */
function conversationIn(conversation) {
  if (typeof conversation !== 'object' || isRevoked(conversation) || Array.isArray(conversation)) return conversation;
  const messages = conversation?.messages;
  return Array.isArray(messages) ? messages : conversation;
}

/**
 * `isSummariser`: true without `configService`: the client's own model summarises unless another is configured; `identity`:
 * the client that was passed, before wrapping.
 * @typedef {{ configService: unknown, isSummariser: boolean, client: import('./summary-call.js').Client, identity: object,
 *   logger: any, options: unknown }} ManagerArguments
 */

const CLIENT_KINDS = 'a function, an object with chat or call, or a client of the OpenAI or Anthropic SDK';
/** A logger has at least one of these methods. */ const LOG_METHODS = ['debug', 'info', 'warn', 'error', 'log'];

/** @param {readonly any[]} given `(configService, llmClient, logger, options)`, or `(llmClient, logger, options)` @returns {ManagerArguments} */
function readManagerArguments(given) {
  const isSummariser = isWithoutConfiguration(given[0], given[1]);
  let [configService, llmClient, logger, options] = given;
  if (isSummariser) {
    [llmClient, logger, options] = given;
    const { config, ...others } = options ?? {};
    configService = config ?? {};
    if (!isThenable(options)) options = others;
  } else if (isThenable(configService)) throw wrongType('configService', 'a configuration', configService);
  const client = clientOf(llmClient);
  if (client === undefined) throw wrongType('llmClient', CLIENT_KINDS, llmClient);
  if (!['undefined', 'object', 'function'].includes(typeof logger) || isThenable(logger)) {
    throw wrongType('logger', 'an object with log methods, or null', logger);
  }
  return { configService, isSummariser, client, identity: llmClient, logger: logger ?? null, options };
}

/** True if the first argument is the client, and the second a logger, which may be a function. @param {any} first @param {any} second */
function isWithoutConfiguration(first, second) {
  const isObject = typeof second === 'object' || typeof second === 'function';
  const hasLogger = isObject && LOG_METHODS.some((method) => typeof second?.[method] === 'function');
  if (clientOf(second) !== undefined && !hasLogger) return false;
  // A function may also be a configuration: only a logger after it shows that it is a client.
  return typeof first === 'function' ? hasLogger : clientOf(first) !== undefined;
}

module.exports = { conversationIn, readManagerOptions, readProcessOptions, readCompressOptions, readManagerArguments };
