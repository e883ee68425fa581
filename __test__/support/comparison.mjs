// @ts-check
/** Runs the drop-in functions and the reference on the same histories, and compares the results. */
import assert from 'node:assert/strict';

/**
 * Total fast-check runs of all differential tests. `npm test` always draws the same cases, so more runs would find
 * something only once. The fuzz campaign `properties` draws four times as many, with new cases each time.
 */
const TOTAL_RUNS = Number(process.env.PROPERTY_RUNS ?? 500);
if (!(TOTAL_RUNS >= 500)) throw new Error(`expected PROPERTY_RUNS of 500 or more; got ${process.env.PROPERTY_RUNS}`);

/** Includes the cause in the message, because the test runner prints nothing else. @param {number} share of all runs */
export const runs = (share) => ({ numRuns: Math.ceil(TOTAL_RUNS * share), includeErrorInReport: true });

/**
 * Calls the drop-in functions of the product or of the reference, as an application does before a request.
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
 * Like {@link cleanUp}, also with each function's return value.
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
 * Options with which the reference's functions do the same as `prepareMessages` and sessions with `options`.
 * @param {{ terminal?: object, fileReads?: object, placeholderLanguage?: string }} options
 */
export function asPrepared({ terminal, fileReads, placeholderLanguage }) {
  const shared = { prepares: true, ...(placeholderLanguage !== undefined && { placeholderLanguage }) };
  return { terminal: { ...shared, ...terminal }, fileReads: { ...shared, ignoreCase: true, ...fileReads } };
}

/**
 * `options` with fixed values for what `prepareMessages` chooses itself: the language, and the tools of all agents.
 * @param {any} options
 */
export const withFixedDefaults = (options) => ({
  placeholderLanguage: /** @type {const} */ ('zh'),
  ...options,
  terminal: {
    terminalTools: ['terminal-execute', 'bash', 'shell', 'run_shell_command', 'exec_command', 'execute_command'],
    ...options.terminal,
  },
  fileReads: { readTools: ['filesystem-read'], pathKeys: ['filePath'], ...options.fileReads },
});

/**
 * Asserts that `actual` equals the reference's result for `stored`: the same stored objects at the same indexes, and
 * equal copies where the reference made copies.
 * @param {readonly any[]} actual
 * @param {readonly any[]} expected created by the reference from the same objects as in `stored`
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
 * Runs `act` on a new array of `stored`, and asserts that `stored` is deep-equal to before.
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
