/** What a provider's prompt cache makes a request cost. */

/** The lists of prices that come with the package; `none` is a provider without a cache. */
export type PricePreset = 'anthropic' | 'anthropic-1h' | 'openai' | 'openai-older' | 'deepseek' | 'gemini' | 'none';

/** Prices are in units of the base price of input: 0.1 is a tenth of what a token costs without a cache. */
export interface PriceList {
  /** A token that comes from the cache: from 0 to `write`. */
  read: number;
  /** A token that doesn't, and is in the cache afterwards: above 0. */
  write: number;
  /** How long the cache keeps a prompt after the request that last used it; may be infinite. */
  ttlMs: number;
  /** A shorter prefix is never cached. Default 0. */
  minTokens?: number | null | undefined;
  /** A cached prefix is a multiple of this: 1 or more. Default 1. */
  blockTokens?: number | null | undefined;
}

/** A preset of which some figures are others, as where a provider grants a discount. */
export type PriceOverrides = { preset: PricePreset } & {
  [Figure in keyof PriceList]?: number | null | undefined;
};

/** Wherever prices are asked for: a preset's name, a preset with other figures, a whole list, or {@link Prices}. */
export type PricesLike = PricePreset | PriceOverrides | PriceList | Prices;

/**
 * What a provider's input tokens cost, and how its prompt cache counts them.
 *
 * ```js
 * const prices = new Prices('anthropic');
 * prices.cost({ cached: 40_000, total: 42_000 }); // 6500: as much as 6,500 tokens without a cache
 * ```
 */
export class Prices {
  /**
   * @throws TypeError (`ERR_INVALID_ARG_TYPE`) where a figure is missing or no number; RangeError (`ERR_OUT_OF_RANGE`) for
   *   an unknown preset and for figures that no provider could have: a cache dearer than none, a negative time
   */
  constructor(prices: PricesLike);
  /** The preset that these were made from, whether or not figures were replaced. */
  readonly preset: PricePreset | null;
  readonly read: number;
  readonly write: number;
  readonly ttlMs: number;
  readonly minTokens: number;
  readonly blockTokens: number;
  /**
   * The bill for a prompt of `total` tokens of which `cached` come from the cache, in tokens at the base price of input:
   * multiply it with that price for an amount of money.
   */
  cost(request: { cached: number; total: number }): number;
  /**
   * How many tokens come from the cache when a prompt begins with `unchangedTokens` that are as in the request before,
   * `elapsedMs` earlier: whole blocks, and none of a prefix that is too short or of a cache that is too old.
   */
  cachedTokens(unchangedTokens: number, elapsedMs: number): number;
  /** All five figures and `preset`: what the constructor takes. */
  toJSON(): { preset?: PricePreset } & Required<{ [Figure in keyof PriceList]: number }>;
  /** Every preset, and the day (`YYYY-MM-DD`) on which they were last compared with the providers' published prices. */
  static readonly presets: { readonly date: string; readonly prices: readonly Prices[] };
}
