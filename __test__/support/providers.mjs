// @ts-check
/** Simulated providers with a known bill, so that a prediction's error is known too. */
import { seeded } from '../../bench/promise/random.mjs';

/** `kinds`: real tokens per estimated token, by kind of text, after class factors. `usage`: a prompt's tokens in the provider's own format. */
export const PROVIDERS = {
  openai: {
    model: 'gpt-5',
    kinds: [1],
    usage: (/** @type {number} */ tokens) => ({
      prompt_tokens: tokens,
      completion_tokens: 200,
      prompt_tokens_details: { cached_tokens: tokens >> 1 },
    }),
  },
  deepseek: {
    model: 'deepseek-chat',
    kinds: [0.98, 1, 1.02, 1.03],
    usage: (/** @type {number} */ tokens) => ({
      prompt_tokens: tokens,
      prompt_cache_hit_tokens: tokens - 64,
      prompt_cache_miss_tokens: 64,
    }),
  },
  gemini: {
    model: 'gemini-3-pro',
    kinds: [0.98, 1, 1.03, 1.05],
    usage: (/** @type {number} */ tokens) => ({
      promptTokenCount: tokens,
      cachedContentTokenCount: tokens >> 2,
      candidatesTokenCount: 9,
    }),
  },
  anthropic: {
    model: 'claude-opus-4-7',
    kinds: [0.9, 0.92, 0.94, 0.95],
    usage: (/** @type {number} */ tokens) => ({
      input_tokens: 12,
      cache_read_input_tokens: tokens - 500 - 12,
      cache_creation_input_tokens: 500,
      output_tokens: 321,
    }),
  },
};

/** A conversation as a provider bills it: hidden system prompt and tools, and four additional tokens per message. */
export class Conversation {
  /** @type {{ estimate: number, real: number, media: boolean }[]} */ messages = [];
  hidden = 14_000;
  #random;
  #kinds;
  #kind = 1;
  #turn = 0;

  /** @param {readonly number[]} kinds @param {number} seed */
  constructor(kinds, seed) {
    this.#random = seeded(seed);
    this.#kinds = kinds;
  }

  /** Adds a question or a call and its result. Kinds of text alternate in phases, like files and tools. */
  turn() {
    if (this.#turn++ % 10 === 0) this.#kind = this.#kinds[Math.floor(this.#random() * this.#kinds.length)] ?? 1;
    for (let count = 0; count < 2; count++) {
      const estimate = Math.ceil(20 + 2_000 * this.#random() ** 3);
      const real = Math.round(estimate * this.#kind * (0.95 + 0.1 * this.#random())) + 4;
      this.messages.push({ estimate, real, media: false });
    }
  }

  /** @param {number} estimate @param {number} real */
  addImage(estimate, real) {
    this.messages.push({ estimate, real, media: true });
  }

  /** @param {number} share share of the oldest messages that a short summary replaces */
  compact(share) {
    this.messages.splice(0, Math.floor(this.messages.length * share), { estimate: 800, real: 830, media: false });
  }

  get estimate() {
    return this.messages.reduce((sum, { estimate }) => sum + estimate, 0);
  }

  get real() {
    return this.messages.reduce((sum, { real }) => sum + real, this.hidden);
  }

  get mediaShare() {
    const media = this.messages.filter((message) => message.media);
    return media.reduce((sum, { estimate }) => sum + estimate, 0) / this.estimate;
  }
}
