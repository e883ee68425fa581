// @ts-check
/**
 * `npm test` loads this before every test file. Property tests then use the same cases each time, so that a commit that
 * passed passes again elsewhere. `npm test -- --seed random` and the fuzz campaigns try new cases.
 */
import fc from 'fast-check';

const seed = Number(process.env.PROPTEST_RNG_SEED);
if (Number.isSafeInteger(seed) && process.env.PROPTEST_RNG_SEED !== '') fc.configureGlobal({ seed: seed | 0 });
