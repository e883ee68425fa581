// @ts-check
'use strict';

/**
 * @typedef {object} Model as an agent's catalog has it
 * @property {string} [id]
 * @property {string} [api]
 * @property {string} [provider]
 * @property {number} [contextWindow]
 * @property {{ input?: number, cacheRead?: number, cacheWrite?: number }} [cost] dollars per million tokens
 * @property {{ short?: number, long?: number }} [promptCache] seconds that a prompt is kept
 */

/** Whose price list has the minimum, the blocks and the lifetime, by the name of a model's API or provider. */
const PRESETS = /** @type {const} */ ([
  [/anthropic|bedrock|claude/i, 'anthropic'],
  [/deepseek/i, 'deepseek'],
  [/google|gemini|vertex/i, 'gemini'],
  [/openai|azure|codex/i, 'openai'],
]);

/**
 * The catalog's rates go before the list's. For an unknown provider Anthropic's list is taken, which leaves history alone the longest.
 * @param {Model | undefined} model @param {boolean} isKeptLong whether the agent asks for the longer cache
 */
function priceOf(model, isKeptLong) {
  const { id = '', api = '', provider = '', cost, promptCache } = model ?? {};
  const names = [provider, id, api];
  const [, known] = PRESETS.find(([pattern]) => names.some((name) => pattern.test(name))) ?? [null, 'anthropic'];
  const preset = known === 'anthropic' && isKeptLong ? 'anthropic-1h' : known;
  const seconds = (isKeptLong ? promptCache?.long : undefined) ?? promptCache?.short;
  const { input = 0, cacheRead = 0, cacheWrite = 0 } = cost ?? {};
  // Catalogs have zeros for unknown prices, and for subscriptions.
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
