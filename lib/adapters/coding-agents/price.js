// @ts-check
'use strict';

/**
 * An entry of an agent's catalog. `cost`: dollars per million tokens; `promptCache`: cache lifetime in seconds.
 * @typedef {{ id?: string, api?: string, provider?: string, contextWindow?: number,
 *   cost?: { input?: number, cacheRead?: number, cacheWrite?: number }, promptCache?: { short?: number, long?: number } }} Model
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

module.exports = { priceOf };
