// @ts-check
/** The example agent in examples/agent-loop prints what docs/compression.md says about it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

const example = new URL('../../examples/agent-loop/loop.mjs', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'palimpsest-example-'));
after(() => rmSync(folder, { recursive: true, force: true }));

// The loop without its entry, which would build the addon again.
const program = `
  const { runExample } = await import(${JSON.stringify(example)});
  process.exitCode = (await runExample(process.argv[1])) ? 0 : 1;
`;
const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program, folder], {
  encoding: 'utf8',
  timeout: 120_000,
});
/** @type {string[]} */
const lines = stdout.split('\n');

/** @param {RegExp} pattern @returns {RegExpMatchArray[]} */
function matches(pattern) {
  return lines.map((line) => line.match(pattern)).filter((match) => match !== null);
}

/** The rows of the timeline: turn, messages, tokens. */
const rows = matches(/^ *(\d+) {2}.{34} {2} *(\d+) {2} *(\d+)(?: {2}|$)/).map((match) => match.slice(1).map(Number));

describe('the example agent', () => {
  test('it exits with 0, and writes neither to stderr nor colours to a pipe', () => {
    assert.equal(status, 0, stderr);
    assert.equal(stderr, '');
    assert.ok(!stdout.includes('\u001B'));
  });

  test('R7.11 REQ-3.1 the timeline has a row for each turn, and no request exceeds the hard limit', () => {
    assert.deepEqual(
      rows.map(([turn]) => turn),
      Array.from(rows, (_, index) => index + 1),
    );
    assert.ok(rows.length > 40, `${rows.length} turns`);
    for (const [turn, , tokens] of rows) assert.ok(Number(tokens) <= 5_000 * 0.95, `turn ${turn}: ${tokens} tokens`);
  });

  test('the history is compressed at least three times, and the level never falls', () => {
    const levels = matches(/compressed, level (\d+): \d+ → \d+ messages, \d+ → \d+ tokens/).map((match) =>
      Number(match[1]),
    );
    assert.ok(levels.length >= 3, stdout);
    assert.deepEqual(
      levels,
      [...levels].sort((first, second) => first - second),
    );
  });

  test('R7.10 R7.11 a failing summary model is called three times, then the history is cut', () => {
    assert.equal(matches(/summary failed: LLM_HTTP_STATUS/).length, 3);
    assert.equal(matches(/no summary: breaker_open/).length, 1);
    const [cut] = matches(/truncated: \d+ → \d+ messages, (\d+) → (\d+) tokens/);
    assert.ok(cut !== undefined && Number(cut[2]) <= 5_000 * 0.95, stdout);
  });

  test('R3.1 an interrupted call is stored, and not sent', () => {
    assert.equal(matches(/interrupted: its call is stored, but not sent/).length, 1);
  });

  test('lookup_compressed_history finds a text that was compressed', () => {
    const call = lines.findIndex((line) => line.startsWith('lookup_compressed_history {'));
    assert.ok(call !== -1, stdout);
    assert.match(lines.slice(call + 1).join('\n'), /code=ROT-4711/);
  });

  test('R7.8 expandHistory restores the whole history from the saved file and the archive', () => {
    const [end] = matches(/expandHistory gives back (\d+) of (\d+), deep-equal to what was said/);
    assert.ok(end !== undefined, stdout);
    assert.equal(end[1], end[2]);
    assert.ok(Number(end[1]) > 100);
  });

  test('the agent’s commands really ran: its folder has at least ten log files', () => {
    assert.ok(readdirSync(join(folder, 'logs')).length >= 10);
  });
});
