// @ts-check
/** The example agent: what it prints is what docs/compression.md says that it shows. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

const example = new URL('../../examples/agent-loop/loop.mjs', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'palimpsest-example-'));
after(() => rmSync(folder, { recursive: true, force: true }));

// The loop by itself: the entry would build the addon, which the test run has done.
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
  test('it ends well, quietly, and without colours where nobody sees them', () => {
    assert.equal(status, 0, stderr);
    assert.equal(stderr, '');
    assert.ok(!stdout.includes('\u001B'));
  });

  test('R7.4 REQ-3.1 the timeline has a row for each turn, and no request is above the hard limit', () => {
    assert.deepEqual(
      rows.map(([turn]) => turn),
      Array.from(rows, (_, index) => index + 1),
    );
    assert.ok(rows.length > 40, `${rows.length} turns`);
    for (const [turn, , tokens] of rows) assert.ok(Number(tokens) <= 5_000 * 0.95, `turn ${turn}: ${tokens} tokens`);
  });

  test('R7.7 it is compressed several times, each level above the one before', () => {
    const levels = matches(/compressed, level (\d+): \d+ → \d+ messages, \d+ → \d+ tokens/).map((match) =>
      Number(match[1]),
    );
    assert.ok(levels.length >= 3, stdout);
    assert.deepEqual(
      levels,
      [...levels].sort((one, other) => one - other),
    );
  });

  test('R7.10 R7.11 while the summary model fails it is asked three times, then history is cut', () => {
    assert.equal(matches(/summary failed: LLM_HTTP_STATUS/).length, 3);
    assert.equal(matches(/no summary: breaker_open/).length, 1);
    const [cut] = matches(/truncated: \d+ → \d+ messages, (\d+) → (\d+) tokens/);
    assert.ok(cut !== undefined && Number(cut[2]) <= 5_000 * 0.95, stdout);
  });

  test('R3.1 the interrupted call is stored, and the request after it is still valid', () => {
    assert.equal(matches(/interrupted: its call is stored, but not sent/).length, 1);
  });

  test('the lookup tool finds what was compressed long ago', () => {
    const asked = lines.findIndex((line) => line.startsWith('lookup_compressed_history {'));
    assert.ok(asked !== -1, stdout);
    assert.match(lines.slice(asked + 1).join('\n'), /code=ROT-4711/);
  });

  test('R7.8 all of the history comes back from the saved file and the archive', () => {
    const [end] = matches(/expandHistory gives back (\d+) of (\d+), deep-equal to what was said/);
    assert.ok(end !== undefined, stdout);
    assert.equal(end[1], end[2]);
    assert.ok(Number(end[1]) > 100);
  });

  test('the commands were real: the logs lie in its folder', () => {
    assert.ok(readdirSync(join(folder, 'logs')).length >= 10);
  });
});
