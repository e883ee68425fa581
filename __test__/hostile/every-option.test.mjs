// @ts-check
/** Every export refuses wrong values of its arguments and options; `option-table.mjs` lists both. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import * as palimpsest from 'palimpsest';
import * as dropIns from 'palimpsest/messageCleanup';
import { oldTerminalResult } from '../support/old-results.mjs';
import { optionTable } from '../support/option-table.mjs';
import { wrongTypes } from '../support/option-values.mjs';

const p = /** @type {any} */ (palimpsest);
const folder = mkdtempSync(join(tmpdir(), 'palimpsest-options-'));
const archive = new p.SessionArchive(join(folder, 'archive.db'));
after(async () => {
  await archive.close();
  rmSync(folder, { recursive: true, force: true });
});

const TABLE = optionTable(archive);
const stored = () => oldTerminalResult('a');

/** Exports without arguments, or with messages only, which are data. */
const WITHOUT_OPTIONS = ['cleanOrphanedToolCalls', 'getMaxOutputLimit', 'toolTimeouts', 'version'];

/** @param {() => unknown} call @returns {Promise<any>} what it throws or rejects with */
async function thrownBy(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** @param {any} error @param {string} name of the argument @param {string} what for the assertion's message */
function assertNames(error, name, what) {
  assert.ok(error instanceof TypeError || error instanceof RangeError, `${what}: ${error?.stack ?? 'nothing thrown'}`);
  assert.equal(
    Reflect.get(error, 'code'),
    error instanceof TypeError ? 'ERR_INVALID_ARG_TYPE' : 'ERR_OUT_OF_RANGE',
    what,
  );
  const sentence = new RegExp(`^${name.replaceAll(/[.[\]]/g, '\\$&')}(\\[\\d+\\]|\\.\\w+)?: expected .+, got .+`);
  assert.match(error.message, sentence, what);
}

describe('R0.3 wrong arguments and options', () => {
  for (const [title, call, options, path = 'options.'] of TABLE) {
    for (const [name, option] of Object.entries(options)) {
      it(`${title} refuses wrong values of ${path}${name} with an error that names it, and changes no message`, async () => {
        const messages = stored();
        const before = structuredClone(messages);
        for (const value of wrongTypes(option)) {
          const error = await thrownBy(() => call(name, value, messages));
          assertNames(error, `${path}${name}`, `${typeof value} ${String(value)}`);
          assert.equal(error.name, 'TypeError', `${typeof value} ${String(value)}: ${error.message}`);
        }
        for (const value of option.wrong ?? []) {
          assertNames(await thrownBy(() => call(name, value, messages)), `${path}${name}`, typeof value);
        }
        assert.deepEqual(messages, before);
      });

      if (option.isRequired || option.isNullMeaningful || option.types.length === 0) continue;
      it(`${title} treats null as undefined for ${path}${name}`, async () => {
        const [withNull, without] = await Promise.all(
          [null, undefined].map((value) => thrownBy(() => call(name, value, stored()))),
        );
        assert.deepEqual(withNull?.code, without?.code);
        assert.ok(!/^ERR_(INVALID_ARG_TYPE|OUT_OF_RANGE)$/.test(withNull?.code), withNull?.message);
      });
    }
  }

  it('the table has a row for every export that takes arguments', () => {
    const named = TABLE.map(([title]) => title.split(/[., ]/)[0]);
    const missing = Object.keys(p).filter((name) => !named.includes(name) && !WITHOUT_OPTIONS.includes(name));
    assert.deepEqual(missing, []);
  });

  it('every function that takes options refuses a value that is no object', async () => {
    /** @type {[string, (options: any) => unknown][]} */
    const takers = [
      ['simplifyOutdatedTerminalResults', (o) => p.simplifyOutdatedTerminalResults(stored(), o)],
      ['prepareMessages', (o) => p.prepareMessages(stored(), o)],
      ['ContextView', (o) => new p.ContextView(o)],
      ['ContextViews', (o) => new p.ContextViews(o)],
      ['stripForApi', (o) => p.stripForApi(stored(), o)],
      ['expandHistory', (o) => p.expandHistory(stored(), o)],
      ['renderCompressionHistory', (o) => p.renderCompressionHistory(stored(), o)],
      ['TokenCounter', (o) => new p.TokenCounter(o)],
      ['TokenCalibration', (o) => new p.TokenCalibration(o)],
      ['setLogger', (o) => p.setLogger(null, o)],
      ['sanitizeToolResult', (o) => p.sanitizeToolResult({}, o)],
      ['parseContextLengthError', (o) => p.parseContextLengthError('x', null, o)],
      ['runWithProgress', (o) => p.runWithProgress(o, () => 1)],
      ['HttpLlmClient', (o) => new p.HttpLlmClient(o)],
      ['search', (o) => archive.search('x', o)],
      ['lookupTool', (o) => archive.lookupTool(o)],
      ['AutoCompressionManager', (o) => new p.AutoCompressionManager({}, () => 'x', null, o)],
    ];
    for (const [what, call] of takers) {
      for (const value of [1, 'x', true, 5n, Symbol('x'), () => 1]) {
        const error = await thrownBy(() => call(value));
        assertNames(error, 'options', `${what} ${typeof value}`);
        assert.equal(error.code, 'ERR_INVALID_ARG_TYPE', what);
      }
    }
  });

  it('drop-in functions of messageCleanup ignore further arguments', () => {
    const { sanitizeToolResultForHistory: _sameAsInTheRoot, ...ofMessages } = dropIns;
    for (const call of Object.values(ofMessages)) {
      assert.equal(/** @type {any} */ (call)([{ role: 'user', content: 'x' }], { keepRecent: -1 }), undefined);
    }
  });
});
