// @ts-check
/** `palimpsest simulate --need` for a session with one need, which was worked out by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView } from 'palimpsest';
import { file, palimpsest } from '../support/command.mjs';

/** A line of the file, another one in each context. @param {number} context */
const lineOf = (context) => `return values.reduce((a, b) => a + b, ${context});`;
const line = lineOf(0);
const fillers = '// filler that no later request needs\n'.repeat(400);
const shown = `export function total(values) {\n  ${line}\n}\n${fillers}`;

/**
 * Calls with their results, ten minutes apart: the cache is cold at each request, so a read is removed as soon as it is
 * outdated, after 120 requests.
 * @param {[string, object, string][]} [lookUp] calls before the edit
 * @param {number} [contexts] after each but the last, a compaction
 */
function session(lookUp = [], contexts = 1) {
  const records = Array.from({ length: contexts }, (_, context) => recordsOf(context, lookUp)).flat();
  const shared = { sessionId: 's', cwd: '/home/me/project', isSidechain: false };
  const lines = records.map((record, at) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + at * 300_000).toISOString();
    return JSON.stringify({ ...record, ...shared, timestamp });
  });
  return lines.join('\n');
}

/** @param {number} context @param {[string, object, string][]} lookUp @returns {object[]} */
function recordsOf(context, lookUp) {
  /** @param {string} command @returns {[string, object, string]} */
  const bashCall = (command) => ['Bash', { command }, 'ok\n'.repeat(20)];
  /** @type {[string, object, string][]} */
  const calls = [
    ['Bash', { command: 'cat src/total.js' }, shown.replace(line, lineOf(context))],
    ...Array.from({ length: 130 }, (_, number) => bashCall(`make step${number}`)),
    ...lookUp,
    [
      'Edit',
      { file_path: 'src/total.js', old_string: `  ${lineOf(context)}`, new_string: '  return sum(values);' },
      'done',
    ],
    ['Bash', { command: 'true' }, ''],
  ];
  const task = `go on\n${'this is what the project is about\n'.repeat(3_000)}`;
  const id = (/** @type {string} */ name) => `${name}-${context}`;
  const boundary = {
    type: 'system',
    subtype: 'compact_boundary',
    uuid: id('b'),
    parentUuid: null,
    compactMetadata: {},
  };
  /** @type {object[]} */
  const records = context === 0 ? [] : [boundary];
  const parentUuid = context === 0 ? null : id('b');
  records.push({ type: 'user', uuid: id('u'), parentUuid, message: { role: 'user', content: task } });
  calls.forEach(([name, input, content], at) => {
    const call = { type: 'tool_use', id: id(`c${at}`), name, input };
    const message = { id: id(`m${at}`), role: 'assistant', model: 'claude-opus-4-5', content: [call] };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id(`c${at}`), content }] };
    records.push({ type: 'assistant', uuid: id(`a${at}`), parentUuid: id(at === 0 ? 'u' : `r${at - 1}`), message });
    records.push({ type: 'user', uuid: id(`r${at}`), parentUuid: id(`a${at}`), message: result });
  });
  return records;
}

describe('palimpsest simulate --need', () => {
  const path = file('need.jsonl', session());

  test('R14.2 the table has each policy’s cost and the share of needs that it misses', () => {
    const { status, stdout, stderr } = palimpsest(['simulate', '--need', '--price-list', 'anthropic', path]);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /Bill and need, at the prices of “anthropic”\n1 later need of a result, 1 of them strong/);
    assert.match(stdout, /unmodified +1\.000 +0\.0 % +0\.0 % +0 +1\.000\n/);
    assert.match(stdout, /ContextView +0\.\d{3} +100\.0 % +100\.0 % +1 +0\.\d{3}\n/);
    assert.match(stdout, /view, by age +0\.\d{3} +100\.0 % +100\.0 % +1 +0\.\d{3}\n/);
  });

  test('R14.1 --explain names each missed line, the request that needs it, its only source, and when that was replaced', () => {
    const { status, stdout } = palimpsest(['simulate', '--need', '--explain', path], { env: { COLUMNS: '400' } });
    assert.equal(status, 0);
    assert.match(
      stdout,
      /request 132 \(Edit: src\/total\.js\) takes one line that only the result of request 1 \(Bash: cat src\/total\.js\) showed; it was replaced at \d+: “return values\.reduce/,
    );
  });

  test('R14.5 a need whose source is fetched with the lookup tool isn’t missed, and the fetched result is billed', async () => {
    const messages = [
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'bash', arguments: '{"command":"cat a"}' } }] },
      { role: 'tool', tool_call_id: 'a', content: shown },
      { role: 'assistant', content: 'Read.' },
    ];
    const view = new ContextView({ price: 'none' });
    view.project(messages);
    const { name, handler } = view.lookupTool({ maxTokens: 50_000 });
    const path = file('looked-up.jsonl', session([[name, { id: '#1' }, await handler({ id: '#1' })]]));
    const { status, stdout } = palimpsest(['simulate', '--need', '--json', '--price-list', 'anthropic', path]);
    assert.equal(status, 0);
    const { policies } = JSON.parse(stdout).files[0].sessions[0].simulations[0];
    const { need, tokens } = policies.find((/** @type {any} */ { policy }) => policy === 'view');
    assert.equal(need.missed, 0, 'the edit’s line is in the fetched result');
    const without = JSON.parse(
      palimpsest(['simulate', '--json', '--price-list', 'anthropic', file('a.jsonl', session())]).stdout,
    );
    const before = without.files[0].sessions[0].simulations[0].policies.find(
      (/** @type {any} */ one) => one.policy === 'view',
    );
    assert.ok(tokens > before.tokens, 'the request that fetches the result is billed');
  });

  test('R14.2 the JSON has the needs and misses of every policy, and with --explain each miss', () => {
    const figures = (/** @type {string[]} */ ...options) => {
      const { status, stdout } = palimpsest(['simulate', '--need', '--json', ...options, path]);
      assert.equal(status, 0);
      const [account] = JSON.parse(stdout).files[0].sessions;
      return account.simulations[0];
    };
    const { policies, misses } = figures();
    const named = Object.fromEntries(policies.map((/** @type {any} */ { policy, need }) => [policy, need]));
    assert.deepEqual(named['leave-alone'], { needs: 1, missed: 0, strongNeeds: 1, strongMissed: 0, lookUps: 0 });
    const { lookUps, ...missed } = named.view;
    assert.deepEqual(missed, { needs: 1, missed: 1, strongNeeds: 1, strongMissed: 1 });
    const { cost, tokens } = policies.find((/** @type {any} */ { policy }) => policy === 'view');
    assert.ok(lookUps > 0 && lookUps < cost && lookUps < tokens, 'one request that reads its prompt from the cache');
    assert.equal(misses, undefined);
    const [miss] = figures('--explain').misses;
    const { kind, strong, grams, gone, request, sourceRequest, thread } = miss;
    assert.deepEqual([kind, strong, grams, gone, request, sourceRequest, thread], ['edit', true, 1, 1, 132, 1, 0]);
  });

  test('R14.5 results missed at the same place of two contexts are looked up one by one', () => {
    const [once, twice] = [1, 2].map((contexts) => {
      const path = file(`contexts-${contexts}.jsonl`, session([], contexts));
      const { stdout } = palimpsest(['simulate', '--need', '--json', '--price-list', 'anthropic', path]);
      const { policies } = JSON.parse(stdout).files[0].sessions[0].simulations[0];
      return policies.find((/** @type {any} */ { policy }) => policy === 'view').need;
    });
    assert.deepEqual([once.missed, twice.missed], [1, 2]);
    assert.ok(Math.abs(twice.lookUps / once.lookUps - 2) < 0.1, `${once.lookUps} and ${twice.lookUps}`);
  });

  test('R14.2 without --need the JSON has no needs and no policy by-age', () => {
    const { stdout } = palimpsest(['simulate', '--json', path]);
    const [account] = JSON.parse(stdout).files[0].sessions;
    const policies = account.simulations[0].policies.map((/** @type {any} */ one) => one.policy);
    assert.ok(!policies.includes('by-age') && !stdout.includes('"need"'));
  });

  test('--explain without --need exits with 2', () => {
    const { status, stderr } = palimpsest(['simulate', '--explain', path]);
    assert.equal(status, 2);
    assert.match(stderr, /--explain: expected --need with it/);
  });
});
