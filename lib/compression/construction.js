// @ts-check
'use strict';

const { isThenable, wrongType } = require('../errors.js');
const { clientOf, readClient } = require('./client.js');

/**
 * The arguments of a manager: `(configService, llmClient, logger, options)`, or `(llmClient, logger, options)`.
 *
 * @typedef {object} Construction
 * @property {unknown} configService
 * @property {boolean} isSummariser true for the shorter form: the client's own model summarises unless another is configured
 * @property {import('./client.js').Client} client
 * @property {object} identity the client that was passed, before wrapping
 * @property {any} logger
 * @property {unknown} options
 */

/** A logger has at least one of these methods. */
const LEVELS = ['debug', 'info', 'warn', 'error', 'log'];

/** @param {readonly unknown[]} args @returns {Construction} */
function readConstruction(args) {
  const [first, second, third, fourth] = args;
  if (isShortForm(first, second)) {
    const { config, ...options } = /** @type {any} */ (third) ?? {};
    const long = construction(config ?? {}, first, second, isThenable(third) ? third : options);
    return { ...long, isSummariser: true };
  }
  if (isThenable(first)) throw wrongType('configService', 'a configuration', first);
  return construction(first, second, third, fourth);
}

/** @param {unknown} configService @param {unknown} llmClient @param {unknown} logger @param {unknown} options @returns {Construction} */
function construction(configService, llmClient, logger, options) {
  const client = readClient(llmClient);
  const isObject = typeof logger === 'object' || typeof logger === 'function';
  if ((logger !== undefined && !isObject) || isThenable(logger)) {
    throw wrongType('logger', 'an object with log methods, or null', logger);
  }
  const identity = /** @type {object} */ (llmClient);
  return { configService, isSummariser: false, client, identity, logger: logger ?? null, options };
}

/** @param {any} first @param {any} second */
function isShortForm(first, second) {
  if (clientOf(second) !== undefined && !isLogger(second)) return false;
  // A function may be a configuration: only a logger after it shows that it is a client.
  if (typeof first === 'function') return isLogger(second);
  return clientOf(first) !== undefined;
}

/** Detects a logger, which may be a function. @param {any} value */
function isLogger(value) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  return LEVELS.some((level) => typeof value[level] === 'function');
}

module.exports = { readConstruction };
