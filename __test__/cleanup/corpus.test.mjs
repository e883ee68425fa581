// @ts-check
import assert from 'node:assert/strict';
import * as palimpsest from 'palimpsest';
import { loadReference } from '../reference/load.mjs';
import { asPrepared, assertSameHistory, cleanUp, withoutTouching } from '../support/comparison.mjs';
import { testEachSession } from '../support/corpus.mjs';

// Looked up by name, which a linter would rather not see done to a namespace.
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

/** The tools that the recorded agents have, under their own names. */
const OWN_TOOLS = {
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
  terminal: { ...OWN_TOOLS.terminal, keepRecent: 1, maxAgeMs: 0 },
  fileReads: { ...OWN_TOOLS.fileReads, keepRecent: 1 },
  textSearch: { ...OWN_TOOLS.textSearch, keepRecent: 0, maxAgeMs: 0 },
};
const DEFAULTS = { fileReads: { projectRoot: '/home/user', caseInsensitivePaths: false } };
const ALL_OPTIONS = [DEFAULTS, OWN_TOOLS, NARROW];

/** With what `prepareMessages` otherwise decides by itself. @param {any} options */
const named = (options) => ({
  placeholderLanguage: /** @type {const} */ ('zh'),
  ...options,
  terminal: { terminalTools: ['bash', 'shell', 'exec_command', 'execute_command'], ...options.terminal },
  fileReads: { readTools: ['filesystem-read'], pathKeys: ['filePath'], ...options.fileReads },
});

/** Sessions that were recorded without a clock get one tick per message, so that their contents count, too. */
function timed(messages) {
  if (messages.some((message) => typeof message.timestamp === 'number')) return messages;
  return messages.map((message, index) => ({ ...message, timestamp: START + index * 30_000 }));
}

function lastTimestamp(messages) {
  return messages.reduce((latest, { timestamp }) => Math.max(latest, timestamp ?? 0), 0);
}

testEachSession('R1 R2 R3 R3b.1 every function does to a recorded session what the reference does', ({ messages }) => {
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
});

testEachSession(
  'R3b.2 prepareMessages gives for a recorded session what the three functions give, and nothing longer',
  (session) => {
    const stored = timed(session.messages);
    const now = lastTimestamp(stored) + HOUR;
    for (const options of ALL_OPTIONS) {
      const expected = cleanUp(reference, [...stored], asPrepared(named(options)), now);
      const { textSearch: _, ...chosen } = /** @type {any} */ (options);
      const prepared = withoutTouching(
        stored,
        (fresh) => product.prepareMessages(fresh, { ...named(chosen), now }).messages,
      );
      assertSameHistory(prepared, expected, stored);
    }
  },
);

testEachSession(
  'R0.4 a recorded session that grows message by message is always cleaned as if seen for the first time',
  (session) => {
    const stored = timed(session.messages);
    // The longest session would take the reference longer than all other tests together.
    const step = stored.length > 950 ? 10 : 1;
    const before = structuredClone(stored);
    for (const options of [DEFAULTS, OWN_TOOLS]) {
      const { textSearch: _, ...chosen } = /** @type {any} */ (options);
      for (let length = 1; length <= stored.length; length += step) {
        const sofar = stored.slice(0, length);
        const now = lastTimestamp(sofar) + 1000;
        const expected = cleanUp(reference, [...sofar], options, now);
        assertSameHistory(cleanUp(product, [...sofar], options, now), expected, sofar);
        const prepared = cleanUp(reference, [...sofar], asPrepared(named(options)), now);
        assertSameHistory(product.prepareMessages(sofar, { ...named(chosen), now }).messages, prepared, sofar);
      }
    }
    assert.deepEqual(stored, before, 'R0.1: a stored message was written to');
  },
);
