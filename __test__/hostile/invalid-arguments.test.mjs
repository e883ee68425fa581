// @ts-check
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
import { ANSWER, fiveNewer, IN_CHINESE, NOW, OUTDATED, oldTerminalResult, SUCCESS } from '../support/old-results.mjs';

/** @typedef {any} Odd */

describe('R0.3 wrong arguments throw before anything has changed', () => {
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
        assert.throws(() => call(/** @type {Odd} */ (value)), {
          name: 'TypeError',
          code: 'ERR_INVALID_ARG_TYPE',
          message: /^messages: expected an array, got /,
        });
      });
    }
  }

  /** @type {[string, Odd, string, RegExp][]} */
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

  it('a relative projectRoot is refused with a RangeError', () => {
    assert.throws(() => simplifyHistoricalFileReads([], { projectRoot: 'src' }), {
      name: 'RangeError',
      message: /absolute/,
    });
  });

  it('rules without name or placeholder, and two rules of one name, are refused', () => {
    const rules =
      (/** @type {Odd} */ ...given) =>
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
    assert.throws(() => simplifyToolResults([], /** @type {Odd} */ (null)), { name: 'TypeError', message: /^rules/ });
  });

  it('an option that holds itself is refused like any other of the wrong type', () => {
    /** @type {Odd[]} */
    const list = [];
    list.push(list);
    /** @type {Odd} */
    const object = {};
    object.itself = object;
    const messages = [...oldTerminalResult('a'), ...fiveNewer()];
    for (const keepRecent of [list, object]) {
      assert.throws(() => simplifyOutdatedTerminalResults(messages, { keepRecent }), { code: 'ERR_INVALID_ARG_TYPE' });
    }
  });

  it('null options and null fields mean the defaults', () => {
    const messages = [...oldTerminalResult('a'), ...fiveNewer()];
    simplifyOutdatedTerminalResults([...messages], /** @type {Odd} */ (null));
    const report = simplifyOutdatedTerminalResults(
      messages,
      /** @type {Odd} */ ({ keepRecent: null, terminalTools: null, now: NOW }),
    );
    assert.equal(report.changed, 1);
  });

  it('a frozen array is a TypeError, a frozen message is not', () => {
    const messages = Object.freeze(
      [...oldTerminalResult('a'), ...fiveNewer(), ANSWER].map((message) => Object.freeze(message)),
    );
    for (const call of [cleanOrphanedToolCalls, simplifyOutdatedTerminalResults, simplifyHistoricalFileReads]) {
      assert.throws(() => call(/** @type {Odd} */ (messages)), { name: 'TypeError', message: /frozen/ });
    }
    assert.equal(prepareMessages(messages, IN_CHINESE).messages[1]?.content, OUTDATED);
    assert.equal(messages[1]?.content, SUCCESS);
  });

  it('a sealed array is refused where messages may have to be removed', () => {
    assert.throws(() => cleanOrphanedToolCalls(Object.seal([])), { name: 'TypeError', message: /sealed/ });
    assert.equal(simplifyOutdatedTerminalResults(Object.seal([{ role: 'user', content: 'x' }])).changed, 0);
  });
});
