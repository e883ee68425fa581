// @ts-check
/** The commands over agents' session files: a small one worked out by hand, and real recordings. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { cachedSession } from '../support/claude-code.mjs';
import { directory, file, palimpsest, recordings, shell, skipWithoutRecordings } from '../support/command.mjs';

describe('a session file of Claude Code', () => {
  const paid = 1.25 * 22_000 + 0.1 * 41_000;

  test('R12.1 report recognises a Claude Code file by its content', () => {
    const { status, stdout, stderr } = palimpsest(['report', file('any-name.json', cachedSession(3))]);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /Claude Code · claude-opus-4-5 · 3 requests/);
    assert.match(stdout, /What was sent, over all requests: 63\.0 k tokens/);
    assert.match(stdout, /\$0\.16 +\$0\.16 +0\.0 %/);
  });

  test('R12.3 simulate gives the paid and the predicted bill, in tokens at the base price and in dollars', () => {
    const { status, stdout } = palimpsest(['simulate', '--json', file('claude.jsonl', cachedSession(3))]);
    assert.equal(status, 0);
    const [{ sessions }] = JSON.parse(stdout).files;
    const { bill, simulations } = sessions[0];
    assert.ok(Math.abs(bill.paid - paid) < 1e-6 && Math.abs(bill.predicted - paid) < 1e-6);
    assert.ok(Math.abs(bill.paidUsd - paid * 5e-6) < 1e-9);
    const policies = simulations[0].policies.map((/** @type {{ policy: string }} */ { policy }) => policy);
    assert.deepEqual(
      [simulations.length, policies],
      [1, ['leave-alone', 'every-request', 'batches-20k', 'batches-30k', 'clear-above-100k', 'view']],
    );
  });

  test('R12.3 --prices replaces the package’s prices, and --price-list chooses the simulated ones', () => {
    const models = [{ model: 'claude-opus', input: 10, cacheRead: 5, output: 20 }];
    const prices = file('prices.json', { date: '2026-02-03', models });
    const session = file('claude.jsonl', cachedSession(3));
    const words = ['simulate', '--json', '--prices', prices, '--price-list', 'deepseek,none', session];
    const { stdout } = palimpsest(words);
    const { pricesDate, files } = JSON.parse(stdout);
    const { bill, simulations } = files[0].sessions[0];
    assert.equal(pricesDate, '2026-02-03');
    assert.ok(Math.abs(bill.paidUsd - (22_000 + 0.5 * 41_000) * 1e-5) < 1e-9);
    assert.deepEqual(
      simulations.map((/** @type {{ prices: string }} */ { prices }) => prices),
      ['deepseek', 'none'],
    );
  });

  test('R12.1 sessions searches a folder, counts other files, and prints a CSV line for each session', () => {
    const folder = join(directory, 'folder');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.jsonl'), cachedSession(3));
    writeFileSync(join(folder, 'b.jsonl'), cachedSession(3, '=1+1, "quoted"'));
    writeFileSync(join(folder, 'package.json'), '{"name": "no session"}');
    const list = palimpsest(['sessions', 'folder']);
    assert.deepEqual([list.status, list.stderr], [0, '']);
    assert.match(list.stdout, /1 other file skipped.*/);
    assert.match(list.stdout, /Claude Code +project +folder\/a\.jsonl +3/);
    const lines = palimpsest(['sessions', '--csv', 'folder']).stdout.trimEnd().split('\n');
    assert.equal(lines.length, 3);
    assert.match(/** @type {string} */ (lines[0]), /^file,agent,id,project/);
  });

  test('R12.1 without a path the commands search the agents’ own folders, and print that nothing leaves the machine', () => {
    const home = join(directory, 'home');
    mkdirSync(join(home, '.claude', 'projects', 'p'), { recursive: true });
    writeFileSync(join(home, '.claude', 'projects', 'p', 's.jsonl'), cachedSession(3));
    const variables = ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'PI_CODING_AGENT_DIR', 'XDG_CONFIG_HOME', 'APPDATA'];
    const env = { ...Object.fromEntries(variables.map((name) => [name, ''])), HOME: home, USERPROFILE: home };
    const found = palimpsest(['sessions'], { env });
    assert.equal(found.status, 0);
    assert.match(found.stderr, /nothing leaves this machine/);
    assert.match(found.stdout, /Claude Code/);
    const empty = join(directory, 'empty-home');
    mkdirSync(empty, { recursive: true });
    for (const name of ['report', 'tokens', 'simulate']) {
      const none = palimpsest([name], { env: { ...env, HOME: empty, USERPROFILE: empty } });
      assert.deepEqual([none.status, none.stdout], [2, '']);
      assert.match(none.stderr, /no agent keeps sessions where it usually would.*Claude Code, Codex/);
    }
  });

  test('tokens counts a session’s tokens by kind', () => {
    const { status, stdout } = palimpsest(['tokens', file('claude.jsonl', cachedSession(3))]);
    assert.equal(status, 0);
    assert.match(stdout, /Claude Code, 6 messages/);
    assert.match(stdout, /system +[\d,]+ +\d+\.\d %/);
  });

  test('report and tokens take a session and a message list together, but not as CSV', () => {
    const words = ['report', file('claude.jsonl', cachedSession(3)), file('shell.json', shell)];
    const { status, stdout } = palimpsest(words);
    assert.equal(status, 0);
    assert.match(stdout, /Claude Code ·/);
    assert.match(stdout, /shell\.json/);
    const { files, sessions, totals, errors } = JSON.parse(palimpsest([...words, '--json']).stdout);
    assert.deepEqual([files[0].path, files[0].sessions[0].agent], ['claude.jsonl', 'claude-code']);
    assert.deepEqual([sessions[0].file, totals.messages, errors], ['shell.json', shell.length, []]);
    const tokens = JSON.parse(palimpsest(['tokens', ...words.slice(1), '--json']).stdout);
    assert.deepEqual([tokens.files[0].path, tokens.sessions[0].file], ['claude.jsonl', 'shell.json']);
    const csv = palimpsest([...words, '--csv']);
    assert.deepEqual([csv.status, csv.stdout], [2, '']);
    assert.match(csv.stderr, /--csv takes sessions of agents; shell\.json is none/);
  });
});

describe('wrong arguments of the commands over session files', () => {
  test('the error for a file of unknown format names the nearest format, the line, and the known formats', () => {
    const text = `{"type":"summary","leafUuid":"x"}\n${'{"a":1}\n'.repeat(5)}`;
    const { status, stderr } = palimpsest(['simulate', file('unknown.jsonl', text)]);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /unknown\.jsonl: .*nearest to Claude Code: line \d+: expected .*, found .*Known formats: Claude Code, Codex, pi/s,
    );
  });

  test('the error names a missing file, or a folder without sessions', () => {
    assert.match(
      palimpsest(['simulate', 'nowhere.jsonl']).stderr,
      /nowhere\.jsonl: .*No such file|nowhere\.jsonl.*find/,
    );
    mkdirSync(join(directory, 'nothing'), { recursive: true });
    const { status, stderr } = palimpsest(['sessions', 'nothing']);
    assert.deepEqual([status, /no sessions found; known are those of Claude Code/.test(stderr)], [1, true]);
  });

  test('the error for an unknown command, option or price list suggests a similar one', () => {
    assert.match(
      palimpsest(['simulat']).stderr,
      /unknown command “simulat”; expected one of: .*did you mean “simulate”\?/,
    );
    assert.match(palimpsest(['reprot']).stderr, /did you mean “report”\?/);
    assert.doesNotMatch(palimpsest(['frobnicate']).stderr, /did you mean/);
    for (const name of ['simulate', 'sessions', 'report', 'tokens']) {
      const { status, stderr } = palimpsest([name, '--jsno', 'x']);
      assert.deepEqual([status, /did you mean “--json”\?/.test(stderr)], [2, true], stderr);
    }
    const list = palimpsest(['simulate', '--price-list', 'antropic', 'x']);
    assert.equal(list.status, 2);
    assert.match(list.stderr, /did you mean “anthropic”\?/);
  });

  test('an invalid --prices file exits with 2, and the error names the missing field and its place', () => {
    const prices = file('wrong.json', '{"date": "", "models": [{"model": "x", "input": 1}]}');
    const { status, stderr } = palimpsest(['sessions', '--prices', prices, file('claude.jsonl', cachedSession(3))]);
    assert.equal(status, 2);
    assert.match(stderr, /--prices wrong\.json: missing field `cacheRead` at line 1/);
  });
});

describe('recordings of real agents', { skip: skipWithoutRecordings }, () => {
  test('R12.3 simulate explains each prediction that is off by more than 2 %, with line numbers', () => {
    const { status, stdout } = palimpsest(['simulate', recordings], { env: { COLUMNS: '200' } });
    assert.equal(status, 0);
    const [, explained = ''] = /Why predictions are off by more than 2 %\n(.*?)\n\n/s.exec(stdout) ?? [];
    assert.match(
      explained,
      /pi-large-session-2025-11-20\.jsonl: −45\.5 %\n +−44\.2 % {2}32 requests: nothing was read at a user’s turn.*\(lines 27, 232, 278, 310, 338, …\)/,
    );
    assert.doesNotMatch(explained, /entire-17_55e38d324c_0/, 'predicted to a hundredth');
  });

  test('R12.3 sessions reads every agent, and its predictions plus unannounced losses are within 1 % of the paid total', () => {
    const { status, stdout } = palimpsest(['sessions', '--json', recordings]);
    assert.equal(status, 0);
    /** @type {{ agent: string, bill: import('../../bin/accounts/read.mjs').Bill | null }[]} */
    const sessions = JSON.parse(stdout).files.flatMap((/** @type {{ sessions: any[] }} */ one) => one.sessions);
    const agents = new Set(sessions.map(({ agent }) => agent));
    for (const agent of ['claude-code', 'codex', 'pi', 'gemini-cli', 'cline', 'openhands', 'request-log']) {
      assert.ok(agents.has(agent), agent);
    }
    const bills = sessions.flatMap(({ bill }) => (bill === null ? [] : [bill]));
    const total = (/** @type {'paid' | 'predicted' | 'unannounced'} */ key) =>
      bills.reduce((sum, bill) => sum + bill[key], 0);
    assert.ok(Math.abs((total('predicted') + total('unannounced')) / total('paid') - 1) <= 0.01);
  });

  test('R12.3 two recordings have the expected requests, paid cost and peak tokens', () => {
    for (const [name, requests, paid, peak] of /** @type {const} */ ([
      ['claude-code/entire-17_55e38d324c_0.jsonl', 22, 280_438, 87_068],
      ['pi/pi-session-2025-12-17.jsonl', 214, 3_758_058, 185_952],
    ])) {
      const { stdout } = palimpsest(['sessions', '--json', join(recordings, name)]);
      const [account] = JSON.parse(stdout).files[0].sessions;
      const figures = [account.bill.requests, Math.round(account.bill.paid), account.peakTokens];
      assert.deepEqual(figures, [requests, paid, peak], name);
    }
  });
});
