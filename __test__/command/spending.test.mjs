// @ts-check
/** What sessions cost together, by day and by model; and the index that saves reading them again. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { SessionIndex } from '../../bin/accounts/session-index.mjs';
import { spendingOf, totalOf } from '../../bin/accounts/spending.mjs';
import { claudeCode } from '../support/claude-code.mjs';
import { directory, palimpsest } from '../support/command.mjs';

const now = new Date(2026, 10, 23, 9, 30).getTime();
const quarterHour = (/** @type {number} */ daysAgo, hour = 8, minute = 0) =>
  new Date(2026, 10, 23 - daysAgo, hour, minute).getTime() / 900_000;

/** @param {[id: number | null, paid: number, quarterHour: number | null, model: number | null][]} charged @param {object} [more] @returns {any} */
function account(charged, more = {}) {
  const paid = charged.reduce((sum, [, cost]) => sum + cost, 0);
  const bill = { waterfall: { currency: 'usd', paid } };
  return { models: ['big', 'small'], requests: charged.length, lastMs: now, charged, bill, ...more };
}

describe('R12.2 what was paid in a period', () => {
  test('is that of its requests, not of sessions that were used in it', () => {
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

  test('counts a request once, in the session that had it first, and twice within none', () => {
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
    assert.equal(totalOf([twice], spendingOf([twice], now)).usd, 2, 'both are in its own bill');
  });

  test('says what has no price apart, and takes a request without a time to be of its session’s end', () => {
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

describe('R12.2 palimpsest sessions', () => {
  const folder = join(directory, 'indexed');
  const cached = join(directory, 'kept');
  const env = { XDG_CACHE_HOME: cached };
  const turn = (/** @type {number} */ minute) => ({
    minute,
    said: 'go on',
    usage: /** @type {any} */ ([0, 0, 20_000]),
  });
  const list = (/** @type {string[]} */ ...words) => palimpsest(['sessions', ...words, 'indexed'], { env });
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.jsonl'), claudeCode([turn(0)], '/home/me/one'));
  writeFileSync(join(folder, 'b.jsonl'), claudeCode([turn(3)], '/home/me/two').replaceAll('"m0"', '"other"'));
  writeFileSync(join(folder, 'other.json'), '{}');

  test('keeps nothing with --no-cache, and else one file that only its user can read', () => {
    const { status, stdout } = list('--no-cache');
    assert.deepEqual([status, existsSync(cached)], [0, false]);
    assert.equal(list().stdout, stdout);
    const [name = ''] = readdirSync(join(cached, 'palimpsest'));
    assert.match(readFileSync(join(cached, 'palimpsest', name), 'utf8'), /a\.jsonl/);
    assert.equal(list().stdout, stdout, 'what was kept says the same');
  });

  test('has the newest last, totals by period, project and model, and --since', () => {
    const { stdout } = list();
    const [older, newer] = [stdout.indexOf('a.jsonl'), stdout.indexOf('b.jsonl')];
    assert.ok(older > 0 && newer > older, stdout);
    // 20,000 tokens written at 6.25 and 50 answered at 25 dollars for a million.
    assert.match(stdout, /^2 sessions, \$0\.25 in all: \$0\.\d\d today, \$0\.\d\d in 7 days, \$0\.\d\d in 30$/m);
    assert.match(stdout, /^by project: (one|two) \$0\.13, (one|two) \$0\.13$/m);
    assert.match(stdout, /^by model: claude-opus-4-5 \$0\.25$/m);
    assert.match(list('--since', '2026-01-01T00:02Z').stdout, /^1 session, /m);
    assert.doesNotMatch(list('--json').stdout, /"charged"/);
  });

  test('reads a file again once it has grown', () => {
    const grown = claudeCode([turn(0), turn(1)], '/home/me/one')
      .split('\n')
      .slice(2)
      .join('\n');
    appendFileSync(join(folder, 'a.jsonl'), grown);
    assert.match(list().stdout, /^2 sessions, \$0\.38 in all/m);
  });

  test('tells what is known before it reads what is new, and of a file that has grown what it was', async () => {
    const index = new SessionIndex({ prices: undefined, hasCacheFile: false });
    const steps = async () => {
      const all = [];
      for await (const { accounts, doneBytes, allBytes } of index.read([folder], { isQuiet: true })) {
        all.push([accounts.files.map(({ sessions }) => sessions[0]?.requests), doneBytes < allBytes]);
      }
      return all;
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
