// @ts-check
/** Compiles the output of `--json` against docs/command-json.d.ts: no field may be missing, of another type, or undescribed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { claudeCode } from '../support/claude-code.mjs';
import { directory, file, palimpsest, recordings, repository } from '../support/command.mjs';

const tsc = join(repository, 'node_modules', '.bin', 'tsc');
const types = join(repository, 'docs', 'command-json.js');
const example = join(repository, 'examples', 'session.json');

/** Keeps one element of each form in a list, so that the compiler needn't read thousands. @param {any} value @returns {any} */
function oneOfEachForm(value) {
  if (Array.isArray(value)) {
    // Up to three primitive values are a tuple, not a list.
    if (value.length <= 3 && !value.some((one) => typeof one === 'object')) return value;
    return [...new Map(value.map((one) => [formOf(one), oneOfEachForm(one)])).values()];
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, oneOfEachForm(one)]));
}

/** @param {any} value @returns {string} */
function formOf(value) {
  if (Array.isArray(value)) {
    const forms = value.map(formOf);
    // A tuple's form has its elements in order; a list's form is independent of its length.
    return `[${forms.length <= 3 ? forms : [...new Set(forms)].sort()}]`;
  }
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return `{${Object.entries(value).map(([name, one]) => `${name}:${formOf(one)}`)}}`;
}

/** @param {Record<string, [type: string, value: any]>} outputByName @returns {string} the compiler's errors */
function compileErrors(outputByName) {
  const values = Object.entries(outputByName).map(
    ([name, [type, value]]) => `export const ${name}: ${type} = ${JSON.stringify(oneOfEachForm(value))};`,
  );
  const source = join(directory, 'printed.mts');
  const names = 'Accounts, ListCounts, ListReports';
  writeFileSync(source, `import type { ${names} } from ${JSON.stringify(types)};\n${values.join('\n')}\n`);
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
const jsonOf = (words) => JSON.parse(palimpsest(words).stdout);

describe('docs/command-json.d.ts', () => {
  test('the types accept the JSON of each command, for every agent’s recordings and for message lists', () => {
    const own = file(
      'one.jsonl',
      claudeCode([
        { minute: 0, prompt: 'go', reads: { '/p/a.ts': 'x '.repeat(9000) }, usage: [0, 0, 20_000] },
        { minute: 30, prompt: 'on', usage: [0, 0, 22_600] },
      ]),
    );
    const hasRecordings = existsSync(recordings);
    assert.ok(hasRecordings || !process.env.CI, 'no recordings next to the repository');
    const sessions = hasRecordings ? recordings : own;
    const errors = compileErrors({
      listed: ['Accounts', jsonOf(['sessions', '--json', sessions])],
      simulated: ['Accounts', jsonOf(['simulate', '--json', sessions])],
      reported: ['Accounts', jsonOf(['report', '--json', own])],
      needed: ['Accounts', jsonOf(['simulate', '--need', '--explain', '--json', own])],
      drawn: ['Accounts', jsonOf(['simulate', '--hindsight', '--svg', 'drawn.svg', '--json', own])],
      counted: ['Accounts', jsonOf(['tokens', '--json', own])],
      countedLists: ['ListCounts', jsonOf(['tokens', '--json', example, 'nowhere.json'])],
      lists: ['ListReports', jsonOf(['report', '--json', example, 'nowhere.json'])],
    });
    assert.equal(errors, '');
  });

  test('the compiler refuses a field that is missing, of another type or undescribed', () => {
    const { files, ...rest } = jsonOf(['sessions', '--json', 'one.jsonl']);
    const errors = compileErrors({
      missing: ['Accounts', rest],
      typed: ['Accounts', { files, ...rest, passedOver: 'none' }],
      undescribed: ['Accounts', { files: [{ ...files[0], colour: 'red' }], ...rest }],
    });
    assert.match(errors, /'files' is missing.*'string' is not assignable to type 'number'.*"colour"' does not exist/s);
  });
});
