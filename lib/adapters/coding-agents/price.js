// @ts-check
'use strict';

/**
 * @typedef {object} Model an entry of an agent's catalog
 * @property {string} [id]
 * @property {string} [api]
 * @property {string} [provider]
 * @property {number} [contextWindow]
 * @property {{ input?: number, cacheRead?: number, cacheWrite?: number }} [cost] dollars per million tokens
 * @property {{ short?: number, long?: number }} [promptCache] cache lifetime in seconds
 */

/** Pairs: a pattern of a model's provider, id or API, and the price preset with that provider's minimum, block size and cache lifetime. */
const PRESET_PATTERNS = /** @type {const} */ ([
  [/anthropic|bedrock|claude/i, 'anthropic'],
  [/deepseek/i, 'deepseek'],
  [/google|gemini|vertex/i, 'gemini'],
  [/openai|azure|codex/i, 'openai'],
]);

/**
 * The option `price` for a model. The catalog's rates override the preset's. For an unknown provider Anthropic's preset
 * is used, which keeps history unmodified the longest.
 * @param {Model | undefined} model @param {boolean} usesLongCache whether the agent asks for the longer cache
 */
function priceOf(model, usesLongCache) {
  const { id = '', api = '', provider = '', cost, promptCache } = model ?? {};
  const names = [provider, id, api];
  const [, named] = PRESET_PATTERNS.find(([pattern]) => names.some((name) => pattern.test(name))) ?? [
    null,
    'anthropic',
  ];
  const preset = named === 'anthropic' && usesLongCache ? 'anthropic-1h' : named;
  const seconds = (usesLongCache ? promptCache?.long : undefined) ?? promptCache?.short;
  const { input = 0, cacheRead = 0, cacheWrite = 0 } = cost ?? {};
  // Catalogs contain zeros for unknown prices and for subscriptions.
  const hasRates = input > 0 && cacheRead > 0 && cacheRead <= input;
  return {
    preset,
    ...(hasRates && {
      read: cacheRead / input,
      write: Math.max(1, preset === 'anthropic-1h' ? 2 : cacheWrite / input),
    }),
    ...(seconds !== undefined && seconds > 0 && preset !== 'anthropic-1h' && { ttlMs: seconds * 1000 }),
  };
}

module.exports = { priceOf };
