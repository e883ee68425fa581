// @ts-check
/** Errors of every export for arguments of a wrong type or value, and failures of logging: codes, and no content of messages. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import * as palimpsest from 'palimpsest';
import { configuration, NOW, scripted, session, summary } from '../support/compression.mjs';

const p = /** @type {any} */ (palimpsest);
const SECRET = 'the user’s own words, which no log may show';
const folder = mkdtempSync(join(tmpdir(), 'palimpsest-errors-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

/** Values that almost every argument refuses. */
const WRONG_VALUES = [
  ...[undefined, null, true, 0, -1, Number.NaN, 2 ** 53, 7n, '', SECRET, '\ud800', Symbol('s')],
  ...[() => {}, [], [SECRET], {}, { content: SECRET }, Object.create(null), new Date(Number.NaN)],
];

const counter = new p.TokenCounter();
const calibration = new p.TokenCalibration({ model: 'm' });
const archive = new p.SessionArchive(join(folder, 'a.db'));
const client = new p.HttpLlmClient({ baseUrl: 'http://127.0.0.1:9/v1', maxRetries: 0, model: 'm' });
const overflow = new palimpsest.ContextLengthExceededError(2, 1, 'p');
const batch = { id: 'b', kind: 'summary', level: 1, at: NOW, messages: [{ role: 'user', content: 'x' }], summary: 's' };
const manager = new p.AutoCompressionManager(configuration(), scripted(summary()));
const rule = { name: 'r', placeholder: 'x', tools: ['t'], groupBy: 'path', projectRoot: '/p' };
const http = {
  ...{ baseUrl: 'http://127.0.0.1:9', apiKey: 'k', style: 'openai', model: 'm', headers: { a: 'b' }, proxy: false },
  ...{ caCertificates: [], body: {}, temperature: 0, maxRetries: 0, language: 'en', anthropicVersion: 'v' },
};
const progress = {
  tool: 't',
  emit() {},
  stages: [{ stage: 's', message: 'm', progress: 5 }],
  timeoutMs: 50,
  language: 'en',
};
const options = { now: NOW, keepRecent: 1, maxAgeMs: 1, placeholder: 'x', errors: 'seed', countErrors: true };

/** Every export with valid arguments. Each argument, and each field of each, is replaced by a wrong value. @type {Record<string, [(...args: any[]) => any, any[]]>} */
const CALLS = {
  cleanOrphanedToolCalls: [p.cleanOrphanedToolCalls, [[]]],
  simplifyOutdatedTerminalResults: [p.simplifyOutdatedTerminalResults, [[], { ...options, terminalTools: ['a'] }]],
  simplifyHistoricalFileReads: [
    p.simplifyHistoricalFileReads,
    [
      [],
      {
        ...options,
        projectRoot: '/p',
        readTools: ['a'],
        pathKeys: ['p'],
        caseInsensitivePaths: true,
        errors: undefined,
      },
    ],
  ],
  simplifyTextSearchResults: [p.simplifyTextSearchResults, [[], { ...options, searchTools: ['a'], errors: undefined }]],
  simplifyToolResults: [p.simplifyToolResults, [[], [rule], { now: NOW }]],
  prepareMessages: [
    p.prepareMessages,
    [[], { now: NOW, terminal: {}, fileReads: {}, textSearch: {}, orphans: true, rules: [rule] }],
  ],
  ContextView: [
    (given) => new p.ContextView(given).project([], {}),
    [
      {
        terminal: {},
        rules: [rule],
        orphans: true,
        price: 'openai',
        tools: 'codex',
        maxExtraCost: 0.1,
        budgetTokens: 9,
        arrivalTimes: true,
        marks: false,
        compressWhenCold: 0.5,
      },
    ],
  ],
  'view.project': [(...given) => new p.ContextView().project(...given), [[], { now: NOW }]],
  'view.plan': [(given) => new p.ContextView().plan(given), [{ now: NOW }]],
  'view.observe': [(given) => new p.ContextView().observe(given), [{}]],
  'ContextView.import': [(given) => p.ContextView.import(given), [new p.ContextView().export()]],
  contextPicture: [(...given) => p.contextPicture(...given), [new p.ContextView(), []]],
  ContextViews: [(given) => new p.ContextViews(given), [{ maxViews: 3, orphans: true }]],
  setLogger: [p.setLogger, [null]],
  trimEmptyLines: [p.trimEmptyLines, ['x']],
  truncateOutput: [p.truncateOutput, ['x', { limit: 5, keep: 'tail' }]],
  sanitizeToolResult: [p.sanitizeToolResult, [{}, { largeDataFields: ['a'] }]],
  sanitizeToolResults: [p.sanitizeToolResults, [[], { largeDataFields: ['a'] }]],
  sanitizeToolResultsJson: [p.sanitizeToolResultsJson, ['[]', { largeDataFields: ['a'] }]],
  formatToolResultForModel: [
    p.formatToolResultForModel,
    [[{ toolCallId: 'a', success: true, output: 'x', metadata: {} }]],
  ],
  ContextLengthExceededError: [
    (...given) => JSON.stringify(new p.ContextLengthExceededError(...given)),
    [5, 4, 'p', { language: 'en' }],
  ],
  textsIn: [(language) => overflow.textsIn(language), ['en']],
  parseContextLengthError: [p.parseContextLengthError, [{ message: 'x' }, 'p', { language: 'en' }]],
  runWithProgress: [(...given) => p.runWithProgress(...given), [progress, () => 1]],
  TokenCounter: [(given) => new p.TokenCounter(given), [{ model: 'gpt-4o', encoding: 'o200k_base' }]],
  'counter.count': [(text) => counter.count(text), ['x']],
  'counter.countMessages': [(...given) => counter.countMessages(...given), [[], { tools: [] }]],
  'counter.countMessage': [(message) => counter.countMessage(message), [{}]],
  'counter.fits': [(...given) => counter.fits(...given), ['x', 5]],
  'counter.truncate': [(...given) => counter.truncate(...given), ['x y z', 1, { keep: 'both', marker: '' }]],
  Prices: [(given) => new p.Prices(given), ['anthropic']],
  'Prices.cost': [(request) => new p.Prices('anthropic').cost(request), [{ cached: 1, total: 2 }]],
  TokenCalibration: [
    (given) => new p.TokenCalibration(given),
    [{ model: 'm', provider: 'p', maxContextTokens: 9, estimatedIn: 'model' }],
  ],
  'calibration.observe': [
    (given) => calibration.observe(given),
    [{ usage: {}, estimate: 5, prefixUnchanged: true, mediaShare: 0 }],
  ],
  'calibration.predict': [(...given) => calibration.predict(...given), [5, { prefixUnchanged: true }]],
  'TokenCalibration.import': [(state) => p.TokenCalibration.import(state), [calibration.export()]],
  HttpLlmClient: [(given) => new p.HttpLlmClient(given), [http]],
  'client.chat': [
    (given) => client.chat(given),
    [{ messages: [{}], maxTokens: 5, temperature: 0, body: {}, signal: AbortSignal.abort() }],
  ],
  AutoCompressionManager: [
    (...given) => new p.AutoCompressionManager(...given),
    [
      configuration(),
      () => '',
      null,
      {
        model: 'm',
        language: 'en',
        tools: [],
        pin: null,
        sessionId: 's',
        logFields: {},
        prompt: { system: 'x', sections: [{ name: 'n', headings: ['h'] }] },
      },
    ],
  ],
  'manager.compress': [
    (...given) => manager.compress(...given),
    [[], { now: NOW, summary: summary(), instructions: 'x' }],
  ],
  'manager.onEvent': [(listener) => manager.onEvent(listener), [() => {}]],
  expandHistory: [p.expandHistory, [[], {}]],
  renderCompressionHistory: [p.renderCompressionHistory, [[], {}]],
  stripForApi: [p.stripForApi, [[], { keep: ['a'] }]],
  defaultSummaryPrompt: [p.defaultSummaryPrompt, ['en']],
  SessionArchive: [(place) => new p.SessionArchive(place), [{ path: join(folder, 'b.db'), busyTimeoutMs: 5 }]],
  'archive.append': [(...given) => archive.append(...given), ['s', batch]],
  'archive.get': [(...given) => archive.get(...given), ['s', 'b']],
  'archive.restore': [(id) => archive.restore(id), ['s']],
  'archive.search': [(...given) => archive.search(...given), ['x', { sessionId: 's', limit: 1, offset: 0 }]],
  'archive.delete': [(id) => archive.delete(id), ['other']],
  'archive.lookupTool': [
    (given) => archive.lookupTool(given),
    [{ sessionId: 's', name: 'n', language: 'en', maxResults: 1, maxTokens: 50 }],
  ],
};

const OUR_CODES = /^(ERR_INVALID_ARG_TYPE|ERR_OUT_OF_RANGE|ERR_BAD_STATE|(ARCHIVE|LLM)_[A-Z_]+|ABORT_ERR)$/;

/** Copies of the arguments, each with one wrong value, down to a depth of four. @param {any} value @returns {Generator<any>} */
function* withWrongValues(value, depth = 0) {
  if (depth > 0) yield* WRONG_VALUES;
  if (value === null || typeof value !== 'object' || depth > 4) return;
  for (const key of Object.keys(value)) {
    for (const inner of withWrongValues(value[key], depth + 1)) {
      const copy = Array.isArray(value) ? [...value] : { ...value };
      copy[key] = inner;
      yield copy;
    }
  }
}

describe('R0.3 an error for a wrong argument has a documented code and shows no content of the argument', () => {
  for (const [name, [call, args]] of Object.entries(CALLS)) {
    it(`${name} throws only such errors`, async () => {
      let refusals = 0;
      for (const given of withWrongValues(args)) {
        try {
          await call(...given);
        } catch (error) {
          refusals += 1;
          const printed = inspect(error, { depth: 2 });
          assert.ok(error instanceof Error && OUR_CODES.test(/** @type {any} */ (error).code), printed);
          assert.ok(!error.message.includes(SECRET), printed);
          assert.ok(!printed.includes(SECRET), printed);
        }
      }
      p.setLogger(null);
      if (!['counter.countMessage'].includes(name)) assert.ok(refusals > 0, 'no argument was refused');
    });
  }

  it('the table names every exported function and class, except error classes that applications only catch', () => {
    const named = Object.keys(CALLS).join(' ');
    const isMissing = (/** @type {string} */ name) =>
      typeof p[name] === 'function' && !(p[name].prototype instanceof Error) && !named.includes(name);
    assert.deepEqual(Object.keys(p).filter(isMissing), ['getMaxOutputLimit']);
  });

  it('console.error and JSON.stringify show no message of a DamagedHistoryError', () => {
    const messages = [
      { role: 'user', content: SECRET },
      {
        role: 'user',
        content: 'x',
        isCompressed: true,
        compression: { id: 'a', messageCount: 3, originalMessages: [] },
      },
    ];
    try {
      palimpsest.expandHistory(messages);
      assert.fail('expected an error');
    } catch (error) {
      assert.ok(error instanceof palimpsest.DamagedHistoryError);
      assert.equal(/** @type {any} */ (error.messages[0]).content, SECRET, 'the property holds the messages');
      assert.ok(!inspect(error, { depth: 5 }).includes(SECRET));
      assert.ok(!JSON.stringify(error).includes(SECRET));
    }
  });
});

it('R5.6 formatToolResultForModel formats holes in an array like undefined', () => {
  assert.equal(p.formatToolResultForModel(new Array(2)), p.formatToolResultForModel([undefined, undefined]));
});

describe('R7.1 process never rejects', () => {
  const log = () => {};
  const logger = { debug: log, info: log, warn: log, error: log };
  const unusualFields = {
    bare: Object.create(null),
    symbol: Symbol('s'),
    big: 7n,
    revoked: revoked(),
    toString: {
      toString() {
        throw new Error('no text');
      },
    },
  };
  for (const [what, value] of Object.entries(unusualFields)) {
    it(`if logFields holds this value and a logger is set: ${what}`, async () => {
      palimpsest.setLogger(logger);
      try {
        const manager = new palimpsest.AutoCompressionManager(configuration(), scripted(summary()), logger, {
          logFields: { a: value },
        });
        const messages = session();
        const { length } = messages;
        await manager.process(messages, { now: NOW });
        assert.ok(messages.length < length, 'the messages were compressed');
        // @ts-expect-error
        await manager.process(null);
      } finally {
        palimpsest.setLogger(null);
      }
    });
  }

  it('R9.2 whatever value an archive or a message throws, and events show no content of that value', async () => {
    const thrownValues = [revoked(), Object.create(null), Symbol('s'), undefined, null, { code: SECRET }, { code: {} }];
    for (const thrown of thrownValues) {
      const events = /** @type {any[]} */ ([]);
      const manager = new palimpsest.AutoCompressionManager(configuration(), scripted(summary()), null, {
        onEvent: (event) => void events.push(event),
        sessionId: 's',
        archive: { append: () => Promise.reject(thrown) },
      });
      await manager.process(session(), { now: NOW });
      await manager.process(
        new Proxy(session(), {
          get(target, key) {
            if (key === '3') throw thrown;
            return Reflect.get(target, key);
          },
        }),
        { now: NOW },
      );
      const types = events.map(({ type }) => type);
      assert.ok(types.includes('archive_failed') && types.includes('failed'), types.join());
      assert.ok(!JSON.stringify(events).includes(SECRET));
    }
  });
});

describe('R9.1 PALIMPSEST_LOG', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const script = `
    const p = require('./index.js');
    p.prepareMessages([{ role: 'user', content: 'x' }]);
    for (let at = 0; at < 2000; at++) p.prepareMessages([{ role: 'user', content: 'x' + at }]);
    console.log('done');
  `;
  /** @param {string} path */
  const run = (path) =>
    spawnSync(process.execPath, ['-e', script], {
      cwd: root,
      env: { ...process.env, PALIMPSEST_LOG: path },
      encoding: 'utf8',
      timeout: 60_000,
    });
  const path = join(folder, 'pipe');
  const hasPipes = process.platform !== 'win32' && spawnSync('mkfifo', [path]).status === 0;

  it('a pipe that nobody reads does not block the process', { skip: hasPipes ? false : 'no mkfifo here' }, () => {
    const { status, signal, stdout } = run(path);
    assert.deepEqual([status, signal, stdout], [0, null, 'done\n']);
  });

  it('a full device, a folder, a path below a file and a missing folder neither block the process nor print an error', () => {
    const full = process.platform === 'linux' ? ['/dev/full'] : [];
    for (const unusable of [...full, folder, join(folder, 'missing', 'log'), `${join(folder, 'pipe')}/below`]) {
      const { status, signal, stdout, stderr } = run(unusable);
      assert.deepEqual([status, signal, stdout, stderr], [0, null, 'done\n', ''], unusable);
    }
  });

  it('after the log file was renamed, entries go to a new file, and none is reported as dropped', () => {
    const file = join(folder, 'rotated.jsonl');
    const rotating = `
      const { existsSync, renameSync } = require('node:fs');
      const p = require('./index.js');
      const call = () => p.prepareMessages([{ role: 'user', content: 'x' }]);
      call();
      renameSync(${JSON.stringify(file)}, ${JSON.stringify(`${file}.1`)});
      call();
    `;
    const env = { ...process.env, PALIMPSEST_LOG: file };
    assert.equal(spawnSync(process.execPath, ['-e', rotating], { cwd: root, env, timeout: 60_000 }).status, 0);
    for (const part of [file, `${file}.1`]) assert.doesNotMatch(readFileSync(part, 'utf8'), /dropped/);
  });

  it('a regular file gets every entry', () => {
    const file = join(folder, 'log.jsonl');
    assert.equal(run(file).stdout, 'done\n');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    assert.ok(lines.length >= 2_000, `${lines.length} lines`);
    assert.ok(lines.every((line) => JSON.parse(line).message !== 'log entries dropped'));
  });
});
