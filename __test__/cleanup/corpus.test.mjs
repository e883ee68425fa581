// @ts-check
/** The drop-in functions and `prepareMessages` on recorded sessions, compared with the reference. */
import assert from 'node:assert/strict';
import * as palimpsest from 'palimpsest';
import { loadReference } from '../reference/load.mjs';
import { asPrepared, assertSameHistory, cleanUp, withFixedDefaults, withoutTouching } from '../support/comparison.mjs';
import { testEachSession } from '../support/corpus.mjs';

// A copy, because a linter forbids access to a namespace by computed names.
const product = { ...palimpsest };
const reference = await loadReference();
const HOUR = 3_600_000;
const START = 1_780_000_000_000;
const FUNCTIONS = /** @type {const} */ ([
  ['simplifyOutdatedTerminalResults', 'terminal'],
  ['simplifyHistoricalFileReads', 'fileReads'],
  ['simplifyTextSearchResults', 'textSearch'],
  ['cleanOrphanedToolCalls', 'orphans'],
]);

/** The names of the recorded agents' tools. */
const RECORDED_TOOLS = {
  terminal: { terminalTools: ['bash', 'Bash', 'exec', 'browser_action_tool'] },
  fileReads: {
    readTools: ['Read', 'read', 'read_file', 'open', 'filesystem-read'],
    pathKeys: ['file_path', 'path', 'filePath'],
    projectRoot: '/home/user',
    caseInsensitivePaths: false,
  },
  textSearch: { searchTools: ['Grep', 'web-search'] },
};
const NARROW = {
  terminal: { ...RECORDED_TOOLS.terminal, keepRecent: 1, maxAgeMs: 0 },
  fileReads: { ...RECORDED_TOOLS.fileReads, keepRecent: 1 },
  textSearch: { ...RECORDED_TOOLS.textSearch, keepRecent: 0, maxAgeMs: 0 },
};
const DEFAULTS = { fileReads: { projectRoot: '/home/user', caseInsensitivePaths: false } };
const ALL_OPTIONS = [DEFAULTS, RECORDED_TOOLS, NARROW];

/** Sessions that were recorded without times get one time per message, so that rules apply to them. */
function timed(messages) {
  if (messages.some((message) => typeof message.timestamp === 'number')) return messages;
  return messages.map((message, index) => ({ ...message, timestamp: START + index * 30_000 }));
}

function lastTimestamp(messages) {
  return messages.reduce((latest, { timestamp }) => Math.max(latest, timestamp ?? 0), 0);
}

testEachSession(
  'R1 R2 R3 R3b.1 every drop-in function changes a recorded session as the reference does',
  ({ messages }) => {
    for (const stored of new Set([messages, timed(messages)])) {
      for (const now of [lastTimestamp(stored), lastTimestamp(stored) + HOUR]) {
        for (const options of ALL_OPTIONS) {
          for (const [name, preset] of FUNCTIONS) {
            const expected = [...stored];
            /** @type {any} */ (reference)[name](expected, { ...options[preset], now });
            const actual = withoutTouching(stored, (fresh) => {
              product[name](fresh, { ...options[preset], now });
              return fresh;
            });
            assertSameHistory(actual, expected, stored);
          }
        }
      }
    }
  },
);

testEachSession(
  'R3b.2 prepareMessages replaces in a recorded session what the three drop-in functions replace, and only by shorter texts',
  (session) => {
    const stored = timed(session.messages);
    const now = lastTimestamp(stored) + HOUR;
    for (const options of ALL_OPTIONS) {
      const expected = cleanUp(reference, [...stored], asPrepared(withFixedDefaults(options)), now);
      const { textSearch: _, ...chosen } = /** @type {any} */ (options);
      const prepared = withoutTouching(
        stored,
        (fresh) => product.prepareMessages(fresh, { ...withFixedDefaults(chosen), now }).messages,
      );
      assertSameHistory(prepared, expected, stored);
    }
  },
);

testEachSession(
  'R0.4 a recorded session that grows message by message is cleaned as if each part was new',
  (session) => {
    const stored = timed(session.messages);
    // The reference is slow: the longest session would take longer than all other tests together.
    const step = stored.length > 950 ? 10 : 1;
    const before = structuredClone(stored);
    for (const options of [DEFAULTS, RECORDED_TOOLS]) {
      const { textSearch: _, ...chosen } = /** @type {any} */ (options);
      for (let length = 1; length <= stored.length; length += step) {
        const part = stored.slice(0, length);
        const now = lastTimestamp(part) + 1000;
        const expected = cleanUp(reference, [...part], options, now);
        assertSameHistory(cleanUp(product, [...part], options, now), expected, part);
        const prepared = cleanUp(reference, [...part], asPrepared(withFixedDefaults(options)), now);
        assertSameHistory(
          product.prepareMessages(part, { ...withFixedDefaults(chosen), now }).messages,
          prepared,
          part,
        );
      }
    }
    assert.deepEqual(stored, before, 'R0.1: a stored message was written to');
  },
);
