// @ts-check
/** Misspelt options, and other values in place of an options object: every export refuses them by name. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import * as palimpsest from 'palimpsest';
import { middleware as aiMiddleware, prepareStep } from 'palimpsest/ai-sdk';
import * as anthropicAdapter from 'palimpsest/anthropic';
import { contextMiddleware } from 'palimpsest/langchain';
import { ContextProcessor } from 'palimpsest/mastra';
import * as agentsAdapter from 'palimpsest/openai-agents';
import * as postgres from 'palimpsest/postgres';

/** @typedef {any} Untyped a value that the types don't allow */

const product = /** @type {Untyped} */ (palimpsest);
const anthropic = /** @type {Untyped} */ (anthropicAdapter);
const openaiAgents = /** @type {Untyped} */ (agentsAdapter);
const { PostgresStore } = /** @type {Untyped} */ (postgres);
/** No test opens it. */
const archive = new product.SessionArchive(join('no', 'such', 'folder', 'archive.db'));
const SERVICE = {};
const client = async () => '';
const rule = { name: 'own', tools: ['bash'], placeholder: 'gone' };
/** A call with a misspelt option, the misspelt name and the right one. @type {[() => unknown, string, string][]} */
const MISSPELT = [
  [() => new product.ContextView({ prize: 'none' }), 'prize', 'price'],
  [() => new product.ContextView({ terminal: { keepRecents: 1 } }), 'keepRecents', 'keepRecent'],
  [() => new product.ContextView({ repeatedCommand: true }), 'repeatedCommand', 'repeatedCommands'],
  [() => new product.ContextView({ price: { raed: 1 } }), 'raed', 'read'],
  [
    () => new product.ContextView({ compression: { config: SERVICE, llmClient: client, langauge: 'en' } }),
    'langauge',
    'language',
  ],
  [() => new product.ContextViews({ maxView: 2 }), 'maxView', 'maxViews'],
  [() => new product.ContextView().project([], { nw: 1 }), 'nw', 'now'],
  [() => new product.ContextView().plan({ noww: 1 }), 'noww', 'now'],
  [() => product.prepareMessages([], { textsearch: true }), 'textsearch', 'textSearch'],
  [() => product.prepareMessages([], { fileReads: { readTool: [] } }), 'readTool', 'readTools'],
  [() => product.prepareMessages([], { rules: [{ ...rule, tool: [] }] }), 'tool', 'tools'],
  [() => product.simplifyToolResults([], [{ ...rule, groupBy: { argumnet: 'x' } }]), 'argumnet', 'argument'],
  [() => product.simplifyOutdatedTerminalResults([], { maxAge: 1 }), 'maxAge', 'maxAgeMs'],
  [() => product.truncateOutput('s', { limits: 1 }), 'limits', 'limit'],
  [() => product.stripForApi([], { keeps: [] }), 'keeps', 'keep'],
  [() => product.expandHistory([], { maxMessage: 1 }), 'maxMessage', 'maxMessages'],
  [() => product.renderCompressionHistory([], { colour: true }), 'colour', 'color'],
  [() => new product.TokenCounter({ modle: 'gpt-4o' }), 'modle', 'model'],
  [() => new product.TokenCounter().truncate('a', 1, { makrer: '' }), 'makrer', 'marker'],
  [() => new product.TokenCalibration({ modell: 'x' }), 'modell', 'model'],
  [() => new product.Prices({ writes: 1 }), 'writes', 'write'],
  [() => new product.HttpLlmClient({ baseURL: 'http://localhost', maxRetry: 1 }), 'baseURL', 'baseUrl'],
  [() => new product.AutoCompressionManager(SERVICE, client, null, { pins: null }), 'pins', 'pin'],
  [() => product.sanitizeToolResult({}, { largeDataField: [] }), 'largeDataField', 'largeDataFields'],
  [() => product.setLogger(null, { logstyle: null }), 'logstyle', 'logStyle'],
  [() => product.parseContextLengthError('x', null, { lang: 'en', langage: 'en' }), 'lang', ''],
  [() => new product.SessionArchive({ path: 'x', busyTimeout: 1 }), 'busyTimeout', 'busyTimeoutMs'],
  [() => archive.lookupTool({ sessionId: 's', maxResult: 1 }), 'maxResult', 'maxResults'],
  [() => new PostgresStore({ pool: { query() {} }, tenant: 't', retention: 1 }), 'retention', 'retentionMs'],
  [() => new product.TokenCounter().countMessages([], { tool: [] }), 'tool', 'tools'],
  [
    () => new product.TokenCalibration().observe({ usage: 1, estimate: 1, mediaShares: 1 }),
    'mediaShares',
    'mediaShare',
  ],
  [() => new product.TokenCalibration().predict(1, { prefixUnchange: true }), 'prefixUnchange', 'prefixUnchanged'],
  [() => new product.ContextViews().project([], { conversationID: 'x' }), 'conversationID', ''],
  [() => product.ContextView.import(new product.ContextView().export(), { prize: 1 }), 'prize', ''],
  [() => new product.AutoCompressionManager(SERVICE, client, null, { prompt: { systm: 'x' } }), 'systm', 'system'],
  [
    () => {
      const sections = [{ name: 'todo' }, { name: 'files', heading: [] }];
      new product.AutoCompressionManager(SERVICE, client, null, { prompt: { sections } });
    },
    'heading',
    'headings',
  ],
  [() => new product.AutoCompressionManager(SERVICE, client).noteOverflow('x', { modle: 'x' }), 'modle', 'model'],
  [() => new openaiAgents.ArchivingSession({ archve: archive }), 'archve', 'archive'],
  [
    () => {
      const compression = { config: SERVICE, llmClient: client, modle: 'x' };
      new openaiAgents.ArchivingSession({ archive, sessionId: 's', compression });
    },
    'modle',
    'model',
  ],
];
for (const create of /** @type {((options: Untyped) => unknown)[]} */ ([
  ...[aiMiddleware, prepareStep, anthropic.middleware, contextMiddleware, openaiAgents.modelInputFilter],
  (options) => new ContextProcessor(options),
])) {
  MISSPELT.push([() => create({ prize: 'none' }), 'prize', 'price']);
}

test('R0.3 an unknown option is a TypeError that names it and suggests the nearest known one', () => {
  for (const [act, misspelt, meant] of MISSPELT) {
    assert.throws(act, (/** @type {Untyped} */ error) => {
      assert.equal(error.name, 'TypeError', error.message);
      assert.ok(error.message.includes(`unknown option \`${misspelt}\``), error.message);
      if (meant !== '') assert.ok(error.message.endsWith(`did you mean \`${meant}\`?`), error.message);
      return true;
    });
  }
});

test('R0.3 compress, prepare and prepareParams reject for an unknown option', async () => {
  const manager = new product.AutoCompressionManager(SERVICE, client);
  await assert.rejects(manager.compress([], { instruction: 'x' }), /did you mean `instructions`\?/);
  await assert.rejects(new product.ContextView().prepare([], { singal: null }), /`signal`\?/);
  const params = { messages: [] };
  await assert.rejects(anthropic.prepareParams(params, { veiw: null }), /`view`\?/);
});

test('R0.3 append, search, chat, call and runWithProgress reject for an unknown field', async () => {
  const batch = { id: 'b', kind: 'summary', level: 1, at: 1, messages: [] };
  await assert.rejects(archive.append('s', { ...batch, sumary: 'x' }), /did you mean `summary`\?/);
  await assert.rejects(archive.search('x', { sessionID: 's' }), /did you mean `sessionId`\?/);
  const http = new product.HttpLlmClient({ baseUrl: 'http://127.0.0.1:9/v1', model: 'm', maxRetries: 0 });
  const messages = [{ role: 'user', content: 'x' }];
  await assert.rejects(http.chat({ messages, max_token: 1 }), /did you mean `max_tokens`\?/);
  await assert.rejects(http.call({ messages, tools: [] }), /unknown option `tools`; known: model/);
  const progress = { tool: 'x', stages: [{ stage: 'a', mesage: 'b', progress: 1 }] };
  await assert.rejects(
    product.runWithProgress(progress, () => 1),
    /did you mean `message`\?/,
  );
});

test('R7.1 process reports an unknown option in an event and in outcomeOf, and does not reject', async () => {
  /** @type {unknown[]} */
  const problems = [];
  const onEvent = (/** @type {Untyped} */ event) => problems.push(event.problem);
  const manager = new product.AutoCompressionManager(SERVICE, client, null, { onEvent });
  const messages = [{ role: 'user', content: 'x' }];
  await manager.process(messages, { maxContextToken: 1000 });
  const problem = 'options: unknown option `maxContextToken`; did you mean `maxContextTokens`?';
  assert.deepEqual([problems, manager.outcomeOf(messages)?.problem], [[problem], problem]);
});

test('R0.3 the error for a promise in place of an argument asks whether an await is missing', async () => {
  const late = Promise.resolve({});
  const missingAwait = {
    name: 'TypeError',
    code: 'ERR_INVALID_ARG_TYPE',
    message: /got a Promise: is an await missing\?$/,
  };
  for (const act of [
    () => product.prepareMessages(late),
    () => product.prepareMessages([], late),
    () => product.sanitizeToolResult(late),
    () => product.formatToolResultForModel([late]),
    () => product.truncateOutput(late, 5),
    () => new product.ContextView().observe(late),
    () => new product.ContextView().project(late),
    () => new product.SessionArchive(late),
    () => product.runWithProgress(late, () => 1),
  ]) {
    await assert.rejects(async () => act(), missingAwait, String(act));
  }
  const http = new product.HttpLlmClient({ baseUrl: 'http://127.0.0.1:9/v1', model: 'm', maxRetries: 0 });
  await assert.rejects(http.chat(late), missingAwait);
  await assert.rejects(archive.append('s', late), missingAwait);
});

test('R0.3 the error for an array in place of options says “an array”, and names no unknown option 0', () => {
  const list = [{ role: 'user', content: 'x' }];
  const message = 'options: expected an object, got an array';
  assert.throws(() => new product.ContextView().plan(list), { name: 'TypeError', message });
  assert.throws(() => product.prepareMessages(list, list), { name: 'TypeError', message });
});

test('R0.3 the error for an unknown option that resembles none lists the known ones, even if its value is undefined', () => {
  const act = () => product.prepareMessages([], { compressEverything: undefined });
  assert.throws(act, /unknown option `compressEverything`; known: binary, repeated, orphans, terminal, fileReads/);
});

test('R0.3 the error for an unknown option does not repeat a key that is no identifier', () => {
  const act = () => product.prepareMessages([], { 'the secret is 42': 1 });
  assert.throws(act, (/** @type {Untyped} */ error) => !error.message.includes('secret'));
});

test('R0.3 now in seconds since 1970, and maxExtraCost above 1, are a RangeError', () => {
  const seconds = { name: 'RangeError', message: /^options\.now: expected milliseconds since 1970/ };
  assert.throws(() => product.prepareMessages([], { now: 1.7e9 }), seconds);
  assert.throws(() => new product.ContextView().project([], { now: 1.7e9 }), seconds);
  assert.throws(() => product.simplifyHistoricalFileReads([], { now: 1.7e9 }), seconds);
  assert.equal(product.prepareMessages([], { now: 1000 }).messages.length, 0, 'a clock that starts at 0 is accepted');
  assert.throws(() => new product.ContextView({ maxExtraCost: 2 }), {
    name: 'RangeError',
    message: /at most 1, got 2/,
  });
  assert.doesNotThrow(() => new product.ContextView({ maxExtraCost: 1 }));
});
