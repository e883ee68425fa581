// @ts-check
/** `palimpsest truncate` and `palimpsest sanitize`, and the savings by both that `palimpsest report` estimates. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sanitizeToolResultsJson, truncateOutput } from 'palimpsest';
import { file, palimpsest } from '../support/command.mjs';

const log = Array.from({ length: 2000 }, (_, n) => (n === 1000 ? 'error: it broke' : `line ${n} 中文 😀`)).join('\n');
const image = 'iVBORw0KGgo+'.repeat(2000);
const results = JSON.stringify([{ toolCallId: 'a', metadata: { imageBase64: 'abc', picture: image, n: 1.0 } }]);

test('R4.4 truncate prints what truncateOutput returns, for standard input and for a file', () => {
  const env = { BASH_MAX_OUTPUT_LENGTH: '' };
  assert.equal(palimpsest(['truncate'], { input: log, env }).stdout, truncateOutput(log, 30_000));
  assert.equal(palimpsest(['truncate', '--limit', '500', file('a.log', log)]).stdout, truncateOutput(log, 500));
  for (const keep of /** @type {const} */ (['head', 'tail', 'both', 'errors'])) {
    const { stdout, status } = palimpsest(['truncate', '--limit', '500', '--keep', keep, '-'], { input: log });
    assert.equal(stdout, truncateOutput(log, { limit: 500, keep }));
    assert.equal(status, 0);
  }
});

test('R4.2 truncate reads BASH_MAX_OUTPUT_LENGTH, and prints no blank lines at the start or end', () => {
  const env = { BASH_MAX_OUTPUT_LENGTH: '10' };
  assert.equal(palimpsest(['truncate'], { input: log, env }).stdout, truncateOutput(log, 10));
  assert.equal(palimpsest(['truncate'], { input: '\n\na\n\n' }).stdout, 'a\n');
  assert.equal(palimpsest(['truncate'], { input: '\n\n' }).stdout, '');
});

test('R5.5 sanitize prints what sanitizeToolResultsJson returns', () => {
  assert.equal(palimpsest(['sanitize'], { input: results }).stdout, sanitizeToolResultsJson(results));
  const named = palimpsest(['sanitize', '--fields', 'toolCallId', file('r.json', results)]).stdout;
  assert.equal(named, sanitizeToolResultsJson(results, { largeDataFields: ['toolCallId'] }));
});

test('R5.5 sanitize prints other text unchanged, with a note on stderr', () => {
  const { status, stdout, stderr } = palimpsest(['sanitize'], { input: '{"a":1}\n' });
  assert.deepEqual([status, stdout], [0, '{"a":1}\n']);
  assert.match(stderr, /not a JSON array of objects/);
});

test('truncate exits with 2 for a wrong command line, sanitize with 1 for a missing file', () => {
  for (const words of [['--limit', 'x'], ['--keep', 'middle'], ['--nope'], ['a', 'b']]) {
    const { status, stderr, stdout } = palimpsest(['truncate', ...words]);
    assert.deepEqual([status, stdout], [2, ''], stderr);
  }
  assert.equal(palimpsest(['sanitize', 'no-such-file']).status, 1);
  const missing = palimpsest(['truncate', '--limit']).stderr;
  assert.equal(
    missing,
    'palimpsest truncate: --limit: expected a value behind it (one that begins with “-” as --limit=-…)\n',
  );
  assert.match(palimpsest(['truncate', '--help']).stdout, /Usage: palimpsest truncate/);
});

test('the error for a negative number names the option and what it expects, with and without “=”', () => {
  const expected = 'expected a whole number, 0 or more; got “-5”\n';
  for (const words of [['--limit', '-5'], ['--limit=-5']]) {
    const { status, stderr } = palimpsest(['truncate', ...words]);
    assert.deepEqual([status, stderr], [2, `palimpsest truncate: --limit: ${expected}`]);
  }
  assert.equal(palimpsest(['report', '--keep-recent', '-5']).stderr, `palimpsest report: --keep-recent: ${expected}`);
  assert.match(palimpsest(['view', '--port', '-1']).stderr, /--port: expected a whole number from 0 .*; got “-1”/);
});

test('--json with --csv exits with 2, and the error for an unknown option lists the known ones', () => {
  for (const command of ['sessions', 'simulate', 'report']) {
    const { status, stdout, stderr } = palimpsest([command, '--json', '--csv']);
    assert.deepEqual([status, stdout], [2, '']);
    assert.equal(stderr, `palimpsest ${command}: --json and --csv: expected one of them, got both\n`);
  }
  assert.match(palimpsest(['truncate', '--percent', '5']).stderr, /unknown option “--percent”; known: .*--limit/);
});

test('report prints what sanitising and truncating tool results would save', () => {
  const messages = [
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'a', function: { name: 'image_generate', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: results },
    { role: 'tool', tool_call_id: 'a', content: log },
  ];
  const env = { BASH_MAX_OUTPUT_LENGTH: '1000' };
  const { stdout } = palimpsest(['report', '--json', file('s.json', messages)], { env });
  const { sanitizing, truncating } = JSON.parse(stdout).sessions[0].resultSavings;
  assert.deepEqual([sanitizing.results, truncating.results, truncating.limit], [1, 1, 1000]);
  assert.equal(truncating.unitsRemoved, log.length - truncateOutput(log, 1000).length);
  assert.ok(sanitizing.unitsRemoved > 23_000 && sanitizing.estimatedTokensSaved > 1000);
  const text = palimpsest(['report', file('s.json', messages)], { env }).stdout;
  assert.match(text, /sanitising tool results would save: 1 result, /);
  assert.match(text, /truncating them at 1,000 units would save: 1 result, /);
});
