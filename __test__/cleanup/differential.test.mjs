// @ts-check
/** Random histories: the product and the reference must do the same. */
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
  withFixedDefaults,
  withoutTouching,
} from '../support/comparison.mjs';
import { Application, turns } from '../support/edits.mjs';
import {
  cleanupOptions,
  delay,
  fileReadOptions,
  history,
  MINUTE,
  terminalOptions,
  textSearchOptions,
} from '../support/histories.mjs';

// A copy, because a linter forbids access to a namespace by computed names.
const product = { ...palimpsest };
const reference = await loadReference();

const branchOptions = fc.array(cleanupOptions, { minLength: 1, maxLength: 2 });

/**
 * Compares one function of the product with that of the reference.
 * @param {string} name
 * @param {fc.Arbitrary<any>} options
 * @param {number} share of all runs
 */
function compareFunction(name, options, share) {
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

test('R1 simplifyOutdatedTerminalResults changes a history as the reference does', () => {
  compareFunction('simplifyOutdatedTerminalResults', terminalOptions, 0.2);
});

test('R2 simplifyHistoricalFileReads changes a history as the reference does', () => {
  compareFunction('simplifyHistoricalFileReads', fileReadOptions, 0.2);
});

test('R3 cleanOrphanedToolCalls changes a history as the reference does', () => {
  compareFunction('cleanOrphanedToolCalls', fc.constant({}), 0.1);
});

test('R3b.1 simplifyTextSearchResults changes a history as the reference does', () => {
  compareFunction('simplifyTextSearchResults', textSearchOptions, 0.1);
});

test('R3b.2 prepareMessages replaces what the three drop-in functions replace in turn, and only by shorter texts', () => {
  const property = fc.property(history, cleanupOptions, delay, ({ messages, end }, options, minutes) => {
    const now = end + minutes * MINUTE;
    const expected = cleanUp(reference, [...messages], asPrepared(withFixedDefaults(options)), now);
    const actual = withoutTouching(messages, (fresh) => {
      const before = [...fresh];
      const prepared = product.prepareMessages(fresh, { ...withFixedDefaults(options), unknownAge: 'keep', now });
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
 * Plays turns of an application. `send` returns what is sent of the stored messages, and must return the same for their clone.
 * @typedef {(stored: any[], options: any, now: number) => { messages: any[], reports: any[] }} Send
 * @param {any[]} played
 * @param {any[]} choices
 * @param {Send} send
 * @param {(options: any) => any} [toReference] converts options to those of the reference
 */
function play(played, choices, send, toReference = (options) => options) {
  const application = new Application();
  played.forEach((turn, number) => {
    for (const edit of turn.edits) application.apply(edit);
    const options = choices[turn.option % choices.length];
    const now = application.now + turn.minutesLater * MINUTE;
    const { stored } = application;
    const sent = withoutTouching(stored, () => send(stored, options, now));
    const expected = cleanUp(reference, [...stored], toReference(options), now);
    try {
      assertSameHistory(sent.messages, expected, stored);
      const { reports } = send(structuredClone(stored), options, now);
      assert.deepEqual(sent.reports, reports, 'R3b.3: a report of another history');
    } catch (error) {
      throw new Error(`turn ${number}: ${/** @type {Error} */ (error).message}`, { cause: error });
    }
    application.received(sent.messages);
  });
}

/** @type {(implementation: any) => Send} */
const dropIn = (implementation) => (stored, options, now) =>
  withoutUnrecognised(cleanUpReporting(implementation, [...stored], options, now));

/** @type {(from: any) => { messages: any[], reports: any[] }} */
const prepared = ({ messages, report }) => ({ messages, reports: [report] });

/**
 * Reports without the counts of unrecognised forms: an object that is edited into another form counts as before.
 * @type {(sent: any) => { messages: any[], reports: any[] }}
 */
const withoutUnrecognised = ({ messages, reports }) => ({
  messages,
  reports: reports.map((report) => ({ ...report, unrecognised: null, unrecognisedForms: null })),
});

test('R0.1 R0.4 a conversation sent turn by turn is cleaned as if it was new, whatever the application edits', () => {
  const property = fc.property(turns, branchOptions, (played, choices) => play(played, choices, dropIn(product)));
  fc.assert(property, runs(0.25));
});

test('R3b.2 prepareMessages keeps no state that an edit of the application makes wrong', () => {
  const property = fc.property(turns, branchOptions, (played, choices) => {
    const send = (stored, options, now) =>
      withoutUnrecognised(
        prepared(product.prepareMessages(stored, { ...withFixedDefaults(options), unknownAge: 'keep', now })),
      );
    play(played, choices, send, (options) => asPrepared(withFixedDefaults(options)));
  });
  fc.assert(property, runs(0.15));
});
