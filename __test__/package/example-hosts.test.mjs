// @ts-check
/** The three example applications work after only the changes that docs/migrating.md shows. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expandHistory } from 'palimpsest';
import { applyDiff, diffOf, HOSTS, makeHost } from '../../examples/hosts/host-folder.mjs';
import { reportOf, runHost } from '../../examples/hosts/run-host.mjs';
import { SUMMARY_MODEL } from '../../examples/provider/provider.mjs';
import { node, tool } from '../support/children.mjs';

/** @typedef {import('../../examples/hosts/host-folder.mjs').HostName} HostName */

const root = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-hosts-')));
after(() => rmSync(root, { recursive: true, force: true }));

/** @param {HostName} host @param {boolean} changed */
function makeHostFolder(host, changed) {
  const folder = mkdtempSync(join(root, `${host}-`));
  makeHost(host, folder, { changed });
  return folder;
}

/** Runs an example application. @param {HostName} host @param {{ changed: boolean }} form */
async function runExample(host, { changed }) {
  const folder = makeHostFolder(host, changed);
  const run = await runHost(host, folder);
  const text = (/** @type {string} */ name) => readFileSync(join(folder, name), 'utf8');
  return { ...run, report: reportOf(host, run), text, json: (/** @type {string} */ name) => JSON.parse(text(name)) };
}

/** The lines of the diffs in a document. @param {string} path */
function shownLines(path) {
  const text = readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
  const blocks = Array.from(text.matchAll(/```diff\n(.*?)```/gs), ([, block]) => String(block).split('\n'));
  return new Set(blocks.flat().map(withoutIndentation));
}

/** @param {string} line of a diff */
function withoutIndentation(line) {
  return line.slice(0, 1) + line.slice(1).trim();
}

describe('the changes to an example application', () => {
  for (const host of HOSTS) {
    test(`${host} changes 2 to 12 lines, all of which docs/migrating.md shows`, () => {
      const shown = shownLines('docs/migrating.md');
      const changes = diffOf(host)
        .split('\n')
        .filter((line) => /^[+-](?![+-]{2} )/.test(line));
      assert.ok(changes.length >= 2 && changes.length <= 12, `${changes.length} lines`);
      for (const line of changes) assert.ok(shown.has(withoutIndentation(line)), line);
    });
  }

  test('applyDiff throws for a diff that is already applied', () => {
    const folder = makeHostFolder('agent-server', true);
    assert.throws(() => applyDiff(folder, diffOf('agent-server')), /does not fit/);
  });
});

describe('the terminal agent', () => {
  test('the agent compiles in strict mode, and so do the package’s type declarations', async () => {
    const folder = makeHostFolder('terminal-agent', true);
    const config = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8')).compilerOptions;
    assert.deepEqual([config.strict, config.skipLibCheck], [true, false]);
    await node(folder, tool('typescript/bin/tsc'), '-p', 'tsconfig.json');
  });

  test('R0.1 the bundled agent replaces outdated results in requests, and stores the original messages', async () => {
    const { code, output, requests, report, json } = await runExample('terminal-agent', { changed: true });
    assert.deepEqual([code, output], [0, ''], report);
    assert.ok(requests.length >= 25 && requests.every(({ status }) => status === 200), report);
    assert.deepEqual(json('session.json'), json('said.json'));
    const last = requests.at(-1)?.text ?? '';
    assert.ok(last.includes('此命令返回内容已过时') && last.includes('该文件的历史读取内容已压缩'));
    assert.ok(!last.includes('sleep 600'), 'the interrupted call is stored, but not sent');
    assert.ok(requests.some(({ text }) => text.includes('lines truncated]')));
  });

  test('the agent without the changes runs, and its stored session has lost contents', async () => {
    const { code, json } = await runExample('terminal-agent', { changed: false });
    assert.equal(code, 0);
    assert.notDeepEqual(json('session.json'), json('said.json'));
  });
});

describe('the agent server', async () => {
  const server = await runExample('agent-server', { changed: true });

  test('R7.1 R7.2 the manager works with the server’s own configuration, client and logger', () => {
    assert.deepEqual([server.code, server.output], [0, ''], server.report);
    const summaries = server.requests.filter(({ model }) => model === SUMMARY_MODEL);
    assert.ok(summaries.length >= 3, server.report);
    assert.ok(
      server.requests.every(({ status }) => status === 200),
      server.report,
    );
  });

  test('R7.8 expandHistory restores all messages from the saved session, after several restarts', () => {
    const stored = server.json('session.json');
    assert.ok(stored.length < server.json('said.json').length / 2);
    assert.deepEqual(expandHistory(stored), server.json('said.json'));
  });

  test('R7.3 _usage, the server’s usage field, is on no message from before the last compression', () => {
    const stored = server.json('session.json');
    const last = stored.findLastIndex((/** @type {any} */ { isCompressed }) => isCompressed);
    assert.ok(last > 0);
    const { compressedAt, compression } = stored[last];
    const kept = stored.filter((/** @type {any} */ { timestamp }) => timestamp < compressedAt);
    assert.ok(kept.length > 1 && kept.every((/** @type {any} */ message) => message._usage === undefined));
    assert.ok(stored.slice(last).some((/** @type {any} */ message) => message._usage !== undefined));
    assert.equal(compression.model, `${SUMMARY_MODEL}-2026-01`);
  });

  test('R9.1 the server’s log has the compression events with their fields as JSON, and no warning', () => {
    const log = server.text('server.log');
    assert.match(log, /^\[INFO\] history compressed \{.*"before_count":\d+.*\}$/m);
    assert.match(log, /^\[INFO\] context is above the compression threshold \{.*"source":"reported".*\}$/m);
    assert.ok(!log.includes('[object'), log);
    assert.ok(!log.includes('[WARN]') && !log.includes('[ERROR]'), log);
  });

  test('R7.1 an abort while the summary is written rejects the request, and no message changes', async () => {
    const folder = makeHostFolder('agent-server', true);
    const load = (/** @type {string} */ name) => import(pathToFileURL(join(folder, name)).href);
    const { ConversationManager } = await load('conversation-manager.mjs');
    const { ConfigService } = await load('config-service.mjs');
    const customer = new AbortController();
    /** @type {any[]} */
    const calledModels = [];
    const client = {
      // Like the server's own client, it takes the signal as `abortSignal` and rejects on abort.
      call: (/** @type {any} */ { model, abortSignal }) =>
        new Promise((_, reject) => {
          calledModels.push(model);
          abortSignal.addEventListener('abort', () => reject(abortSignal.reason));
          setImmediate(() => customer.abort(new Error('the customer left')));
        }),
    };
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const messages = server.json('said.json').slice(0, 24);
    messages.at(-1)._usage = { promptTokens: 3_500, completionTokens: 10 };
    const before = structuredClone(messages);
    const manager = new ConversationManager(new ConfigService(), client, logger);
    await assert.rejects(manager.ask({ path: join(folder, 's.json'), messages }, customer.signal), /the customer left/);
    assert.deepEqual(calledModels, [SUMMARY_MODEL]);
    assert.deepEqual(messages, before);
  });

  test('the server without the changes loses its history', async () => {
    const { json, requests } = await runExample('agent-server', { changed: false });
    assert.ok(requests.length > 30);
    assert.ok(json('session.json').length < json('said.json').length / 2);
    assert.equal(expandHistory(json('session.json')).length, json('session.json').length);
  });
});

describe('the Electron agent', async () => {
  const { code, output, requests, report, json } = await runExample('electron-agent', { changed: true });

  test('R5.1 R5.6 stored and sent messages have no image data, and the event for the renderer has it', () => {
    assert.deepEqual([code, output], [0, ''], report);
    const stored = json('session.json').filter((/** @type {any} */ { toolResults }) => toolResults);
    const lighthouse = stored.at(1);
    assert.match(lighthouse.toolResults[0].metadata.imageBase64, /^\[BINARY_DATA_FILTERED: [\d.]+KB\]$/);
    assert.deepEqual(JSON.parse(lighthouse.content), lighthouse.toolResults);
    assert.equal(lighthouse.toolResults[0].metadata.imagePath, '/tmp/lighthouse.png');
    const event = json('events.json').at(1);
    assert.ok(event.data.metadata.imageBase64.length > 50_000);
    assert.deepEqual(
      requests.map(({ status }) => status),
      [200, 200, 200, 200, 400],
    );
    assert.ok(requests[2]?.text.includes('→ Image saved: /tmp/lighthouse.png') && requests[2].tokens < 300);
  });

  test('R5.6 the model receives a failed command’s output, and results of messages without toolResults', () => {
    assert.ok(requests[0]?.text.includes('palette: blue, white'), report);
    assert.match(requests[1]?.text ?? '', /✗ \w+: exit code 1\\n1 of 3 tests failed: hue/);
  });

  test('R5.7 the user gets an overflow as a code, a suggestion and the token limit', () => {
    const { type, data } = json('events.json').at(-1);
    assert.equal(type, 'error');
    assert.equal(data.code, 'CONTEXT_LENGTH_EXCEEDED');
    assert.equal(data.suggestion, '建议新开一个会话继续对话。');
    assert.equal(data.maxTokens, 20_000);
  });

  test('the agent without the changes overflows with one image, and the user gets the provider’s error', async () => {
    const unchanged = await runExample('electron-agent', { changed: false });
    assert.deepEqual(
      unchanged.requests.map(({ status }) => status),
      [200, 200, 200, 400],
    );
    assert.match(unchanged.json('events.json').at(-1).data.message, /^Error: DeepSeek API error: 400/);
  });
});
