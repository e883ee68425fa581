// @ts-check
'use strict';

const { checkOptions } = require('../arguments.js');
const { outOfRange, quoted, wrongType } = require('../errors.js');
const { deliverLog, prepareLog } = require('../log.js');
const native = require('../native.js');

/** Of the exported form. */
const VERSION = 1;
const ESTIMATED_IN = ['model', 'o200k_base'];

/** @type {string[][] | undefined} */
let fieldPaths;

/**
 * Learns how many tokens a model really takes from what its provider reports, and predicts the next prompt's.
 * One per provider and model.
 */
class TokenCalibration {
  #native;
  #key;

  /** @param {unknown} [options] */
  constructor(options) {
    const given = checkOptions(options);
    const model = textOf(given, 'model');
    const provider = textOf(given, 'provider');
    const maxContextTokens = given?.maxContextTokens ?? null;
    if (maxContextTokens !== null) positive('options.maxContextTokens', maxContextTokens);
    const estimatedIn = textOf(given, 'estimatedIn') || 'model';
    if (!ESTIMATED_IN.includes(estimatedIn)) {
      throw outOfRange('options.estimatedIn', `one of ${ESTIMATED_IN.join(', ')}`, quoted(estimatedIn));
    }
    this.#key = { provider, model, maxContextTokens: /** @type {number | null} */ (maxContextTokens), estimatedIn };
    this.#native = new native.Calibration(
      model,
      estimatedIn === 'o200k_base',
      this.#key.maxContextTokens ?? Number.POSITIVE_INFINITY,
    );
  }

  /** @param {unknown} observation */
  observe(observation) {
    if (observation === null || typeof observation !== 'object') {
      throw wrongType('observation', 'an object', observation);
    }
    const { usage, estimate, prefixUnchanged, mediaShare = 0 } = /** @type {Record<string, unknown>} */ (observation);
    const estimated = notNegative('observation.estimate', estimate);
    const unchanged = flagOr(true, 'observation.prefixUnchanged', prefixUnchanged);
    const share = notNegative('observation.mediaShare', mediaShare);
    if (share > 1) throw outOfRange('observation.mediaShare', 'a share between 0 and 1', String(share));
    prepareLog();
    const result = this.#native.observe(figuresOf(usage), estimated, unchanged, share);
    deliverLog();
    return { outcome: result.outcome, reason: result.reason ?? null, promptTokens: result.promptTokens ?? null };
  }

  /**
   * @param {unknown} estimate
   * @param {unknown} [options]
   */
  predict(estimate, options) {
    const estimated = notNegative('estimate', estimate);
    const unchanged = flagOr(true, 'options.prefixUnchanged', checkOptions(options)?.prefixUnchanged);
    const { tokens, margin, settled } = this.#native.predict(estimated, unchanged);
    return { tokens: Math.round(tokens), margin: Math.ceil(margin), settled };
  }

  export() {
    const [overhead, slope, ...rest] = this.#native.numbers();
    const [estimate, tokens] = rest.slice(4);
    return {
      version: VERSION,
      ...this.#key,
      overhead,
      slope,
      covariance: rest.slice(0, 3),
      samples: rest[3],
      anchor: tokens === undefined ? null : { estimate, tokens },
    };
  }

  /** @param {unknown} state */
  static import(state) {
    if (state === null || typeof state !== 'object') throw wrongType('state', 'an exported state', state);
    const given = /** @type {Record<string, any>} */ (state);
    if (given.version !== VERSION) throw outOfRange('state.version', String(VERSION), quoted(given.version));
    const calibration = new TokenCalibration(given);
    const { covariance, anchor } = given;
    // Not more of them than there are: a list may say that it has 2³²−1 elements, and spreading those ends the process.
    const matrix = Array.isArray(covariance) && covariance.length === 3 ? covariance : [];
    const numbers = [given.overhead, given.slope, ...matrix, given.samples];
    if (anchor !== null) numbers.push(anchor?.estimate, anchor?.tokens);
    const complete = numbers.every((number) => typeof number === 'number');
    if (!complete || !calibration.#native.restore(Float64Array.from(numbers))) {
      throw outOfRange('state', 'what export() gave', 'something else');
    }
    return calibration;
  }
}

/**
 * The numbers of a report under the names that the core knows. A report is a provider's data: what is odd about it
 * is as good as missing.
 * @param {unknown} usage
 * @returns {(number | null)[]}
 */
function figuresOf(usage) {
  if (usage !== null && usage !== undefined && typeof usage !== 'object' && typeof usage !== 'number') {
    throw wrongType('observation.usage', "a provider's usage object, or its prompt tokens", usage);
  }
  const report = typeof usage === 'number' ? { promptTokens: usage } : usage;
  fieldPaths ??= native.usageFieldNames().map((name) => name.split('.'));
  return fieldPaths.map((path) => {
    try {
      const value = path.reduce((/** @type {any} */ object, key) => object?.[key], report);
      return typeof value === 'number' ? value : null;
    } catch {
      return null;
    }
  });
}

/**
 * @param {Record<string, unknown> | undefined} options
 * @param {string} key
 */
function textOf(options, key) {
  const value = options?.[key] ?? '';
  if (typeof value !== 'string') throw wrongType(`options.${key}`, 'a string', value);
  return value;
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function notNegative(name, value) {
  if (typeof value !== 'number') throw wrongType(name, 'a number', value);
  if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
    throw outOfRange(name, 'a finite number that is not negative', String(value));
  }
  return value;
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function positive(name, value) {
  if (notNegative(name, value) === 0) throw outOfRange(name, 'a number above zero', '0');
}

/**
 * @param {boolean} byDefault
 * @param {string} name
 * @param {unknown} value
 */
function flagOr(byDefault, name, value) {
  if (value === undefined || value === null) return byDefault;
  if (typeof value !== 'boolean') throw wrongType(name, 'a boolean', value);
  return value;
}

module.exports = { TokenCalibration };
