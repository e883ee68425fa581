// @ts-check
/** What `--json` prints is what docs/command-json.d.ts says, field by field: the compiler refuses one that is missing, of another type, or not described. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { claudeCode } from '../support/claude-code.mjs';
import { directory, file, palimpsest, repository } from '../support/command.mjs';

const tsc = join(repository, 'node_modules', '.bin', 'tsc');
const types = join(repository, 'docs', 'command-json.js');
const recordings = fileURLToPath(new URL('../../../shared/recordings', import.meta.url));
const example = join(repository, 'examples', 'session.json');

/** One element of each form that a list has: the compiler needn't read thousands. @param {any} value @returns {any} */
function thinned(value) {
  if (Array.isArray(value)) {
    // A pair, or three figures, are no list.
    if (value.length <= 3 && !value.some((one) => typeof one === 'object')) return value;
    return [...new Map(value.map((one) => [formOf(one), thinned(one)])).values()];
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, thinned(one)]));
}

/** @param {any} value @returns {string} */
function formOf(value) {
  if (Array.isArray(value)) {
    const forms = value.map(formOf);
    // A pair is one form, a list of any length another.
    return `[${forms.length <= 3 ? forms : [...new Set(forms)].sort()}]`;
  }
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return `{${Object.entries(value).map(([name, one]) => `${name}:${formOf(one)}`)}}`;
}

/** @param {Record<string, [type: string, value: any]>} printed by name @returns {string} what the compiler says */
function complaints(printed) {
  const values = Object.entries(printed).map(
    ([name, [type, value]]) => `export const ${name}: ${type} = ${JSON.stringify(thinned(value))};`,
  );
  const source = join(directory, 'printed.mts');
  writeFileSync(source, `import type { Accounts, ListReports } from ${JSON.stringify(types)};\n${values.join('\n')}\n`);
  const words = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--types',
    '',
    '--module',
    'nodenext',
    source,
  ];
  return spawnSync(tsc, words, { encoding: 'utf8' }).stdout;
}

/** @param {string[]} words */
const printedBy = (words) => JSON.parse(palimpsest(words).stdout);

describe('docs/command-json.d.ts', () => {
  test('describes what each command prints, of every agent’s recordings and of message lists', () => {
    const own = file(
      'one.jsonl',
      claudeCode([
        { minute: 0, said: 'go', reads: { '/p/a.ts': 'x '.repeat(9000) }, usage: [0, 0, 20_000] },
        { minute: 30, said: 'on', usage: [0, 0, 22_600] },
      ]),
    );
    const hasRecordings = existsSync(recordings);
    assert.ok(hasRecordings || !process.env.CI, 'no recordings beside the repository');
    const sessions = hasRecordings ? recordings : own;
    const said = complaints({
      listed: ['Accounts', printedBy(['sessions', '--json', sessions])],
      simulated: ['Accounts', printedBy(['simulate', '--json', sessions])],
      reported: ['Accounts', printedBy(['report', '--json', own])],
      needed: ['Accounts', printedBy(['simulate', '--need', '--explain', '--json', own])],
      drawn: ['Accounts', printedBy(['simulate', '--hindsight', '--svg', 'drawn.svg', '--json', own])],
      lists: ['ListReports', printedBy(['report', '--json', example, 'nowhere.json'])],
    });
    assert.equal(said, '');
  });

  test('is refused where a field is missing, of another type or not described', () => {
    const { files, ...rest } = printedBy(['sessions', '--json', 'one.jsonl']);
    const said = complaints({
      missing: ['Accounts', rest],
      typed: ['Accounts', { files, ...rest, passedOver: 'none' }],
      more: ['Accounts', { files: [{ ...files[0], colour: 'red' }], ...rest }],
    });
    assert.match(said, /'files' is missing.*'string' is not assignable to type 'number'.*"colour"' does not exist/s);
  });
});
