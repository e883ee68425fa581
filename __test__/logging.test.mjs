// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { setLogger, simplifyHistoricalFileReads, simplifyOutdatedTerminalResults } from '../index.mjs';

const face = fileURLToPath(new URL('../index.js', import.meta.url));
const SECRET = 'sk-a-key-that-must-not-be-logged';

function messages() {
  const content = JSON.stringify({ stdout: SECRET, stderr: '', exitCode: 0 });
  return Array.from({ length: 8 }, (_, timestamp) => ({ role: 'tool', content, timestamp }));
}

/** A logger that keeps what it hears. */
function listener() {
  /** @type {{ level: string, fields: Record<string, unknown>, message: string }[]} */
  const heard = [];
  const on =
    (/** @type {string} */ level) => (/** @type {Record<string, unknown>} */ fields, /** @type {string} */ message) =>
      void heard.push({ level, fields, message });
  return { heard, debug: on('debug'), info: on('info'), warn: on('warn'), error: on('error') };
}

describe('R9.1 logs', () => {
  afterEach(() => setLogger(null));

  it('a simplification is one structured event', () => {
    const logger = listener();
    setLogger(logger);
    simplifyOutdatedTerminalResults(messages(), { now: 1e9 });
    const told = logger.heard.filter(({ level }) => level === 'info');
    assert.deepEqual(told, [
      { level: 'info', fields: { rule: 'terminal', changed: 3 }, message: 'tool results simplified' },
    ]);
  });

  it('a call tells at debug level how long it took', () => {
    const logger = listener();
    setLogger(logger);
    simplifyOutdatedTerminalResults(messages(), { now: 1e9 });
    const { fields } = logger.heard.find(({ message }) => message === 'call done') ?? {};
    assert.equal(fields?.call, 'cleanup');
    assert.equal(typeof fields?.duration_us, 'number');
  });

  it('R2.2 a read without a usable path is a debug event', () => {
    const logger = listener();
    setLogger(logger);
    simplifyHistoricalFileReads([
      {
        role: 'assistant',
        tool_calls: [{ id: 'a', function: { name: 'filesystem-read', arguments: '{"filePath":""}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'x', timestamp: 1 },
    ]);
    assert.equal(logger.heard[0]?.level, 'debug');
    assert.equal(logger.heard[0]?.fields.reason, 'no usable argument');
  });

  it('R9.2 no message content is in any event', () => {
    const logger = listener();
    setLogger(logger);
    simplifyOutdatedTerminalResults(messages(), { now: 1e9 });
    assert.ok(logger.heard.length > 0);
    assert.ok(!JSON.stringify(logger.heard).includes(SECRET));
  });

  it('a logger that throws, or has no method for a level, breaks nothing', () => {
    setLogger({ info: () => assert.fail('a failing logger') });
    assert.equal(simplifyOutdatedTerminalResults(messages(), { now: 1e9 }).changed, 3);
    setLogger({});
    assert.equal(simplifyOutdatedTerminalResults(messages(), { now: 1e9 }).changed, 3);
  });

  it('after setLogger(null) nothing is told', () => {
    const logger = listener();
    setLogger(logger);
    setLogger(null);
    simplifyOutdatedTerminalResults(messages(), { now: 1e9 });
    assert.deepEqual(logger.heard, []);
  });

  it('setLogger refuses what is no logger', () => {
    assert.throws(() => setLogger(/** @type {any} */ ('console')), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
  });

  it('PALIMPSEST_LOG gets JSON lines, and a path that cannot be written breaks nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-log-'));
    const file = join(folder, 'events.jsonl');
    const script = `const p = require(${JSON.stringify(face)});
      p.simplifyOutdatedTerminalResults(${JSON.stringify(messages())}, { now: 1e9 });`;
    for (const path of [file, join(folder, 'missing', 'x.jsonl')]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
        encoding: 'utf8',
        env: { ...process.env, PALIMPSEST_LOG: path },
      });
      assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
    }
    const [line] = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    assert.equal(line.rule, 'terminal');
    assert.equal(line.level, 'info');
    rmSync(folder, { recursive: true });
  });
});
