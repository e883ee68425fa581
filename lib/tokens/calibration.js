// @ts-check
'use strict';

const { checkOptions, choicesOf, optional, readAmount, readChoice } = require('../arguments.js');
const { readFlag, readObject, readOptions, readText } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { outOfRange, quoted, wrongType } = require('../errors.js');
const { deliverLog, isLogWanted } = require('../log.js');
const native = require('../native.js');
const { figuresOf } = require('./usage.js');

/** The version of the exported state. */ const VERSION = 1;

/** Learns a model's real token counts from its provider's reports, and predicts the next prompt's size. One instance per provider and model. */
class TokenCalibration {
  #native;
  /** The model it was created for, in the fields of the exported state. */ #identity;

  /** @param {unknown} [options] */
  constructor(options) {
    const checked = checkOptions(options, OPTIONS.calibration);
    const model = optional(readText, 'options.model', checked?.model) ?? '';
    const provider = optional(readText, 'options.provider', checked?.provider) ?? '';
    const maxContextTokens = optional(readAmount, 'options.maxContextTokens', checked?.maxContextTokens) ?? null;
    if (maxContextTokens === 0) throw outOfRange('options.maxContextTokens', 'a number above zero', '0');
    const choices = choicesOf('estimatedIn');
    const estimatedIn = optional(readChoice, 'options.estimatedIn', checked?.estimatedIn, choices) ?? choices[0];
    this.#identity = { provider, model, maxContextTokens, estimatedIn };
    const windowTokens = maxContextTokens ?? Number.POSITIVE_INFINITY;
    this.#native = new native.Calibration(model, estimatedIn === 'o200k_base', windowTokens);
  }

  /** Learns from a request's report. @param {unknown} observation */
  observe(observation) {
    const given = readOptions('observation', observation, OPTIONS.observation);
    const { usage, estimate, prefixUnchanged, mediaShare } = given;
    const estimated = readAmount('observation.estimate', estimate);
    const unchanged = optional(readFlag, 'observation.prefixUnchanged', prefixUnchanged) ?? true;
    const share = optional(readAmount, 'observation.mediaShare', mediaShare) ?? 0;
    if (share > 1) throw outOfRange('observation.mediaShare', 'a share between 0 and 1', String(share));
    isLogWanted();
    const result = this.#native.observe(figuresOf(readReport(usage)), estimated, unchanged, share);
    deliverLog();
    return { outcome: result.outcome, reason: result.reason ?? null, promptTokens: result.promptTokens ?? null };
  }

  /** The next prompt's size. @param {unknown} estimate @param {unknown} [options] */
  predict(estimate, options) {
    const estimated = readAmount('estimate', estimate);
    const { prefixUnchanged } = checkOptions(options, OPTIONS.predict) ?? {};
    const unchanged = optional(readFlag, 'options.prefixUnchanged', prefixUnchanged) ?? true;
    const { tokens, margin, settled } = this.#native.predict(estimated, unchanged);
    return { tokens: Math.round(tokens), margin: Math.ceil(margin), settled };
  }

  export() {
    return { version: VERSION, ...this.#identity, anchor: null, ...this.#native.state() };
  }

  /** @param {unknown} state */
  static import(state) {
    const exported = readObject('state', state, 'an exported state');
    if (exported.version !== VERSION) throw outOfRange('state.version', String(VERSION), quoted(exported.version));
    const { model, provider, maxContextTokens, estimatedIn } = exported;
    const calibration = new TokenCalibration({ model, provider, maxContextTokens, estimatedIn });
    const { overhead, slope, samples, anchor } = exported;
    // Checked before it is spread: a sparse list of billions of elements would end the process.
    const isMatrix = Array.isArray(exported.covariance) && exported.covariance.length === 3;
    const covariance = isMatrix ? [...exported.covariance] : [];
    const anchorNumbers = anchor === null ? [] : [anchor?.estimate, anchor?.tokens];
    const numbers = [overhead, slope, ...covariance, samples, ...anchorNumbers];
    const isComplete = numbers.every((number) => typeof number === 'number');
    const learned = { overhead, slope, covariance, samples, anchor: anchor ?? undefined };
    if (isComplete && calibration.#native.restore(learned)) return calibration;
    throw outOfRange('state', 'what export() gave', 'something else');
  }
}

/** @param {unknown} usage @returns {object} */
function readReport(usage) {
  if (typeof usage === 'number') return { promptTokens: usage };
  if (typeof usage === 'object') return usage ?? {};
  if (usage === undefined) return {};
  throw wrongType('observation.usage', "a provider's usage object, or its prompt tokens", usage);
}

module.exports = { TokenCalibration };
