// @ts-check
/** truncateOutput, trimEmptyLines and getMaxOutputLimit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { getMaxOutputLimit, trimEmptyLines, truncateOutput } from 'palimpsest';
import { loadToolResultsReference } from '../reference/load-tool-results.mjs';
import { testEachSession } from '../support/corpus.mjs';

const reference = await loadToolResultsReference();
const variable = 'BASH_MAX_OUTPUT_LENGTH';
const modes = /** @type {const} */ (['head', 'tail', 'both', 'errors']);

/** @param {string | undefined} value @param {() => void} check */
function withLimit(value, check) {
  const before = process.env[variable];
  if (value === undefined) delete process.env[variable];
  else process.env[variable] = value;
  try {
    check();
  } finally {
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
  }
}

/** JavaScript's white space, characters that resemble it, line breaks, and halves of surrogate pairs. */
const unit = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('\n', '\n', '\r\n', ' ', '\t', '\v', '\f', '\u00a0', '\ufeff', '\u1680') },
  { weight: 3, arbitrary: fc.constantFrom('\u2000', '\u200a', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000') },
  { weight: 3, arbitrary: fc.constantFrom('\u0085', '\u180e', '\u200b', '\0', '\x1b[31m', '中', 'a', 'word', '0') },
  { weight: 2, arbitrary: fc.constantFrom('😀', '\ud83d', '\ude00', '\ud83d\ud83d\ude00') },
);
const content = fc.array(unit, { maxLength: 40 }).map((units) => units.join(''));

/** @param {string} text */
const loneSurrogates = (text) => text.match(/\p{Surrogate}/gu)?.length ?? 0;

test('R4.1 100,000 random strings are trimmed and truncated as the agents’ own functions do', () => {
  const property = fc.property(content, fc.nat(60), (text, limit) => {
    const trimmed = trimEmptyLines(text);
    if (trimmed !== reference.trimEmptyLines(text)) assert.equal(trimmed, reference.trimEmptyLines(text));
    const cut = truncateOutput(text, limit);
    if (cut !== reference.truncateOutput(text, limit)) assert.equal(cut, reference.truncateOutput(text, limit));
  });
  fc.assert(property, { numRuns: 100_000 });
});

test('R4.1 short output is only trimmed, and long output ends with the number of truncated lines', () => {
  assert.equal(truncateOutput('\n\n  a\n\nb\n \n', 100), '  a\n\nb');
  assert.equal(truncateOutput('one\ntwo\nthree', 5), 'one\nt\n\n... [2 lines truncated] ...');
  assert.equal(
    truncateOutput(`${'x'.repeat(30_000)}\n1\n2\n3`),
    `${'x'.repeat(30_000)}\n\n... [4 lines truncated] ...`,
  );
});

test('R0.2 truncateOutput splits no surrogate pair at any limit', () => {
  const text = 'ab😀cd😀\n😀'.repeat(5);
  for (let limit = 0; limit <= text.length; limit++) {
    for (const keep of [undefined, ...modes]) {
      const cut = truncateOutput(text, { limit, keep });
      assert.equal(loneSurrogates(cut), 0, `${keep} at ${limit}`);
    }
  }
});

test('R4.2 getMaxOutputLimit reads BASH_MAX_OUTPUT_LENGTH as parseInt does', () => {
  const values = ['', ' ', '0', '-1', '-0', 'abc', '0x10', '1e3', '  42 ', '\ufeff7', '+5', '9.9', '150000', '150001'];
  for (const value of [...values, '1'.repeat(400), '12abc', 'Infinity', '１２', undefined]) {
    withLimit(value, () => assert.equal(getMaxOutputLimit(), reference.getMaxOutputLimit(value), String(value)));
  }
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...' \t\u2003+-0123456789.exN_') }), (value) => {
      withLimit(value, () => assert.equal(getMaxOutputLimit(), reference.getMaxOutputLimit(value)));
    }),
    { numRuns: 2000 },
  );
});

test('R4.2 a worker thread uses the BASH_MAX_OUTPUT_LENGTH of its own process.env', async () => {
  const index = new URL('../../index.mjs', import.meta.url).href;
  const code = `import(${JSON.stringify(index)}).then(({ getMaxOutputLimit: limit }) =>
    require('node:worker_threads').parentPort.postMessage(limit()))`;
  const worker = new Worker(code, { eval: true, env: { ...process.env, [variable]: '123' } });
  const limit = await new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject));
  assert.equal(limit, 123);
  withLimit(undefined, () => assert.equal(getMaxOutputLimit(), 30_000));
});

test('R4.3 an explicit limit is a non-negative safe integer and is not capped', () => {
  const long = 'x'.repeat(200_001);
  assert.equal(truncateOutput(long, 200_000).length, 200_000 + '\n\n... [1 lines truncated] ...'.length);
  for (const limit of [-1, 1.5, Number.NaN, Infinity, 2 ** 53]) {
    const expected = { name: 'RangeError', code: 'ERR_OUT_OF_RANGE', message: /limit: .*integer, got / };
    assert.throws(() => truncateOutput('a', limit), expected);
    assert.throws(() => truncateOutput('a', { limit }), expected);
  }
  for (const limit of ['5', 5n, true]) assert.throws(() => truncateOutput('a', /** @type {any} */ (limit)), TypeError);
  withLimit('3', () => {
    assert.equal(truncateOutput('abcd', /** @type {any} */ (null)), 'abc\n\n... [1 lines truncated] ...');
    assert.equal(truncateOutput('abcd', { limit: undefined }), 'abc\n\n... [1 lines truncated] ...');
  });
});

test('R0.3 a wrong argument is an error that names the argument', () => {
  for (const wrong of [undefined, null, 5, {}, Buffer.from('a')]) {
    assert.throws(() => truncateOutput(/** @type {any} */ (wrong)), { name: 'TypeError', message: /^content: / });
    assert.throws(() => trimEmptyLines(/** @type {any} */ (wrong)), { name: 'TypeError', message: /^content: / });
  }
  assert.throws(() => truncateOutput('a', /** @type {any} */ ({ keep: 'middle' })), {
    name: 'RangeError',
    message: /^options.keep: .*'middle'/,
  });
  assert.throws(() => truncateOutput('a', /** @type {any} */ ({ keep: 1 })), {
    name: 'TypeError',
    message: /^options.keep: /,
  });
});

test('R4.4 no `keep` makes an output longer, and `errors` stays within the limit', () => {
  const lines = fc.array(fc.oneof(content, fc.constantFrom('error: no\n', '\n', 'x'.repeat(500))), { maxLength: 60 });
  const property = fc.property(lines, fc.nat(2000), fc.constantFrom(...modes), (parts, limit, keep) => {
    const text = parts.join('');
    const cut = truncateOutput(text, { limit, keep });
    assert.ok(cut.length <= text.length, `${keep}: ${cut.length} > ${text.length}`);
    if (keep === 'errors') assert.ok(cut.length <= limit, `${cut.length} > ${limit}`);
    if (trimEmptyLines(text).length <= limit) assert.equal(cut, trimEmptyLines(text));
  });
  fc.assert(property, { numRuns: 3000 });
});

test('R4.4 `tail`, `both` and `errors` keep the end, both ends and the lines with errors', () => {
  const noise = Array.from({ length: 4000 }, (_, line) => `Compiling crate ${line} of 4000`);
  const error = 'error[E0308]: mismatched types\n  --> src/main.rs:4:5';
  const text = [...noise.slice(0, 2000), error, ...noise.slice(2000)].join('\n');
  assert.match(
    truncateOutput(text, { limit: 500, keep: 'tail' }),
    /^\.\.\. \[\d+ lines truncated\] \.\.\.\n\n[\s\S]*of 4000$/,
  );
  assert.match(
    truncateOutput(text, { limit: 500, keep: 'both' }),
    /^Compiling crate 0 [\s\S]*lines truncated[\s\S]*3999 of 4000$/,
  );
  const errors = truncateOutput(text, { limit: 500, keep: 'errors' });
  assert.ok(
    errors.includes(error) && errors.startsWith('Compiling crate 0 ') && errors.endsWith('3999 of 4000'),
    errors,
  );
});

test('R4.4 `errors` keeps the part of a long line around its error, and fills 90 % of the limit', () => {
  const noises = ['x'.repeat(9000), 'function a(b){return b};'.repeat(375), '{"key":"value","n":[1,2]},'.repeat(350)];
  for (const noise of noises) {
    const cut = truncateOutput(`${noise}TypeError: boom${noise}`, { limit: 4000, keep: 'errors' });
    assert.ok(cut.includes('TypeError: boom'), cut);
    assert.ok(cut.length >= 3600 && cut.length <= 4000, String(cut.length));
  }
  const late = truncateOutput(`${'x '.repeat(201)}TypeError: boom\n${'fine\n'.repeat(2000)}`, {
    limit: 1000,
    keep: 'errors',
  });
  assert.match(late, /TypeError: boom/);
});

test('R4.4 every `keep` reduces a progress bar to its last frame and the frames with errors', () => {
  const frames = Array.from({ length: 600 }, (_, n) => `Compiling ${n} of 600 (${Math.floor(n / 6)}%)`);
  frames[300] = 'TypeError: boom';
  const text = `start\n${frames.join('\r')}\nend`;
  for (const keep of modes) {
    const cut = truncateOutput(text, { limit: 4000, keep });
    assert.equal(cut, 'start\nTypeError: boom\nCompiling 599 of 600 (99%)\nend', keep);
  }
  assert.equal(truncateOutput(text, 4000), reference.truncateOutput(text, 4000));
  for (const [place, error] of [
    [10, 'TypeError: one'],
    [300, 'TypeError: boom'],
    [599, 'TypeError: boom'],
  ])
    frames[place] = error;
  const twice = truncateOutput(`start\n${frames.join('\r')}\nend`, { limit: 4000, keep: 'errors' });
  assert.equal(twice, 'start\nTypeError: one\nTypeError: boom\nend', 'the last frame stands once');
});

test('R4.4 `errors` keeps errors of compilers and programs in several languages, and no informative lines', () => {
  const noise = 'Compiling a crate of many, 0 errors, 0 failed\n'.repeat(300);
  const around = (/** @type {string} */ line) =>
    truncateOutput(`${noise}${line}\n${noise}`, { limit: 1200, keep: 'errors' });
  for (const line of [
    'src/a.ts(3,7): error TS2322: Type no',
    'a.cs(3,5): error CS0103: The name x does not exist',
    '> Task :a FAILED',
    'curl: (7) Failed to connect to localhost port 8080',
    'Killed',
    '<<<<<<< HEAD',
    '错误：找不到文件',
    'エラー: ファイルが見つかりません',
    'Fehler: Datei nicht gefunden',
  ]) {
    assert.ok(around(line).includes(line), line);
  }
  for (const line of ['2024-01-12 INFO connection refused, retrying', '✓ throws TypeError: boom', 'errors: 0']) {
    assert.ok(!around(line).includes(line), line);
  }
});

test('a truncated output does not keep the whole output in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const kept = [];
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 20; n++) {
    const huge = Buffer.alloc(5_000_000, `${n} `).toString('latin1');
    kept.push(truncateOutput(huge, 1000), truncateOutput(huge, { limit: 1000, keep: 'tail' }));
  }
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  assert.ok(grown < 20_000_000, `${(grown / 1e6).toFixed(1)} MB for ${kept.length} short strings`);
});

testEachSession(
  'R4.1 recorded outputs are truncated as the agents’ own function does, and no `keep` makes one longer',
  ({ messages }) => {
    for (const { role, content: text } of messages) {
      if (role !== 'tool' || typeof text !== 'string') continue;
      for (const limit of [0, 1000, 30_000]) {
        assert.equal(truncateOutput(text, limit), reference.truncateOutput(text, limit));
        for (const keep of modes) assert.ok(truncateOutput(text, { limit, keep }).length <= text.length);
      }
    }
  },
);

test('truncateOutput takes less than 2 s of processor time for 10 MB, with and without line breaks', () => {
  const size = 10_000_000;
  for (const text of [
    'x'.repeat(size),
    '\n'.repeat(size),
    `a${'\n'.repeat(size)}b`,
    `a${' \r\n'.repeat(size / 3)}b`,
    '中'.repeat(size),
  ]) {
    for (const keep of [undefined, ...modes]) {
      const started = process.cpuUsage();
      truncateOutput(text, { limit: 30_000, keep });
      // Processor time, because other work on the machine delays everything.
      const { user, system } = process.cpuUsage(started);
      const took = (user + system) / 1000;
      assert.ok(took < 2000, `${JSON.stringify(text.slice(0, 3))} ${keep}: ${took.toFixed(0)} ms`);
    }
  }
});
