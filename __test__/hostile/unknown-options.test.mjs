// @ts-check
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import * as product from 'palimpsest';
import * as aiSdk from 'palimpsest/ai-sdk';
import * as anthropic from 'palimpsest/anthropic';
import * as langchain from 'palimpsest/langchain';
import * as mastra from 'palimpsest/mastra';
import * as openaiAgents from 'palimpsest/openai-agents';
import { PostgresStore } from 'palimpsest/postgres';

/** @typedef {any} Odd what no type allows */

/** Opened by nothing here. */
const archive = new product.SessionArchive(join('no', 'such', 'folder', 'archive.db'));
const SERVICE = {};
const client = async () => '';
const rule = { name: 'own', tools: ['bash'], placeholder: 'gone' };
const adapters = [
  aiSdk.middleware,
  aiSdk.prepareStep,
  anthropic.middleware,
  langchain.contextMiddleware,
  openaiAgents.modelInputFilter,
  (/** @type {Odd} */ options) => new mastra.ContextProcessor(options),
];

/** A call with a misspelt option, the misspelt name and the right one. @type {[() => unknown, string, string][]} */
const MISSPELT = [
  [() => new product.ContextView(/** @type {Odd} */ ({ prize: 'none' })), 'prize', 'price'],
  [() => new product.ContextView(/** @type {Odd} */ ({ terminal: { keepRecents: 1 } })), 'keepRecents', 'keepRecent'],
  [
    () => new product.ContextView(/** @type {Odd} */ ({ repeatedCommand: true })),
    'repeatedCommand',
    'repeatedCommands',
  ],
  [() => new product.ContextView(/** @type {Odd} */ ({ price: { raed: 1 } })), 'raed', 'read'],
  [
    () =>
      new product.ContextView(
        /** @type {Odd} */ ({ compression: { config: SERVICE, llmClient: client, langauge: 'en' } }),
      ),
    'langauge',
    'language',
  ],
  [() => new product.ContextViews(/** @type {Odd} */ ({ maxView: 2 })), 'maxView', 'maxViews'],
  [() => new product.ContextView().project([], /** @type {Odd} */ ({ nw: 1 })), 'nw', 'now'],
  [() => new product.ContextView().plan(/** @type {Odd} */ ({ noww: 1 })), 'noww', 'now'],
  [() => product.prepareMessages([], /** @type {Odd} */ ({ textsearch: true })), 'textsearch', 'textSearch'],
  [() => product.prepareMessages([], /** @type {Odd} */ ({ fileReads: { readTool: [] } })), 'readTool', 'readTools'],
  [() => product.prepareMessages([], /** @type {Odd} */ ({ rules: [{ ...rule, tool: [] }] })), 'tool', 'tools'],
  [
    () => product.simplifyToolResults([], [/** @type {Odd} */ ({ ...rule, groupBy: { argumnet: 'x' } })]),
    'argumnet',
    'argument',
  ],
  [() => product.simplifyOutdatedTerminalResults([], /** @type {Odd} */ ({ maxAge: 1 })), 'maxAge', 'maxAgeMs'],
  [() => product.truncateOutput('s', /** @type {Odd} */ ({ limits: 1 })), 'limits', 'limit'],
  [() => product.stripForApi([], /** @type {Odd} */ ({ keeps: [] })), 'keeps', 'keep'],
  [() => product.expandHistory([], /** @type {Odd} */ ({ maxMessage: 1 })), 'maxMessage', 'maxMessages'],
  [() => product.renderCompressionHistory([], /** @type {Odd} */ ({ colour: true })), 'colour', 'color'],
  [() => new product.TokenCounter(/** @type {Odd} */ ({ modle: 'gpt-4o' })), 'modle', 'model'],
  [() => new product.TokenCounter().truncate('a', 1, /** @type {Odd} */ ({ makrer: '' })), 'makrer', 'marker'],
  [() => new product.TokenCalibration(/** @type {Odd} */ ({ modell: 'x' })), 'modell', 'model'],
  [() => new product.Prices(/** @type {Odd} */ ({ writes: 1 })), 'writes', 'write'],
  [
    () => new product.HttpLlmClient(/** @type {Odd} */ ({ baseURL: 'http://localhost', maxRetry: 1 })),
    'baseURL',
    'baseUrl',
  ],
  [() => new product.AutoCompressionManager(SERVICE, client, null, /** @type {Odd} */ ({ pins: null })), 'pins', 'pin'],
  [
    () => product.sanitizeToolResult({}, /** @type {Odd} */ ({ largeDataField: [] })),
    'largeDataField',
    'largeDataFields',
  ],
  [() => product.setLogger(null, /** @type {Odd} */ ({ logstyle: null })), 'logstyle', 'logStyle'],
  [() => product.parseContextLengthError('x', null, /** @type {Odd} */ ({ lang: 'en', langage: 'en' })), 'lang', ''],
  [
    () => new product.SessionArchive(/** @type {Odd} */ ({ path: 'x', busyTimeout: 1 })),
    'busyTimeout',
    'busyTimeoutMs',
  ],
  [() => archive.lookupTool(/** @type {Odd} */ ({ sessionId: 's', maxResult: 1 })), 'maxResult', 'maxResults'],
  [
    () => new PostgresStore(/** @type {Odd} */ ({ pool: { query() {} }, tenant: 't', retention: 1 })),
    'retention',
    'retentionMs',
  ],
  [() => new product.TokenCounter().countMessages([], /** @type {Odd} */ ({ tool: [] })), 'tool', 'tools'],
  [
    () => new product.TokenCalibration().observe(/** @type {Odd} */ ({ usage: 1, estimate: 1, mediaShares: 1 })),
    'mediaShares',
    'mediaShare',
  ],
  [
    () => new product.TokenCalibration().predict(1, /** @type {Odd} */ ({ prefixUnchange: true })),
    'prefixUnchange',
    'prefixUnchanged',
  ],
  [() => new product.ContextViews().project([], /** @type {Odd} */ ({ conversationID: 'x' })), 'conversationID', ''],
  [
    () => product.ContextView.import(new product.ContextView().export(), /** @type {Odd} */ ({ prize: 1 })),
    'prize',
    '',
  ],
  [
    () => new product.AutoCompressionManager(SERVICE, client, null, { prompt: /** @type {Odd} */ ({ systm: 'x' }) }),
    'systm',
    'system',
  ],
  [
    () => {
      const sections = /** @type {Odd} */ ([{ name: 'todo' }, { name: 'files', heading: [] }]);
      new product.AutoCompressionManager(SERVICE, client, null, { prompt: { sections } });
    },
    'heading',
    'headings',
  ],
  [
    () => new product.AutoCompressionManager(SERVICE, client).noteOverflow('x', /** @type {Odd} */ ({ modle: 'x' })),
    'modle',
    'model',
  ],
  [() => new openaiAgents.ArchivingSession(/** @type {Odd} */ ({ archve: archive })), 'archve', 'archive'],
  [
    () => {
      const compression = /** @type {Odd} */ ({ config: SERVICE, llmClient: client, modle: 'x' });
      new openaiAgents.ArchivingSession({ archive, sessionId: 's', compression });
    },
    'modle',
    'model',
  ],
  ...adapters.map(
    (adapter) =>
      /** @type {[() => unknown, string, string]} */ ([
        () => adapter(/** @type {Odd} */ ({ prize: 'none' })),
        'prize',
        'price',
      ]),
  ),
];

test('ISSUE 20.6 an option that does not exist is refused by its name, with the name that was meant', () => {
  for (const [act, misspelt, meant] of MISSPELT) {
    assert.throws(act, (/** @type {Odd} */ error) => {
      assert.equal(error.name, 'TypeError', error.message);
      assert.ok(error.message.includes(`unknown option \`${misspelt}\``), error.message);
      if (meant !== '') assert.ok(error.message.endsWith(`did you mean \`${meant}\`?`), error.message);
      return true;
    });
  }
});

test('ISSUE 20.6 a promise of compression rejects for an option that does not exist, too', async () => {
  const manager = new product.AutoCompressionManager(SERVICE, client);
  await assert.rejects(
    manager.compress([], /** @type {Odd} */ ({ instruction: 'x' })),
    /did you mean `instructions`\?/,
  );
  await assert.rejects(new product.ContextView().prepare([], /** @type {Odd} */ ({ singal: null })), /`signal`\?/);
  const params = { messages: [] };
  await assert.rejects(
    anthropic.prepareParams(/** @type {Odd} */ (params), /** @type {Odd} */ ({ veiw: null })),
    /`view`\?/,
  );
});

test('ISSUE 20.6 what is misspelt in a batch, a request or what a tool reports on rejects, and nothing is left out in silence', async () => {
  const batch = { id: 'b', kind: /** @type {const} */ ('summary'), level: 1, at: 1, messages: [] };
  await assert.rejects(archive.append('s', /** @type {Odd} */ ({ ...batch, sumary: 'x' })), /did you mean `summary`\?/);
  await assert.rejects(archive.search('x', /** @type {Odd} */ ({ sessionID: 's' })), /did you mean `sessionId`\?/);
  const http = new product.HttpLlmClient({ baseUrl: 'http://127.0.0.1:9/v1', model: 'm', maxRetries: 0 });
  const messages = [{ role: 'user', content: 'x' }];
  await assert.rejects(http.chat(/** @type {Odd} */ ({ messages, max_token: 1 })), /did you mean `max_tokens`\?/);
  await assert.rejects(http.call(/** @type {Odd} */ ({ messages, tools: [] })), /unknown option `tools`; known: model/);
  const progress = { tool: 'x', stages: [{ stage: 'a', mesage: 'b', progress: 1 }] };
  await assert.rejects(
    product.runWithProgress(/** @type {Odd} */ (progress), () => 1),
    /did you mean `message`\?/,
  );
});

test('ISSUE 20.6 process, which never rejects, says what is misspelt as an event and as its outcome', async () => {
  /** @type {unknown[]} */
  const problems = [];
  const onEvent = (/** @type {Odd} */ { problem }) => problems.push(problem);
  const manager = new product.AutoCompressionManager(SERVICE, client, null, { onEvent });
  const messages = [{ role: 'user', content: 'x' }];
  await manager.process(messages, /** @type {Odd} */ ({ maxContextToken: 1000 }));
  const said = 'options: unknown option `maxContextToken`; did you mean `maxContextTokens`?';
  assert.deepEqual([problems, manager.outcomeOf(messages)?.problem], [[said], said]);
});

test('ISSUE 20.10 a promise in the place of any object is named, and asks for its await', async () => {
  const late = /** @type {Odd} */ (Promise.resolve({}));
  const asks = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE', message: /got a Promise: is an await missing\?$/ };
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
    await assert.rejects(async () => act(), asks, String(act));
  }
  const http = new product.HttpLlmClient({ baseUrl: 'http://127.0.0.1:9/v1', model: 'm', maxRetries: 0 });
  await assert.rejects(http.chat(late), asks);
  await assert.rejects(archive.append('s', late), asks);
});

test('an array in the place of options is named as what it is, and not as an unknown option 0', () => {
  const list = /** @type {Odd} */ ([{ role: 'user', content: 'x' }]);
  const message = 'options: expected an object, got an array';
  assert.throws(() => new product.ContextView().plan(list), { name: 'TypeError', message });
  assert.throws(() => product.prepareMessages(list, list), { name: 'TypeError', message });
});

test('ISSUE 20.6 a name that is near none is answered with those that there are, and undefined is no excuse', () => {
  const act = () => product.prepareMessages([], /** @type {Odd} */ ({ compressEverything: undefined }));
  assert.throws(act, /unknown option `compressEverything`; known: binary, repeated, orphans, terminal, fileReads/);
});

test('ISSUE 20.6 what can be no name of an option is not repeated in the error', () => {
  const act = () => product.prepareMessages([], /** @type {Odd} */ ({ 'the secret is 42': 1 }));
  assert.throws(act, (/** @type {Odd} */ error) => !error.message.includes('secret'));
});

test('ISSUE 20.11 a time of now in seconds, and a share of more than all, are refused', () => {
  const seconds = { name: 'RangeError', message: /^options\.now: expected milliseconds since 1970/ };
  assert.throws(() => product.prepareMessages([], { now: 1.7e9 }), seconds);
  assert.throws(() => new product.ContextView().project([], { now: 1.7e9 }), seconds);
  assert.throws(() => product.simplifyHistoricalFileReads([], { now: 1.7e9 }), seconds);
  assert.equal(product.prepareMessages([], { now: 1000 }).messages.length, 0, 'a clock of the host’s own');
  assert.throws(() => new product.ContextView({ maxExtraCost: 2 }), {
    name: 'RangeError',
    message: /at most 1, got 2/,
  });
  assert.doesNotThrow(() => new product.ContextView({ maxExtraCost: 1 }));
});
