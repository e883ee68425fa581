/** Prices of requests with a provider's prompt cache. */

/** The price lists of this package; `none` is a provider without a cache. */
export type PricePreset = 'anthropic' | 'anthropic-1h' | 'openai' | 'openai-older' | 'deepseek' | 'gemini' | 'none';

/** Prices in units of the base price of input: 0.1 is a tenth of the price of an uncached token. */
export interface PriceList {
  /** Price of a token read from the cache: from 0 to `write`. */
  read: number;
  /** Price of a token that is not read from the cache, and is cached afterwards: above 0. */
  write: number;
  /** How long the cache keeps a prompt after the last request that used it; may be Infinity. */
  ttlMs: number;
  /** Shorter prefixes are never cached. Default 0. */
  minTokens?: number | null | undefined;
  /** The length of a cached prefix is a multiple of this: 1 or more. Default 1. */
  blockTokens?: number | null | undefined;
}

/** A preset with some figures replaced, such as for a discount. */
export type PriceOverrides = { preset: PricePreset } & {
  [Figure in keyof PriceList]?: number | null | undefined;
};

/** Accepted wherever prices are: a preset's name, a preset with other figures, a complete list, or {@link Prices}. */
export type PricesLike = PricePreset | PriceOverrides | PriceList | Prices;

/**
 * Computes the cost of a provider's input tokens, and how many its prompt cache supplies.
 *
 * ```js
 * const prices = new Prices('anthropic');
 * prices.cost({ cached: 40_000, total: 42_000 }); // 6500: the price of 6,500 tokens without a cache
 * ```
 */
export class Prices {
  /**
   * @throws TypeError (`ERR_INVALID_ARG_TYPE`) if a figure is missing or not a number; RangeError (`ERR_OUT_OF_RANGE`) for an unknown preset and
   *   for impossible figures: a cache dearer than none, a negative time
   */
  constructor(prices: PricesLike);
  /** The preset that these prices are based on, even if figures were replaced. */
  readonly preset: PricePreset | null;
  readonly read: number;
  readonly write: number;
  readonly ttlMs: number;
  readonly minTokens: number;
  readonly blockTokens: number;
  /**
   * The cost of a prompt with `total` tokens, `cached` of them read from the cache, in tokens at the base price of input: multiply it by that price
   * to get an amount of money.
   */
  cost(request: { cached: number; total: number }): number;
  /**
   * The number of cached tokens of a prompt whose first `unchangedTokens` are the same as in the previous request, `elapsedMs` earlier: whole
   * blocks, and 0 if the prefix is too short or the cache too old.
   */
  cachedTokens(unchangedTokens: number, elapsedMs: number): number;
  /** All five figures and `preset`, as the constructor accepts them. */
  toJSON(): { preset?: PricePreset } & Required<{ [Figure in keyof PriceList]: number }>;
  /** Every preset, and the day (`YYYY-MM-DD`) when they were last compared with the providers' published prices. */
  static readonly presets: { readonly date: string; readonly prices: readonly Prices[] };
}
