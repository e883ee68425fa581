// @ts-check
'use strict';

const { priceOf } = require('../coding-agents/settings.js');

/** @typedef {{ providerID: string, modelID: string }} Name of a model */
/** @typedef {import('../../entry/opencode.js').OpencodeConfig} Config */

/** opencode's limit of output tokens. */ const MAX_OUTPUT_TOKENS = 32_000;
/** Tokens that opencode reserves within an input limit. */ const RESERVED_TOKENS = 20_000;
/** Providers and models with which opencode sets cache breakpoints. */ const WITH_BREAKPOINTS = /anthropic|claude/i;

/** Models of opencode's catalog, which is requested once. */
class Models {
  #client;
  #maxOutputTokens;
  /** opencode's entries. @type {Map<string, import('../../entry/opencode.js').OpencodeModel>} */ #known = new Map();
  /** @type {Promise<void> | null} */ #loading = null;

  /** @param {import('../../entry/opencode.js').OpencodeClient} client @param {NodeJS.ProcessEnv} environment */
  constructor(client, { OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX: maxTokens }) {
    this.#client = client;
    this.#maxOutputTokens = Number(maxTokens) > 0 ? Number(maxTokens) : MAX_OUTPUT_TOKENS;
  }

  /** Never rejects: without a catalog, prices are chosen by model name. */
  load() {
    const request = async () => {
      const { data } = await this.#client.config.providers();
      for (const { id, models } of data?.providers ?? []) {
        for (const model of Object.values(models)) this.#known.set(keyOf({ providerID: id, modelID: model.id }), model);
      }
    };
    this.#loading ??= request().catch(() => {});
    return this.#loading;
  }

  /** The model in the form that both coding agents share. @param {Name} name @returns {import('../coding-agents/settings.js').Model} */
  entryOf(name) {
    const model = this.#known.get(keyOf(name));
    const { input, cache } = model?.cost ?? {};
    return {
      id: name.modelID,
      provider: name.providerID,
      api: model?.api?.npm ?? '',
      ...(model?.limit?.context !== undefined && { contextWindow: model.limit.context }),
      cost: { input: input ?? 0, cacheRead: cache?.read ?? 0, cacheWrite: cache?.write ?? 0 },
    };
  }

  /** @param {Name} name */
  priceOf(name) {
    return priceOf(this.entryOf(name), false);
  }

  /** True if opencode sets cache breakpoints on the system prompt and the end of the prompt. @param {Name} name */
  setsBreakpoints(name) {
    const { id = '', provider = '', api = '' } = this.entryOf(name);
    return [id, provider, api].some((word) => WITH_BREAKPOINTS.test(word));
  }

  /** Tokens from which opencode summarises; undefined: never. @param {Name} name @param {Config | null} config */
  compactionLimit(name, config) {
    const { context = 0, input = 0, output = 0 } = this.#known.get(keyOf(name))?.limit ?? {};
    if (context === 0 || config?.compaction?.auto === false) return undefined;
    const outputTokens = Math.min(output, this.#maxOutputTokens) || this.#maxOutputTokens;
    if (input === 0) return Math.max(0, context - outputTokens);
    return Math.max(0, input - (config?.compaction?.reserved ?? Math.min(RESERVED_TOKENS, outputTokens)));
  }
}

/** @param {Name} name */ const keyOf = ({ providerID, modelID }) => JSON.stringify([providerID, modelID]);

module.exports = { Models };
