import { type PriceList, type PricePreset, Prices, type PricesLike } from 'palimpsest';
import { expectTrue, type Same } from './expect.js';

const prices = new Prices('anthropic');
new Prices({ preset: 'openai', ttlMs: 3_600_000 });
new Prices({ read: 0.1, write: 1, ttlMs: Number.POSITIVE_INFINITY });
new Prices(prices);
// @ts-expect-error no such preset
new Prices('mistral');
// @ts-expect-error `ttlMs` is required
new Prices({ read: 0.1, write: 1 });
// @ts-expect-error a price is required
new Prices();

expectTrue<Same<typeof prices.preset, PricePreset | null>>();
expectTrue<Same<ReturnType<typeof prices.cost>, number>>();
prices.cost({ cached: 1_000, total: 2_000 });
// @ts-expect-error `cached` is required
prices.cost({ total: 2_000 });
export const cached: number = prices.cachedTokens(2_000, 60_000);
// @ts-expect-error prices are read-only
prices.read = 0.2;

const again: PricesLike = JSON.parse(JSON.stringify(prices));
export const list: PriceList = new Prices(again);
expectTrue<Same<typeof Prices.presets.date, string>>();
export const names: (PricePreset | null)[] = Prices.presets.prices.map(({ preset }) => preset);
