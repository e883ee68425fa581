// @ts-check
/**
 * A provider's usage report in its own format, and the ways in which the report can be lost or falsified before it
 * reaches the view.
 */

/** @typedef {import('./provider-account.mjs').Billed} Billed */
/** @typedef {'none' | 'truthful' | 'late' | 'missing' | 'doubled' | 'impossible' | 'zero' | 'always-zero'} Reports */

const OUTPUT_TOKENS = 300;
/** Share of false reports in scenarios that have them. */
const FALSE_SHARE = 0.1;

/** @param {string} price @param {{ total: number, cached: number, written: number }} billed */
function usageOf(price, { total, cached, written }) {
  const [prompt, read, rest] = [Math.round(total), Math.round(cached), Math.round(total) - Math.round(cached)];
  if (price.startsWith('anthropic')) {
    const created = Math.min(rest, Math.round(written));
    return {
      input_tokens: rest - created,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: created,
      output_tokens: OUTPUT_TOKENS,
    };
  }
  if (price === 'gemini')
    return { promptTokenCount: prompt, cachedContentTokenCount: read, candidatesTokenCount: OUTPUT_TOKENS };
  const chat = { prompt_tokens: prompt, completion_tokens: OUTPUT_TOKENS, total_tokens: prompt + OUTPUT_TOKENS };
  if (price === 'deepseek') return { ...chat, prompt_cache_hit_tokens: read, prompt_cache_miss_tokens: rest };
  return { ...chat, prompt_tokens_details: { cached_tokens: read } };
}

/** Invalid figures. @param {string} price @param {Billed} billed @param {number} which */
function impossible(price, billed, which) {
  const reports = [
    { ...billed, cached: 3 * billed.total },
    { ...billed, cached: -1 },
    { ...billed, total: Number.NaN, cached: Number.NaN },
    { ...billed, total: 1e12, cached: 1e12 },
  ];
  return usageOf(price, /** @type {Billed} */ (reports[which]));
}

/** Passes reports to a view, in one of these ways. */
export class Reporter {
  /** The report that is delivered next. @type {object | null} */ #late = null;

  /** @param {Reports} kind @param {string} price @param {import('./random.mjs').Random} random */
  constructor(kind, price, random) {
    this.kind = kind;
    this.price = price;
    this.random = random;
  }

  /** @param {Billed} billed @param {(usage: object) => void} observe */
  deliver(billed, observe) {
    for (const usage of this.#usages(billed)) observe(usage);
  }

  /** @param {Billed} billed @returns {object[]} */
  #usages(billed) {
    const truthful = usageOf(this.price, billed);
    const isFalse = this.random() < FALSE_SHARE;
    switch (this.kind) {
      case 'none':
        return [];
      case 'missing':
        return this.random() < 0.5 ? [] : [truthful];
      case 'doubled':
        return [truthful, truthful];
      case 'late': {
        const previous = this.#late;
        this.#late = truthful;
        return previous === null ? [] : [previous];
      }
      case 'impossible':
        return [isFalse ? impossible(this.price, billed, Math.floor(4 * this.random())) : truthful];
      case 'zero':
        return [isFalse ? usageOf(this.price, { ...billed, cached: 0, written: billed.total }) : truthful];
      case 'always-zero':
        return [usageOf(this.price, { ...billed, cached: 0, written: billed.total })];
      default:
        return [truthful];
    }
  }
}
