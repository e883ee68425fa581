// @ts-check
/** Log events: what a logger or PALIMPSEST_LOG gets, and the order of a logger’s arguments. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  AutoCompressionManager,
  setLogger,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
} from 'palimpsest';

const entry = fileURLToPath(new URL('../../index.js', import.meta.url));
const LEVELS = /** @type {const} */ (['debug', 'info', 'warn', 'error']);
const SECRET = 'sk-a-key-that-must-not-be-logged';

function terminalResults() {
  const content = JSON.stringify({ stdout: SECRET, stderr: '', exitCode: 0 });
  return Array.from({ length: 8 }, (_, timestamp) => ({ role: 'tool', content, timestamp }));
}

/** A logger that stores its events. */
function storingLogger() {
  /** @type {{ level: string, fields: Record<string, unknown>, message: string }[]} */
  const events = [];
  const on =
    (/** @type {string} */ level) => (/** @type {string} */ message, /** @type {Record<string, unknown>} */ fields) =>
      void events.push({ level, fields, message });
  return { events, debug: on('debug'), info: on('info'), warn: on('warn'), error: on('error') };
}

describe('R9.1 log events', () => {
  afterEach(() => setLogger(null));

  it('have the rule and the count of a cleanup, at info level', () => {
    const logger = storingLogger();
    setLogger(logger);
    simplifyOutdatedTerminalResults(terminalResults(), { now: 1e9 });
    const infos = logger.events.filter(({ level }) => level === 'info');
    assert.deepEqual(infos, [
      { level: 'info', fields: { rule: 'terminal', changed: 3 }, message: 'tool results simplified' },
    ]);
  });

  it('have the duration of a call, at debug level', () => {
    const logger = storingLogger();
    setLogger(logger);
    simplifyOutdatedTerminalResults(terminalResults(), { now: 1e9 });
    const { fields } = logger.events.find(({ message }) => message === 'call done') ?? {};
    assert.equal(fields?.call, 'cleanup');
    assert.equal(typeof fields?.duration_us, 'number');
  });

  it('R2.2 have the reason why a read has no usable path, at debug level', () => {
    const logger = storingLogger();
    setLogger(logger);
    simplifyHistoricalFileReads([
      {
        role: 'assistant',
        tool_calls: [{ id: 'a', function: { name: 'filesystem-read', arguments: '{"filePath":""}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'x', timestamp: 1 },
    ]);
    assert.equal(logger.events[0]?.level, 'debug');
    assert.equal(logger.events[0]?.fields.reason, 'no usable argument');
  });

  it('R9.2 have no content of messages', () => {
    const logger = storingLogger();
    setLogger(logger);
    simplifyOutdatedTerminalResults(terminalResults(), { now: 1e9 });
    assert.ok(logger.events.length > 0);
    assert.ok(!JSON.stringify(logger.events).includes(SECRET));
  });

  it('do not change a result if the logger throws or lacks methods', () => {
    setLogger({ info: () => assert.fail('a failing logger') });
    assert.equal(simplifyOutdatedTerminalResults(terminalResults(), { now: 1e9 }).changed, 3);
    setLogger({});
    assert.equal(simplifyOutdatedTerminalResults(terminalResults(), { now: 1e9 }).changed, 3);
  });

  it('are not sent after setLogger(null)', () => {
    const logger = storingLogger();
    setLogger(logger);
    setLogger(null);
    simplifyOutdatedTerminalResults(terminalResults(), { now: 1e9 });
    assert.deepEqual(logger.events, []);
  });

  it('R0.3 go only to a logger that is an object: setLogger throws for a string', () => {
    assert.throws(() => setLogger(/** @type {any} */ ('console')), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
  });

  it('R0.3 need a known `logStyle`: setLogger and AutoCompressionManager throw for others', () => {
    for (const logStyle of ['pino', '', 7, {}]) {
      const code = typeof logStyle === 'string' ? 'ERR_OUT_OF_RANGE' : 'ERR_INVALID_ARG_TYPE';
      const options = /** @type {any} */ ({ logStyle });
      assert.throws(() => setLogger({}, options), { code, message: /^options\.logStyle: / });
      assert.throws(() => new AutoCompressionManager({}, () => '', null, options), { code });
    }
  });

  it('are JSON lines in the file that PALIMPSEST_LOG names, and lost if it can’t be written', () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-log-'));
    const file = join(folder, 'events.jsonl');
    const script = `const p = require(${JSON.stringify(entry)});
      p.simplifyOutdatedTerminalResults(${JSON.stringify(terminalResults())}, { now: 1e9 });`;
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

/** A logger's methods, which store their arguments in `calls`. @param {any[]} calls @param {object} [more] */
function methods(calls, more = {}) {
  const each = LEVELS.map((level) => [level, (/** @type {any[]} */ ...given) => void calls.push(given)]);
  return { ...Object.fromEntries(each), ...more };
}

/** Loggers that take the message first, each with its own fields. @type {Record<string, (calls: any[]) => any>} */
const MESSAGE_FIRST = {
  'a plain object': (calls) => methods(calls),
  console: (calls) => methods(calls, { log: () => {}, table: () => {}, group: () => {} }),
  winston: (calls) =>
    methods(calls, { child: () => {}, transports: [], format: {}, log: () => {}, configure: () => {} }),
  "winston's child": (calls) => Object.create(methods(calls, { child: () => {}, transports: [], configure: () => {} })),
  log4js: (calls) => methods(calls, { addContext: () => {}, isLevelEnabled: () => true, category: 'x' }),
  loglevel: (calls) => methods(calls, { setLevel: () => {}, methodFactory: () => {}, levels: {} }),
  consola: (calls) => methods(calls, { withTag: () => {}, create: () => {}, options: {} }),
};
/** Loggers that take the fields first. @type {Record<string, (calls: any[]) => any>} */
const FIELDS_FIRST = {
  pino: (calls) => methods(calls, { child: () => {}, bindings: () => ({}), flush: () => {}, level: 'info' }),
  bunyan: (calls) => methods(calls, { child: () => {}, fields: { name: 'x' }, addStream: () => {}, streams: [] }),
  'a class with bindings': (calls) =>
    new (class {
      bindings = () => ({});
      info = (/** @type {any[]} */ ...given) => void calls.push(given);
      warn = this.info;
    })(),
};

const LOGGERS = { 'message-first': MESSAGE_FIRST, 'fields-first': FIELDS_FIRST };

describe('R9.1 the order of a logger’s arguments', () => {
  afterEach(() => setLogger(null));

  /** @param {any} logger @param {any} [options] */
  function simplify(logger, options) {
    setLogger(logger, options);
    simplifyOutdatedTerminalResults(terminalResults(), { now: 1e9 });
  }

  const fields = { rule: 'terminal', changed: 3 };
  const message = 'tool results simplified';
  /** @param {any[][]} calls @param {'message-first' | 'fields-first'} style */
  function assertOrder(calls, style) {
    const expected = style === 'message-first' ? [message, fields] : [fields, message];
    const call = calls.find((given) => given.includes(message));
    assert.deepEqual(
      call?.map((value) => (typeof value === 'string' ? value : { ...value })),
      expected,
    );
  }

  const styles = /** @type {const} */ (['message-first', 'fields-first']);
  for (const style of styles) {
    for (const [name, loggerOf] of Object.entries(LOGGERS[style])) {
      it(`is ${style} for ${name}`, () => {
        /** @type {any[]} */
        const calls = [];
        simplify(loggerOf(calls));
        assertOrder(calls, style);
      });
    }
  }

  it('is the one of `logStyle` for every logger', () => {
    for (const logStyle of styles) {
      for (const loggerOf of Object.values({ ...MESSAGE_FIRST, ...FIELDS_FIRST })) {
        /** @type {any[]} */
        const calls = [];
        simplify(loggerOf(calls), { logStyle });
        assertOrder(calls, logStyle);
      }
    }
  });

  it('gives JSON, and not [object Object], if a logger joins its arguments', () => {
    /** @type {string[]} */
    const lines = [];
    const joining = (/** @type {any} */ one, /** @type {any} */ other) => void lines.push(`${one} ${other}`);
    for (const more of [{}, { child: () => {} }]) simplify({ info: joining, debug: joining, ...more });
    assert.ok(lines.length >= 2);
    for (const line of lines) assert.ok(!line.includes('[object'), line);
    assert.ok(lines.includes(`${message} {"rule":"terminal","changed":3}`), lines.join('\n'));
    assert.ok(lines.includes(`{"rule":"terminal","changed":3} ${message}`), lines.join('\n'));
  });

  it('is the same for the logger of an AutoCompressionManager', async () => {
    const asyncConfiguration = { get: () => Promise.resolve(1) };
    const options = { logFields: { agentId: 'a' } };
    for (const [style, loggers] of Object.entries(LOGGERS)) {
      for (const [name, loggerOf] of Object.entries(loggers)) {
        /** @type {any[]} */
        const calls = [];
        await new AutoCompressionManager(asyncConfiguration, () => '', loggerOf(calls), options).process([]);
        const [first, second] = calls[0] ?? assert.fail(name);
        assert.equal((style === 'message-first' ? second : first).agentId, 'a', name);
      }
    }
  });
});
