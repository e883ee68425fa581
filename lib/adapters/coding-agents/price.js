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

/** The price list that provides minimum, block size and lifetime, by the name of a model's API or provider. */
const PRESETS = /** @type {const} */ ([
  [/anthropic|bedrock|claude/i, 'anthropic'],
  [/deepseek/i, 'deepseek'],
  [/google|gemini|vertex/i, 'gemini'],
  [/openai|azure|codex/i, 'openai'],
]);

/**
 * The catalog's rates override the list's. For an unknown provider Anthropic's list is used, which keeps history unmodified the longest.
 * @param {Model | undefined} model @param {boolean} usesLongCache whether the agent asks for the longer cache
 */
function priceOf(model, usesLongCache) {
  const { id = '', api = '', provider = '', cost, promptCache } = model ?? {};
  const names = [provider, id, api];
  const [, listed] = PRESETS.find(([pattern]) => names.some((name) => pattern.test(name))) ?? [null, 'anthropic'];
  const preset = listed === 'anthropic' && usesLongCache ? 'anthropic-1h' : listed;
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
