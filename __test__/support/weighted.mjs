// @ts-check
import fc from 'fast-check';

/** One of the arbitraries, by weight. @param {...[number, fc.Arbitrary<any>]} choices */
export const weighted = (...choices) => fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
