// @ts-check
/** `palimpsest simulate --need`: a session whose only need is worked out by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { file, palimpsest } from '../support/command.mjs';

const line = 'return values.reduce((a, b) => a + b, 0);';
const shown = `export function total(values) {\n  ${line}\n}\n${'// filler that nobody takes anything from\n'.repeat(400)}`;

/** Calls with their results, ten minutes apart: each request finds a cold cache, so that a read goes after 120 requests, three quarters of its time. */
function session() {
  /** @param {string} command @returns {[string, object, string]} */
  const ran = (command) => ['Bash', { command }, 'ok\n'.repeat(20)];
  /** @type {[string, object, string][]} */
  const calls = [
    ['Bash', { command: 'cat src/total.js' }, shown],
    ...Array.from({ length: 130 }, (_, number) => ran(`make step${number}`)),
    ['Edit', { file_path: 'src/total.js', old_string: `  ${line}`, new_string: '  return sum(values);' }, 'done'],
    ['Bash', { command: 'true' }, ''],
  ];
  const task = `go on\n${'this is what the project is about\n'.repeat(3_000)}`;
  /** @type {object[]} */
  const records = [{ type: 'user', uuid: 'u', parentUuid: null, message: { role: 'user', content: task } }];
  calls.forEach(([name, input, content], at) => {
    const call = { type: 'tool_use', id: `c${at}`, name, input };
    const answer = { id: `m${at}`, role: 'assistant', model: 'claude-opus-4-5', content: [call] };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${at}`, content }] };
    records.push({ type: 'assistant', uuid: `a${at}`, parentUuid: at === 0 ? 'u' : `r${at - 1}`, message: answer });
    records.push({ type: 'user', uuid: `r${at}`, parentUuid: `a${at}`, message: result });
  });
  const shared = { sessionId: 's', cwd: '/home/me/project', isSidechain: false };
  const lines = records.map((record, at) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + at * 300_000).toISOString();
    return JSON.stringify({ ...record, ...shared, timestamp });
  });
  return lines.join('\n');
}

describe('what policies miss', () => {
  const path = file('need.jsonl', session());

  test('R14.2 each policy’s bill stands beside the needs that it misses', () => {
    const { status, stdout, stderr } = palimpsest(['simulate', '--need', '--price-list', 'anthropic', path]);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /Bill and need, at the prices of “anthropic”\n1 later need of a result, 1 of them strong/);
    assert.match(stdout, /left alone +1\.000 +0\.0 % +0\.0 % +0\n/);
    assert.match(stdout, /ContextView +0\.\d{3} +100\.0 % +100\.0 % +1\n/);
    assert.match(stdout, /view, by age +0\.\d{3} +100\.0 % +100\.0 % +1\n/);
  });

  test('R14.1 each miss is explained: who took what, which result alone showed it, and when that went', () => {
    const { status, stdout } = palimpsest(['simulate', '--need', '--explain', path]);
    assert.equal(status, 0);
    assert.match(
      stdout,
      /request 132 \(Edit: src\/total\.js\) takes one line that only the result of request 1 \(Bash: cat src\/total\.js\) showed; it was replaced at \d+: “return values\.reduce/,
    );
  });

  test('R14.2 JSON has the figures of every policy, and the misses where they are asked for', () => {
    const figures = (/** @type {string[]} */ ...more) => {
      const { status, stdout } = palimpsest(['simulate', '--need', '--json', ...more, path]);
      assert.equal(status, 0);
      const [account] = JSON.parse(stdout).files[0].sessions;
      return account.simulations[0];
    };
    const { policies, misses } = figures();
    const named = Object.fromEntries(policies.map((/** @type {any} */ { policy, need }) => [policy, need]));
    assert.deepEqual(named['leave-alone'], { needs: 1, missed: 0, strongNeeds: 1, strongMissed: 0 });
    assert.deepEqual(named.view, { needs: 1, missed: 1, strongNeeds: 1, strongMissed: 1 });
    assert.equal(misses, undefined);
    const [miss] = figures('--explain').misses;
    const { kind, strong, grams, gone, request, sourceRequest, thread } = miss;
    assert.deepEqual([kind, strong, grams, gone, request, sourceRequest, thread], ['edit', true, 1, 1, 132, 1, 0]);
  });

  test('R14.2 without --need nobody pays for it and nothing says anything of needs', () => {
    const { stdout } = palimpsest(['simulate', '--json', path]);
    const [account] = JSON.parse(stdout).files[0].sessions;
    const policies = account.simulations[0].policies.map((/** @type {any} */ one) => one.policy);
    assert.ok(!policies.includes('by-age') && !stdout.includes('"need"'));
  });

  test('R12.3 --explain without --need is refused', () => {
    const { status, stderr } = palimpsest(['simulate', '--explain', path]);
    assert.equal(status, 2);
    assert.match(stderr, /--explain: expected --need beside it/);
  });
});
