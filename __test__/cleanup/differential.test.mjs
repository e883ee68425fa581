// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as palimpsest from 'palimpsest';
import { loadReference } from '../reference/load.mjs';
import {
  asPrepared,
  assertSameHistory,
  cleanUp,
  cleanUpReporting,
  runs,
  withoutTouching,
} from '../support/comparison.mjs';
import { Host, turns } from '../support/edits.mjs';
import {
  cleanupOptions,
  delay,
  fileReadOptions,
  history,
  MINUTE,
  terminalOptions,
  textSearchOptions,
} from '../support/histories.mjs';

// Looked up by name, which a linter would rather not see done to a namespace.
const product = { ...palimpsest };
const reference = await loadReference();

/** With what `prepareMessages` otherwise decides by itself: the language, and the tools, which are those of all agents. @param {any} options */
const named = (options) => ({
  placeholderLanguage: 'zh',
  ...options,
  terminal: { terminalTools: ['terminal-execute', 'bash', 'run_shell_command', 'exec_command'], ...options.terminal },
  fileReads: { readTools: ['filesystem-read'], pathKeys: ['filePath'], ...options.fileReads },
});
const branchOptions = fc.array(cleanupOptions, { minLength: 1, maxLength: 2 });

/**
 * One function of the product against the same function of the reference.
 * @param {string} name
 * @param {fc.Arbitrary<any>} options
 * @param {number} share
 */
function compareAlone(name, options, share) {
  const property = fc.property(history, options, delay, ({ messages, end }, chosen, minutes) => {
    const given = { ...chosen, now: end + minutes * MINUTE };
    const expected = [...messages];
    reference[name](expected, given);
    const actual = withoutTouching(messages, (fresh) => {
      product[name](fresh, given);
      return fresh;
    });
    assertSameHistory(actual, expected, messages);
  });
  fc.assert(property, runs(share));
}

test('R1 terminal results end up as in the reference', () => {
  compareAlone('simplifyOutdatedTerminalResults', terminalOptions, 0.2);
});

test('R2 file reads end up as in the reference', () => {
  compareAlone('simplifyHistoricalFileReads', fileReadOptions, 0.2);
});

test('R3 orphans end up as in the reference', () => {
  compareAlone('cleanOrphanedToolCalls', fc.constant({}), 0.1);
});

test('R3b.1 text searches end up as in the reference', () => {
  compareAlone('simplifyTextSearchResults', textSearchOptions, 0.1);
});

test('R3b.2 prepareMessages gives what the three functions give one after the other, and nothing that is longer', () => {
  const property = fc.property(history, cleanupOptions, delay, ({ messages, end }, options, minutes) => {
    const now = end + minutes * MINUTE;
    const expected = cleanUp(reference, [...messages], asPrepared(named(options)), now);
    const actual = withoutTouching(messages, (fresh) => {
      const before = [...fresh];
      const prepared = product.prepareMessages(fresh, { ...named(options), unknownAge: 'keep', now });
      assert.notEqual(prepared.messages, fresh, 'the result must be a new array');
      assert.ok(
        fresh.length === before.length && fresh.every((message, index) => Object.is(message, before[index])),
        'the array that was passed in changed',
      );
      return prepared.messages;
    });
    assertSameHistory(actual, expected, messages);
  });
  fc.assert(property, runs(0.15));
});

/**
 * Plays turns of a host. `send` makes what is sent from the stored messages of the current conversation, `afresh`
 * does the same without having seen any message before.
 * @typedef {(stored: any[], options: any, now: number) => { messages: any[], reports: any[] }} Send
 * @param {any[]} played
 * @param {any[]} choices
 * @param {Send} send
 * @param {{ afresh?: Send, expect?: (options: any) => any }} [settings] `expect`: what the reference takes instead
 */
function play(played, choices, send, { afresh = send, expect = (options) => options } = {}) {
  const host = new Host();
  played.forEach((turn, number) => {
    for (const edit of turn.edits) host.apply(edit);
    const options = choices[turn.option % choices.length];
    const now = host.now + turn.minutesLater * MINUTE;
    const { stored } = host;
    const sent = withoutTouching(stored, () => send(stored, options, now));
    const expected = cleanUp(reference, [...stored], expect(options), now);
    try {
      assertSameHistory(sent.messages, expected, stored);
      const { reports } = afresh(structuredClone(stored), options, now);
      assert.deepEqual(sent.reports, reports, 'R3b.3: a report tells of another history');
    } catch (error) {
      throw new Error(`turn ${number}: ${/** @type {Error} */ (error).message}`, { cause: error });
    }
    host.received(sent.messages);
  });
}

/** @type {(implementation: any) => Send} */
const dropIn = (implementation) => (stored, options, now) =>
  withoutForms(cleanUpReporting(implementation, [...stored], options, now));

/** @type {(from: any) => { messages: any[], reports: any[] }} */
const prepared = ({ messages, report }) => ({ messages, reports: [report] });

/**
 * An object that is edited into another form counts as what it was; all else of the reports must agree.
 * @type {(sent: any) => { messages: any[], reports: any[] }}
 */
const withoutForms = ({ messages, reports }) => ({
  messages,
  reports: reports.map((report) => ({ ...report, unrecognised: null, unrecognisedForms: null })),
});

test('R0.1 R0.4 a conversation sent turn by turn is cleaned as if seen for the first time, whatever the host edits', () => {
  const property = fc.property(turns, branchOptions, (played, choices) => play(played, choices, dropIn(product)));
  fc.assert(property, runs(0.25));
});

test('R3b.2 prepareMessages remembers nothing that a host may have edited', () => {
  const property = fc.property(turns, branchOptions, (played, choices) => {
    const send = (stored, options, now) =>
      withoutForms(prepared(product.prepareMessages(stored, { ...named(options), unknownAge: 'keep', now })));
    play(played, choices, send, { expect: (options) => asPrepared(named(options)) });
  });
  fc.assert(property, runs(0.15));
});
