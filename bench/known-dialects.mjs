// @ts-check
/**
 * Time of `prepareMessages` when only the clock changed, for a generated session of 900 to 1,500 messages: `node
 * bench/known-dialects.mjs [dialect…]` prints the minimum of 400 requests. Measure one dialect per process, as in
 * applications.
 */
import { convert, DIALECTS } from '../__test__/support/dialects.mjs';
import { product } from './contenders.mjs';
import { generateTurns } from './generate.mjs';
import { neutralOf } from './recorded-dialects.mjs';

const ROUNDS = 400;
const asked = process.argv.slice(2);
const neutral = neutralOf(generateTurns(450, 3).flat());
for (const dialect of asked.length > 0 ? asked : Object.keys(DIALECTS)) {
  const { messages } = convert(neutral, dialect, { times: true });
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const started = process.hrtime.bigint();
    product.prepareMessages(messages, { now: 1.9e12 + round });
    least = Math.min(least, Number(process.hrtime.bigint() - started) / 1000);
  }
  process.stdout.write(`${dialect}: ${least.toFixed(1)} µs, ${messages.length} messages\n`);
}
