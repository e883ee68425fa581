// @ts-check
/** The worked examples of the two functions that agents had before, `simplifyOutdatedTerminalResults` and `simplifyHistoricalFileReads`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { simplifyHistoricalFileReads, simplifyOutdatedTerminalResults } from 'palimpsest';
import { exchange } from '../support/histories.mjs';

const OUTDATED_OUTPUT = '此命令返回内容已过时';
const OUTDATED_READ = '[该文件的历史读取内容已压缩,请参看最新读取结果]';
const SUCCESS = JSON.stringify({ stdout: 'Bundle written.\nFinished after 4 s', stderr: '', exitCode: 0 });
const FAILURE = JSON.stringify({ stdout: '', stderr: "Error: Module 'x' is missing", exitCode: 1 });

/** @param {string} time of the examples' day */
const at = (time) => Date.parse(`2026-01-31T${time}Z`);

let calls = 0;
/** @param {string} time @param {string} name @param {string} content @param {unknown} [input] */
const called = (time, name, content, input = {}) =>
  exchange(`call_${calls++}`, name, input, content, { timestamp: at(time) });
const terminal = (time, content = SUCCESS) => called(time, 'terminal-execute', content, { command: 'npm run build' });
const read = (time, filePath, content = `text at ${time}`) => called(time, 'filesystem-read', content, { filePath });
const reads = (filePath, times) => times.flatMap((time) => read(time, filePath));
/** Newer results of another tool, which count among the newest five. */
const newer = (count, time) => Array.from({ length: count }, () => called(time, 'filesystem-edit', 'edited')).flat();
const contents = (messages) => messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

/** @param {any[]} stored @param {string} now */
function cleanTerminal(stored, now) {
  const api = [...stored];
  simplifyOutdatedTerminalResults(api, { now: at(now) });
  return contents(api);
}

/** @param {any[]} stored @param {string} [projectRoot] */
function cleanReads(stored, projectRoot = 'F:/Projects/snow-cli') {
  const api = [...stored];
  simplifyHistoricalFileReads(api, { projectRoot });
  return contents(api);
}

describe('terminal results', () => {
  test('R1.3 a success older than 15 minutes with five newer results becomes the placeholder', () => {
    const [first] = cleanTerminal([...terminal('01:00:00'), ...newer(5, '01:10:00')], '01:20:00');
    assert.equal(first, OUTDATED_OUTPUT);
  });

  test('R1.2 an old success among the newest five stays', () => {
    const [first] = cleanTerminal([...terminal('01:00:00'), ...newer(4, '01:10:00')], '01:20:00');
    assert.equal(first, SUCCESS);
  });

  test('R1.5 an old failure stays', () => {
    const [first] = cleanTerminal([...terminal('01:00:00', FAILURE), ...newer(5, '01:10:00')], '01:20:00');
    assert.equal(first, FAILURE);
  });

  test('R1.3 a success of five minutes ago stays, however many results follow', () => {
    const [first] = cleanTerminal([...terminal('01:30:00'), ...newer(9, '01:31:00')], '01:35:00');
    assert.equal(first, SUCCESS);
  });

  test('R1.2 errors stay and do not count among the newest five', () => {
    const newestFirst = [
      called('01:55:00', 'filesystem-read', 'text'),
      terminal('01:50:00'),
      terminal('01:45:00'),
      terminal('01:40:00', FAILURE),
      terminal('01:35:00'),
      terminal('01:30:00'),
      terminal('01:20:00'),
      terminal('00:50:00'),
      called('00:40:00', 'filesystem-read', 'text'),
      terminal('00:30:00', FAILURE),
    ];
    const cleaned = cleanTerminal(newestFirst.toReversed().flat(), '02:00:00').reverse();
    const replaced = cleaned.flatMap((content, index) => (content === OUTDATED_OUTPUT ? [index + 1] : []));
    assert.deepEqual(replaced, [7, 8]);
    assert.deepEqual(
      cleaned.filter((content) => content !== OUTDATED_OUTPUT),
      ['text', SUCCESS, SUCCESS, FAILURE, SUCCESS, SUCCESS, 'text', FAILURE],
    );
  });

  test('R1.4 an old result of another tool stays', () => {
    const [first] = cleanTerminal(
      [...called('00:30:00', 'filesystem-read', SUCCESS), ...newer(9, '00:31:00')],
      '01:00:00',
    );
    assert.equal(first, SUCCESS);
  });

  test('R1.3 a success is replaced one millisecond after 15 minutes', () => {
    const [first] = cleanTerminal([...terminal('00:44:59.999'), ...newer(5, '00:50:00')], '01:00:00.000');
    assert.equal(first, OUTDATED_OUTPUT);
  });

  test('R1.3 a success of exactly 15 minutes stays', () => {
    const [first] = cleanTerminal([...terminal('00:45:00.000'), ...newer(5, '00:50:00')], '01:00:00.000');
    assert.equal(first, SUCCESS);
  });

  test('R0.1 stored messages keep the whole output, and it is replaced again in the next request', () => {
    const stored = [...terminal('01:00:00'), ...newer(5, '01:10:00')];
    const saved = JSON.stringify(stored);
    assert.equal(cleanTerminal(stored, '01:20:00')[0], OUTDATED_OUTPUT);
    assert.equal(JSON.stringify(stored), saved);
    assert.equal(cleanTerminal(JSON.parse(saved), '01:25:00')[0], OUTDATED_OUTPUT);
  });

  for (const [content, isTerminal] of /** @type {[string, boolean][]} */ ([
    ['{"stdout":"hello","stderr":"","exitCode":0}', true],
    ['{"stdout":"Build is complete"}', true],
    ['Text of a file: …', false],
    ['{"path":"/some/file"}', false],
  ])) {
    test(`R1.4 without a declared call, ${content} is ${isTerminal ? 'a' : 'no'} terminal result`, () => {
      const loose = { role: 'tool', content, timestamp: at('01:00:00') };
      const [first] = cleanTerminal([loose, ...newer(5, '01:10:00')], '01:20:00');
      assert.equal(first, isTerminal ? OUTDATED_OUTPUT : content);
    });
  }

  for (const [why, message] of /** @type {[string, object][]} */ ([
    ['content that starts with Error:', { content: 'Error: Command ended with exit code 1' }],
    ['messageStatus error', { content: SUCCESS, messageStatus: 'error' }],
    ['stderr that is not empty', { content: '{"stdout":"","stderr":"Connection was refused","exitCode":1}' }],
  ])) {
    test(`R1.5 ${why} makes a result an error, which stays`, () => {
      const [call, result] = terminal('01:00:00');
      const stored = [call, { ...result, ...message }, ...newer(5, '01:10:00')];
      assert.deepEqual(cleanTerminal(stored, '01:20:00')[0], /** @type {any} */ (message).content);
    });
  }
});

describe('file reads', () => {
  const SEVEN = ['02:20:00', '02:25:00', '02:30:00', '02:35:00', '02:40:00', '02:45:00', '02:50:00'];
  const kept = (times) => times.map((time) => `text at ${time}`);

  test('R2.4 the two oldest of seven reads of one file become the placeholder', () => {
    const cleaned = cleanReads(reads('src/components/Button.tsx', SEVEN));
    assert.deepEqual(cleaned, [OUTDATED_READ, OUTDATED_READ, ...kept(SEVEN.slice(2))]);
  });

  test('R2.4 three reads of one file stay', () => {
    const times = SEVEN.slice(4);
    assert.deepEqual(cleanReads(reads('src/format.ts', times)), kept(times));
  });

  test('R2.4 a failed read stays and does not count among the newest five', () => {
    const stored = SEVEN.flatMap((time) =>
      read(time, 'src/settings.json', time === '02:40:00' ? 'Error: there is no such file' : undefined),
    );
    const expected = kept(SEVEN);
    expected[0] = OUTDATED_READ;
    expected[4] = 'Error: there is no such file';
    assert.deepEqual(cleanReads(stored), expected);
  });

  test('R2.4 the newest five are counted for each file, without terminal results', () => {
    const stored = [
      ...reads('src/App.tsx', SEVEN.slice(0, 3)),
      ...reads('src/Button.tsx', SEVEN),
      ...reads('src/api.ts', SEVEN.slice(0, 2)),
      ...terminal('01:00:00'),
    ];
    const cleaned = cleanReads(stored);
    assert.deepEqual(
      cleaned.flatMap((content, index) => (content === OUTDATED_READ ? [index] : [])),
      [3, 4],
    );
    assert.equal(cleaned.at(-1), SUCCESS);
  });

  test('R2.2 a batch read counts for each of its files', () => {
    const files = ['file1.ts', 'file2.ts', 'file3.ts'];
    const stored = [
      ...files.flatMap((file) => read('02:00:00', file)),
      ...SEVEN.slice(2).flatMap((time) => read(time, files)),
    ];
    assert.deepEqual(cleanReads(stored).slice(0, 4), [OUTDATED_READ, OUTDATED_READ, OUTDATED_READ, 'text at 02:30:00']);
  });

  test('R2.5 a batch read stays while it is among the newest five of one of its files', () => {
    const stored = [...read('02:00:00', ['file1.ts', { path: 'file2.ts' }]), ...reads('file1.ts', SEVEN)];
    assert.deepEqual(cleanReads(stored).slice(0, 3), ['text at 02:00:00', OUTDATED_READ, OUTDATED_READ]);
  });

  test('R2.3 relative, dotted and absolute paths of a file count as one', () => {
    const spellings = ['src/Button.tsx', './src/Button.tsx', 'F:/Projects/snow-cli/src/Button.tsx'];
    const stored = SEVEN.flatMap((time, index) => read(time, spellings[index % spellings.length]));
    assert.deepEqual(cleanReads(stored).slice(0, 3), [OUTDATED_READ, OUTDATED_READ, 'text at 02:30:00']);
  });

  test('R2.6 a directory counts like a file, with or without a trailing separator', () => {
    const stored = SEVEN.flatMap((time, index) => read(time, index % 2 ? 'src/components' : 'src/components/'));
    assert.deepEqual(cleanReads(stored).slice(0, 3), [OUTDATED_READ, OUTDATED_READ, 'text at 02:30:00']);
  });

  test('R2.1 reads without declared calls stay', () => {
    const stored = reads('src/a.ts', SEVEN).filter(({ role }) => role === 'tool');
    assert.deepEqual(cleanReads(stored), kept(SEVEN));
  });

  for (const filePath of ['', null]) {
    test(`R2.2 reads of ${JSON.stringify(filePath)} stay`, () => {
      assert.deepEqual(cleanReads(reads(filePath, SEVEN)), kept(SEVEN));
    });
  }

  test('R0.1 stored messages keep every read, and they are replaced again in the next request', () => {
    const stored = reads('src/Button.tsx', SEVEN);
    const saved = JSON.stringify(stored);
    const sent = cleanReads(stored);
    assert.equal(JSON.stringify(stored), saved);
    assert.deepEqual(cleanReads(JSON.parse(saved)), sent);
  });

  for (const [why, message] of /** @type {[string, object][]} */ ([
    ['content that starts with Error:', { content: "Error: ENOENT, cannot open 'src/gone.ts'" }],
    ['messageStatus error', { content: 'half of it', messageStatus: 'error' }],
  ])) {
    test(`R2.4 ${why} makes a read an error, which stays`, () => {
      const [call, result] = read('02:00:00', 'src/gone.ts');
      const stored = [call, { ...result, ...message }, ...reads('src/gone.ts', SEVEN.slice(2))];
      assert.deepEqual(cleanReads(stored), [/** @type {any} */ (message).content, ...kept(SEVEN.slice(2))]);
    });
  }
});
