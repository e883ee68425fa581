// @ts-check
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

const face = fileURLToPath(new URL('../../index.js', import.meta.url));
const LEVELS = /** @type {const} */ (['debug', 'info', 'warn', 'error']);
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
    (/** @type {string} */ level) => (/** @type {string} */ message, /** @type {Record<string, unknown>} */ fields) =>
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

  it('R0.3 setLogger and a manager refuse a style that does not exist', () => {
    for (const logStyle of ['pino', '', 7, {}]) {
      const code = typeof logStyle === 'string' ? 'ERR_OUT_OF_RANGE' : 'ERR_INVALID_ARG_TYPE';
      const options = /** @type {any} */ ({ logStyle });
      assert.throws(() => setLogger({}, options), { code, message: /^options\.logStyle: / });
      assert.throws(() => new AutoCompressionManager({}, () => '', null, options), { code });
    }
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

/** A logger's methods, each of which hears what it is given. @param {any[]} heard @param {object} [more] */
function methods(heard, more = {}) {
  const each = LEVELS.map((level) => [level, (/** @type {any[]} */ ...given) => void heard.push(given)]);
  return { ...Object.fromEntries(each), ...more };
}

/** Loggers by what each has beside its methods. @type {Record<string, (heard: any[]) => any>} */
const MESSAGE_FIRST = {
  'a plain object': (heard) => methods(heard),
  console: (heard) => methods(heard, { log: () => {}, table: () => {}, group: () => {} }),
  winston: (heard) =>
    methods(heard, { child: () => {}, transports: [], format: {}, log: () => {}, configure: () => {} }),
  "winston's child": (heard) => Object.create(methods(heard, { child: () => {}, transports: [], configure: () => {} })),
  log4js: (heard) => methods(heard, { addContext: () => {}, isLevelEnabled: () => true, category: 'x' }),
  loglevel: (heard) => methods(heard, { setLevel: () => {}, methodFactory: () => {}, levels: {} }),
  consola: (heard) => methods(heard, { withTag: () => {}, create: () => {}, options: {} }),
};
/** @type {Record<string, (heard: any[]) => any>} */
const FIELDS_FIRST = {
  pino: (heard) => methods(heard, { child: () => {}, bindings: () => ({}), flush: () => {}, level: 'info' }),
  bunyan: (heard) => methods(heard, { child: () => {}, fields: { name: 'x' }, addStream: () => {}, streams: [] }),
  'a class with bindings': (heard) =>
    new (class {
      bindings = () => ({});
      info = (/** @type {any[]} */ ...given) => void heard.push(given);
      warn = this.info;
    })(),
};

describe('R9.1 what a logger takes first', () => {
  afterEach(() => setLogger(null));

  /** @param {any} logger @param {any} [options] */
  function simplify(logger, options) {
    setLogger(logger, options);
    simplifyOutdatedTerminalResults(messages(), { now: 1e9 });
  }

  const fields = { rule: 'terminal', changed: 3 };
  const message = 'tool results simplified';
  /** @param {any[][]} heard @param {'message-first' | 'fields-first'} style */
  function assertHeard(heard, style) {
    const at = style === 'message-first' ? [message, fields] : [fields, message];
    const told = heard.find((given) => given.includes(message));
    assert.deepEqual(
      told?.map((value) => (typeof value === 'string' ? value : { ...value })),
      at,
    );
  }

  for (const [name, loggerOf] of Object.entries(MESSAGE_FIRST)) {
    it(`R9.1 ${name} gets the message first`, () => {
      /** @type {any[]} */
      const heard = [];
      simplify(loggerOf(heard));
      assertHeard(heard, 'message-first');
    });
  }
  for (const [name, loggerOf] of Object.entries(FIELDS_FIRST)) {
    it(`R9.1 ${name} gets the fields first`, () => {
      /** @type {any[]} */
      const heard = [];
      simplify(loggerOf(heard));
      assertHeard(heard, 'fields-first');
    });
  }

  it('R9.1 logStyle decides whatever the logger looks like', () => {
    for (const logStyle of /** @type {const} */ (['message-first', 'fields-first'])) {
      for (const loggerOf of Object.values({ ...MESSAGE_FIRST, ...FIELDS_FIRST })) {
        /** @type {any[]} */
        const heard = [];
        simplify(loggerOf(heard), { logStyle });
        assertHeard(heard, logStyle);
      }
    }
  });

  it('R9.1 a logger that joins what it gets prints the figures, never [object Object]', () => {
    /** @type {string[]} */
    const lines = [];
    const joining = (/** @type {any} */ one, /** @type {any} */ other) => void lines.push(`${one} ${other}`);
    for (const more of [{}, { child: () => {} }]) simplify({ info: joining, debug: joining, ...more });
    assert.ok(lines.length >= 2);
    for (const line of lines) assert.ok(!line.includes('[object'), line);
    assert.ok(lines.includes(`${message} {"rule":"terminal","changed":3}`), lines.join('\n'));
    assert.ok(lines.includes(`{"rule":"terminal","changed":3} ${message}`), lines.join('\n'));
  });

  it('R9.1 a manager tells its own logger in the same way', async () => {
    const asynchronous = { get: () => Promise.resolve(1) };
    const options = { logFields: { agentId: 'a' } };
    for (const [style, loggers] of Object.entries({ 'message-first': MESSAGE_FIRST, 'fields-first': FIELDS_FIRST })) {
      for (const [name, loggerOf] of Object.entries(loggers)) {
        /** @type {any[]} */
        const heard = [];
        await new AutoCompressionManager(asynchronous, () => '', loggerOf(heard), options).process([]);
        const [first, second] = heard[0] ?? assert.fail(name);
        assert.equal((style === 'message-first' ? second : first).agentId, 'a', name);
      }
    }
  });
});
