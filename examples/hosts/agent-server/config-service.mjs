// @ts-check
/** The server's configuration: sections by dotted path, and the context window. */
export class ConfigService {
  #values = {
    model: 'agent-large',
    contextLimit: { maxTokens: 4_000, hardLimitThreshold: 0.95 },
    conversation: {
      autoCompression: { enabled: true, threshold: 0.8, keepRecentCount: 6, summaryModel: 'summary-small' },
    },
  };

  /** @param {string} path @returns {any} */
  get(path) {
    return path.split('.').reduce((value, key) => value?.[key], /** @type {any} */ (this.#values));
  }
}
