// @ts-check
/** The cost of all sessions by period, project and model, and the index that avoids reading unchanged files again. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { SessionIndex } from '../../bin/accounts/session-index.mjs';
import { spendingOf, totalOf } from '../../bin/accounts/spending.mjs';
import { claudeCode } from '../support/claude-code.mjs';
import { directory, palimpsest } from '../support/command.mjs';

const now = new Date(2026, 10, 23, 9, 30).getTime();
const quarterHour = (/** @type {number} */ daysAgo, hour = 8, minute = 0) =>
  new Date(2026, 10, 23 - daysAgo, hour, minute).getTime() / 900_000;

/** @param {[id: number | null, paid: number, quarterHour: number | null, model: number | null][]} charged @param {object} [fields] @returns {any} */
function account(charged, fields = {}) {
  const paid = charged.reduce((sum, [, cost]) => sum + cost, 0);
  const bill = { waterfall: { currency: 'usd', paid } };
  return { models: ['big', 'small'], requests: charged.length, lastMs: now, charged, bill, ...fields };
}

describe('the cost of a period', () => {
  test('the cost of a period is that of its requests, not of all sessions with a request in it', () => {
    const long = account([
      [null, 1, quarterHour(40), 0],
      [null, 2, quarterHour(29, 0), 0],
      [null, 4, quarterHour(6, 0), 1],
      [null, 8, quarterHour(1, 23, 45), 0],
      [null, 16, quarterHour(0, 0), 0],
    ]);
    const spending = spendingOf([long], now);
    assert.deepEqual(spending.get(long)?.models, [
      { model: 'big', today: 16, week: 24, month: 26, all: 27 },
      { model: 'small', today: 0, week: 4, month: 4, all: 4 },
    ]);
    assert.equal(totalOf([long], spending, { period: 'week' }).usd, 28);
    assert.equal(totalOf([long], spending, { period: 'week', model: 'small' }).usd, 4);
  });

  test('a request that a resumed session repeats is counted once, in the earlier session', () => {
    const first = account(
      [
        [1, 5, quarterHour(3), 0],
        [2, 6, quarterHour(3), 0],
      ],
      { lastMs: now - 1_000 },
    );
    const resumed = account([
      [1, 5, quarterHour(3), 0],
      [2, 6, quarterHour(3), 0],
      [3, 7, quarterHour(0), 0],
    ]);
    const spending = spendingOf([resumed, first], now);
    assert.deepEqual([spending.get(first)?.repeated, spending.get(resumed)?.repeated], [0, 11]);
    assert.deepEqual(totalOf([resumed, first], spending), { usd: 18, units: 0, isPriced: true });
    assert.equal(totalOf([resumed, first], spending, { period: 'today' }).usd, 7);
    const twice = account([
      [4, 1, null, 0],
      [4, 1, null, 0],
    ]);
    assert.equal(totalOf([twice], spendingOf([twice], now)).usd, 2, 'repetitions within one session are all counted');
  });

  test('requests without a price are summed separately, and those without a time count at their session’s end', () => {
    const units = { bill: { waterfall: { currency: 'units', paid: 900 } } };
    const [priced, unpriced] = [account([[null, 3, null, null]]), account([[null, 900, quarterHour(0), 0]], units)];
    const spending = spendingOf([priced, unpriced], now);
    assert.deepEqual(totalOf([priced, unpriced], spending, { period: 'today' }), {
      usd: 3,
      units: 900,
      isPriced: false,
    });
    assert.equal(spending.get(priced)?.models[0]?.model, null);
  });
});

describe('palimpsest sessions', () => {
  const folder = join(directory, 'indexed');
  const cacheFolder = join(directory, 'kept');
  const env = { XDG_CACHE_HOME: cacheFolder };
  const turn = (/** @type {number} */ minute) => ({
    minute,
    prompt: 'go on',
    usage: /** @type {any} */ ([0, 0, 20_000]),
  });
  const listSessions = (/** @type {string[]} */ ...words) => palimpsest(['sessions', ...words, 'indexed'], { env });
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.jsonl'), claudeCode([turn(0)], '/home/me/one'));
  writeFileSync(join(folder, 'b.jsonl'), claudeCode([turn(3)], '/home/me/two').replaceAll('"m0"', '"other"'));
  writeFileSync(join(folder, 'other.json'), '{}');

  test('sessions writes a cache file, but with --no-cache none', () => {
    const { status, stdout } = listSessions('--no-cache');
    assert.deepEqual([status, existsSync(cacheFolder)], [0, false]);
    assert.equal(listSessions().stdout, stdout);
    const [name = ''] = readdirSync(join(cacheFolder, 'palimpsest'));
    assert.match(readFileSync(join(cacheFolder, 'palimpsest', name), 'utf8'), /a\.jsonl/);
    assert.equal(listSessions().stdout, stdout, 'the output from the cache file is the same');
  });

  test('only the owner may read the cache file, which has first prompts', {
    skip: process.platform === 'win32' && 'no file modes',
  }, () => {
    const folder = join(cacheFolder, 'palimpsest');
    const [name = ''] = readdirSync(folder);
    assert.deepEqual(
      [folder, join(folder, name)].map((path) => statSync(path).mode & 0o777),
      [0o700, 0o600],
    );
  });

  test('sessions prints the newest session last, and totals by period, project and model; --since leaves out older ones', () => {
    const { stdout } = listSessions();
    const [older, newer] = [stdout.indexOf('a.jsonl'), stdout.indexOf('b.jsonl')];
    assert.ok(older > 0 && newer > older, stdout);
    // 20,000 tokens written at 6.25 and 50 output tokens at 25 dollars per million.
    assert.match(stdout, /^2 sessions, \$0\.25 in all: \$0\.\d\d today, \$0\.\d\d in 7 days, \$0\.\d\d in 30$/m);
    assert.match(stdout, /^by project: (one|two) \$0\.13, (one|two) \$0\.13$/m);
    assert.match(stdout, /^by model: claude-opus-4-5 \$0\.25$/m);
    assert.match(listSessions('--since', '2026-01-01T00:02Z').stdout, /^1 session, /m);
    assert.doesNotMatch(listSessions('--json').stdout, /"charged"/);
  });

  test('sessions reads a file again after it has grown', () => {
    const grown = claudeCode([turn(0), turn(1)], '/home/me/one')
      .split('\n')
      .slice(2)
      .join('\n');
    appendFileSync(join(folder, 'a.jsonl'), grown);
    assert.match(listSessions().stdout, /^2 sessions, \$0\.38 in all/m);
  });

  test('SessionIndex passes on the accounts of its last reading first, then those of new and grown files', async () => {
    const index = new SessionIndex({ prices: undefined, hasCacheFile: false });
    const steps = async () => {
      const seen = [];
      await index.read([folder], {
        isQuiet: true,
        onStep({ accounts, doneBytes, allBytes }) {
          seen.push([accounts.files.map(({ sessions }) => sessions[0]?.requests), doneBytes < allBytes]);
        },
      });
      return seen;
    };
    assert.deepEqual(await steps(), [
      [[], true],
      [[2, 1], false],
    ]);
    writeFileSync(join(folder, 'c.jsonl'), claudeCode([turn(9), turn(10), turn(11)]));
    appendFileSync(
      join(folder, 'a.jsonl'),
      claudeCode([turn(0), turn(1), turn(2)], '/home/me/one')
        .split('\n')
        .slice(4)
        .join('\n'),
    );
    assert.deepEqual(await steps(), [
      [[2, 1], true],
      [[3, 1, 3], false],
    ]);
    assert.deepEqual(await steps(), [[[3, 1, 3], false]]);
  });
});
