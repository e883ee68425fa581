// @ts-check
/**
 * Loaded before every test file by `npm test`: the properties try the same cases each time, so that a commit which passed
 * passes again elsewhere. `npm test -- --seed random` and the fuzz campaigns look for new ones.
 */
import fc from 'fast-check';

const seed = Number(process.env.PROPTEST_RNG_SEED);
if (Number.isSafeInteger(seed) && process.env.PROPTEST_RNG_SEED !== '') fc.configureGlobal({ seed: seed | 0 });
