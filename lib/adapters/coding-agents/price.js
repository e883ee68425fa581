// @ts-check
'use strict';

/**
 * What an agent's catalog says of a model.
 * @typedef {object} Model
 * @property {string} [id]
 * @property {string} [api]
 * @property {string} [provider]
 * @property {number} [contextWindow]
 * @property {{ input?: number, cacheRead?: number, cacheWrite?: number }} [cost] dollars per million tokens
 * @property {{ short?: number, long?: number }} [promptCache] seconds that a prompt is kept
 */

/** By what a model's API or provider is called, the list whose minimum, blocks and lifetime hold. */
const PRESETS = /** @type {const} */ ([
  [/anthropic|bedrock|claude/i, 'anthropic'],
  [/deepseek/i, 'deepseek'],
  [/google|gemini|vertex/i, 'gemini'],
  [/openai|azure|codex/i, 'openai'],
]);

/**
 * The prices of the model in use. Rates that the catalog has go before the list's; of a provider that nobody here knows,
 * Anthropic's are taken, under which history is left alone the longest.
 * @param {Model | undefined} model
 * @param {boolean} isKeptLong whether the agent asks for the longer cache
 */
function priceOf(model, isKeptLong) {
  const { id = '', api = '', provider = '', cost, promptCache } = model ?? {};
  const names = [provider, id, api];
  const [, known] = PRESETS.find(([pattern]) => names.some((name) => pattern.test(name))) ?? [null, 'anthropic'];
  const preset = known === 'anthropic' && isKeptLong ? 'anthropic-1h' : known;
  const seconds = (isKeptLong ? promptCache?.long : undefined) ?? promptCache?.short;
  const { input = 0, cacheRead = 0, cacheWrite = 0 } = cost ?? {};
  // A catalog has zeros for what it doesn't know, and for subscriptions.
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
