// @ts-check
/** Errors of the cleanup functions for wrong arguments, with their messages. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  cleanOrphanedToolCalls,
  prepareMessages,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
  simplifyTextSearchResults,
  simplifyToolResults,
} from 'palimpsest';
import {
  ANSWER,
  fiveNewer,
  IN_CHINESE,
  NOW,
  oldTerminalResult,
  SUCCESS,
  TERMINAL_PLACEHOLDER,
} from '../support/old-results.mjs';

/** @typedef {any} Untyped */

describe('R0.3 the cleanup functions throw for wrong arguments before they change a message', () => {
  const functions = {
    cleanOrphanedToolCalls,
    prepareMessages,
    simplifyHistoricalFileReads,
    simplifyOutdatedTerminalResults,
    simplifyTextSearchResults,
  };
  for (const [name, call] of Object.entries(functions)) {
    for (const [what, value] of Object.entries({
      undefined,
      null: null,
      number: 3,
      string: 'x',
      object: {},
      set: new Set(),
    })) {
      it(`${name} refuses ${what} for messages with a TypeError`, () => {
        assert.throws(() => call(/** @type {Untyped} */ (value)), {
          name: 'TypeError',
          code: 'ERR_INVALID_ARG_TYPE',
          message: /^messages: expected an array, got /,
        });
      });
    }
  }

  /** @type {[string, Untyped, string, RegExp][]} */
  const badOptions = [
    ['a string for options', 'x', 'TypeError', /^options: expected an object, got a string$/],
    ['a negative keepRecent', { keepRecent: -1 }, 'RangeError', /^options\.keepRecent: .* got -1$/],
    ['a fractional keepRecent', { keepRecent: 1.5 }, 'RangeError', /1\.5/],
    ['NaN for keepRecent', { keepRecent: Number.NaN }, 'RangeError', /NaN/],
    ['an unsafe keepRecent', { keepRecent: 2 ** 60 }, 'RangeError', /keepRecent/],
    ['text for keepRecent', { keepRecent: '5' }, 'TypeError', /got a string$/],
    ['a negative maxAgeMs', { maxAgeMs: -1 }, 'RangeError', /maxAgeMs/],
    ['NaN for maxAgeMs', { maxAgeMs: Number.NaN }, 'RangeError', /maxAgeMs/],
    ['a bigint for maxAgeMs', { maxAgeMs: 5n }, 'TypeError', /maxAgeMs/],
    ['NaN for now', { now: Number.NaN }, 'RangeError', /options\.now/],
    ['a Date for now', { now: new Date() }, 'TypeError', /options\.now/],
    ['a string for terminalTools', { terminalTools: 'bash' }, 'TypeError', /terminalTools: expected an array/],
    ['a number among terminalTools', { terminalTools: ['bash', 3] }, 'TypeError', /terminalTools\[1\]/],
    ['an unknown errors mode', { errors: 'none' }, 'RangeError', /'none'/],
    ['a number for placeholder', { placeholder: 5 }, 'TypeError', /placeholder/],
    ['a string for countErrors', { countErrors: 'yes' }, 'TypeError', /countErrors/],
  ];
  for (const [what, options, name, message] of badOptions) {
    it(`simplifyOutdatedTerminalResults refuses ${what} with a ${name}`, () => {
      const messages = [...oldTerminalResult('a'), ...fiveNewer()];
      const before = [...messages];
      assert.throws(() => simplifyOutdatedTerminalResults(messages, options), { name, message });
      assert.ok(messages.every((slot, index) => slot === before[index]));
    });
  }

  it('simplifyHistoricalFileReads refuses a relative projectRoot with a RangeError', () => {
    assert.throws(() => simplifyHistoricalFileReads([], { projectRoot: 'src' }), {
      name: 'RangeError',
      message: /absolute/,
    });
  });

  it('simplifyToolResults refuses rules without name or placeholder, two rules with one name, and a wrong groupBy', () => {
    const rules =
      (/** @type {Untyped} */ ...given) =>
      () =>
        simplifyToolResults([], given);
    assert.throws(rules({ placeholder: 'x' }), { name: 'TypeError', message: /rules\[0\]\.name/ });
    assert.throws(rules({ name: 'x' }), { name: 'TypeError', message: /rules\[0\]\.placeholder/ });
    assert.throws(rules({ name: 'x', placeholder: '' }, { name: 'x', placeholder: '' }), {
      name: 'RangeError',
      message: /rules\[1\]\.name/,
    });
    assert.throws(rules(7), { name: 'TypeError', message: /rules\[0\]/ });
    assert.throws(rules({ name: 'x', placeholder: '', groupBy: 'file' }), { name: 'RangeError', message: /groupBy/ });
    assert.throws(() => simplifyToolResults([], /** @type {Untyped} */ (null)), {
      name: 'TypeError',
      message: /^rules/,
    });
  });

  it('a cyclic object or array as an option is a TypeError', () => {
    /** @type {Untyped[]} */
    const list = [];
    list.push(list);
    /** @type {Untyped} */
    const object = {};
    object.self = object;
    const messages = [...oldTerminalResult('a'), ...fiveNewer()];
    for (const keepRecent of [list, object]) {
      assert.throws(() => simplifyOutdatedTerminalResults(messages, { keepRecent }), { code: 'ERR_INVALID_ARG_TYPE' });
    }
  });

  it('null as options, or as an option, means the default', () => {
    const messages = [...oldTerminalResult('a'), ...fiveNewer()];
    simplifyOutdatedTerminalResults([...messages], /** @type {Untyped} */ (null));
    const report = simplifyOutdatedTerminalResults(
      messages,
      /** @type {Untyped} */ ({ keepRecent: null, terminalTools: null, now: NOW }),
    );
    assert.equal(report.changed, 1);
  });

  it('functions that write to the array refuse a frozen one, and prepareMessages accepts frozen messages', () => {
    const messages = Object.freeze(
      [...oldTerminalResult('a'), ...fiveNewer(), ANSWER].map((message) => Object.freeze(message)),
    );
    for (const call of [cleanOrphanedToolCalls, simplifyOutdatedTerminalResults, simplifyHistoricalFileReads]) {
      assert.throws(() => call(/** @type {Untyped} */ (messages)), { name: 'TypeError', message: /frozen/ });
    }
    assert.equal(prepareMessages(messages, IN_CHINESE).messages[1]?.content, TERMINAL_PLACEHOLDER);
    assert.equal(messages[1]?.content, SUCCESS);
  });

  it('cleanOrphanedToolCalls refuses a sealed array, and simplifyOutdatedTerminalResults accepts it', () => {
    assert.throws(() => cleanOrphanedToolCalls(Object.seal([])), { name: 'TypeError', message: /sealed/ });
    assert.equal(simplifyOutdatedTerminalResults(Object.seal([{ role: 'user', content: 'x' }])).changed, 0);
  });
});
