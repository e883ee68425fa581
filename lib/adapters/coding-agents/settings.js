// @ts-check
'use strict';

const { isGiven, optional, readFlag, readOptions } = require('../../arguments.js');
const { outOfRange } = require('../../errors.js');
const { OPTIONS } = require('../../option-names.js');
const { fs } = require('../../node-modules.js');
const { ContextView } = require('../../view/context-view.js');

/** Words in environment variables. */ const OFF = new Set(['0', 'false', 'off', 'no']);
const ON = new Set(['1', 'true', 'on', 'yes']);

/**
 * `compactLater`: the agent's own summaries are delayed until the messages sent fill the context window; `price`: null for the
 * price of the model in use; `view`: options of the views.
 * @typedef {{ compactLater: boolean, enabled: boolean, showStatus: boolean, price: unknown, view: Record<string, unknown> }} Settings
 *
 * An entry of an agent's catalog. `cost`: dollars per million tokens; `promptCache`: cache lifetime in seconds.
 * @typedef {{ id?: string, api?: string, provider?: string, contextWindow?: number,
 *   cost?: { input?: number, cacheRead?: number, cacheWrite?: number }, promptCache?: { short?: number, long?: number } }} Model
 */

/**
 * Reads the user's settings, which environment variables override. @param {string} name what errors call the settings @param {unknown} settings
 * @param {NodeJS.ProcessEnv} environment @returns {Settings} @throws TypeError, RangeError for an invalid setting
 */
function readSettings(name, settings, environment) {
  const given = readOptions(name, settings, OPTIONS.codingAgent);
  const switchIn = (/** @type {string} */ variable) => optional(readSwitch, variable, environment[variable]);
  const enabled = switchIn('PALIMPSEST') ?? given.enabled;
  const price = environment.PALIMPSEST_PRICE ?? given.price ?? null;
  const repeated = switchIn('PALIMPSEST_REPEATED') ?? given.repeated;
  const placeholderLanguage = environment.PALIMPSEST_LANGUAGE ?? given.placeholderLanguage;
  const options = Object.entries({ placeholderLanguage, repeated, repeatedCommands: given.repeatedCommands });
  const view = Object.fromEntries(options.filter(([, value]) => isGiven(value)));
  // Constructed only to validate, so that invalid values are reported when the agent starts.
  new ContextView({ ...view, price });
  return {
    compactLater: optional(readFlag, 'compactLater', given.compactLater) ?? false,
    enabled: optional(readFlag, 'enabled', enabled) ?? true,
    showStatus: optional(readFlag, 'showStatus', given.showStatus) ?? true,
    price,
    view,
  };
}

/** The file's settings; `{}` if there is no file. @param {string} file @returns {unknown} @throws SyntaxError */
function settingsIn(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return {};
    throw error;
  }
}

/** @param {string} name of an environment variable @param {unknown} value */
function readSwitch(name, value) {
  const word = String(value).toLowerCase();
  if (!ON.has(word) && !OFF.has(word)) throw outOfRange(name, '“on” or “off”', JSON.stringify(value));
  return ON.has(word);
}

/** A pattern of a model's provider, id or API, and the price preset with that provider's minimum, block size and cache lifetime. */
const PRESET_PATTERNS = /** @type {const} */ ([
  [/anthropic|bedrock|claude/i, 'anthropic'],
  [/deepseek/i, 'deepseek'],
  [/google|gemini|vertex/i, 'gemini'],
  [/openai|azure|codex/i, 'openai'],
]);

/**
 * The option `price` for a model. The catalog's rates override the preset's. For an unknown provider Anthropic's preset is used, which keeps history
 * unmodified the longest. @param {Model | undefined} model @param {boolean} usesLongCache whether the agent asks for the longer cache
 */
function priceOf(model, usesLongCache) {
  const { id = '', api = '', provider = '', cost, promptCache } = model ?? {};
  const names = [provider, id, api];
  const named = PRESET_PATTERNS.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1] ?? 'anthropic';
  const preset = named === 'anthropic' && usesLongCache ? 'anthropic-1h' : named;
  const seconds = (usesLongCache ? promptCache?.long : undefined) ?? promptCache?.short;
  const { input = 0, cacheRead = 0, cacheWrite = 0 } = cost ?? {};
  // Catalogs contain zeros for unknown prices and for subscriptions.
  const hasRates = input > 0 && cacheRead > 0 && cacheRead <= input;
  const isLong = preset === 'anthropic-1h';
  return {
    preset,
    ...(hasRates && { read: cacheRead / input, write: Math.max(1, isLong ? 2 : cacheWrite / input) }),
    ...(seconds !== undefined && seconds > 0 && !isLong && { ttlMs: seconds * 1000 }),
  };
}

module.exports = { priceOf, readSettings, settingsIn };
