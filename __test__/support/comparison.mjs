// @ts-check
import assert from 'node:assert/strict';

/**
 * fast-check runs in all differential tests together. `npm test` draws the same ones each time, so more of them would find something
 * once at most; the fuzzer's campaign `properties` draws four times as many, and others each time, for as long as it is let.
 */
const TOTAL_RUNS = Number(process.env.PROPERTY_RUNS ?? 500);
if (!(TOTAL_RUNS >= 500)) throw new Error(`expected PROPERTY_RUNS of 500 or more; got ${process.env.PROPERTY_RUNS}`);

/**
 * The cause belongs into the message: the runner prints nothing else.
 * @param {number} share of all runs
 */
export const runs = (share) => ({ numRuns: Math.ceil(TOTAL_RUNS * share), includeErrorInReport: true });

/**
 * The drop-in functions of the product or of the reference, as a host calls them before a request.
 * @param {any} implementation
 * @param {any[]} messages
 * @param {{ terminal?: object, fileReads?: object }} options
 * @param {number} now
 */
export function cleanUp(implementation, messages, options, now) {
  cleanUpReporting(implementation, messages, options, now);
  return messages;
}

/**
 * As {@link cleanUp}, with what each function returned.
 * @param {any} implementation
 * @param {any[]} messages
 * @param {{ terminal?: object, fileReads?: object }} options
 * @param {number} now
 */
export function cleanUpReporting(implementation, messages, options, now) {
  const { terminal, fileReads } = /** @type {any} */ (options);
  const times = terminal?.prepares ? { times: implementation.newestTimes(messages) } : {};
  const reports = [
    implementation.cleanOrphanedToolCalls(messages),
    implementation.simplifyOutdatedTerminalResults(messages, { ...terminal, ...times, now }),
    implementation.simplifyHistoricalFileReads(messages, { ...fileReads, ...times, now }),
  ];
  return { messages, reports };
}

/**
 * What the reference's functions take to do as `prepareMessages` and sessions do with `options`.
 * @param {{ terminal?: object, fileReads?: object, placeholderLanguage?: string }} options
 */
export function asPrepared({ terminal, fileReads, placeholderLanguage }) {
  const shared = { prepares: true, ...(placeholderLanguage !== undefined && { placeholderLanguage }) };
  return { terminal: { ...shared, ...terminal }, fileReads: { ...shared, ignoreCase: true, ...fileReads } };
}

/**
 * Passes when `actual` is what the reference made of `stored`: the same stored objects in the same places,
 * and equal copies where the reference made copies.
 * @param {readonly any[]} actual
 * @param {readonly any[]} expected made by the reference from the very objects in `stored`
 * @param {readonly any[]} stored
 */
export function assertSameHistory(actual, expected, stored) {
  const originals = new Set(stored);
  const count = Math.min(actual.length, expected.length);
  for (let index = 0; index < count; index++) {
    if (Object.is(actual[index], expected[index])) continue;
    const where = `slot ${index} of ${expected.length} (stored: ${stored.length})`;
    if (originals.has(expected[index])) {
      const at = stored.indexOf(expected[index]);
      assert.deepEqual(actual[index], expected[index], `${where}: stored message ${at} should have stayed`);
      assert.fail(`${where}: equal to stored message ${at}, but not the same object`);
    }
    assert.ok(!originals.has(actual[index]), `${where}: should be a copy that says ${show(expected[index])}`);
    assert.deepEqual(actual[index], expected[index], `${where}: not the copy that it should be`);
  }
  assert.equal(actual.length, expected.length, 'a different number of messages');
}

/**
 * Runs `act` on a fresh array of `stored` and passes when `stored` is deep-equal to before afterwards.
 * @template T
 * @param {any[]} stored
 * @param {(messages: any[]) => T} act
 * @returns {T}
 */
export function withoutTouching(stored, act) {
  const before = structuredClone(stored);
  const result = act([...stored]);
  assert.deepEqual(stored, before, 'R0.1: a stored message was written to');
  return result;
}

function show(message) {
  return JSON.stringify(message?.content ?? null)?.slice(0, 80);
}
