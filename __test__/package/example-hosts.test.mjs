// @ts-check
/** The three example hosts: what docs/migrating.md shows is all that a host has to change, and then it works. */
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
function made(host, changed) {
  const folder = mkdtempSync(join(root, `${host}-`));
  makeHost(host, folder, { changed });
  return folder;
}

/** A host that has run. @param {HostName} host @param {{ changed: boolean }} form */
async function ran(host, { changed }) {
  const folder = made(host, changed);
  const run = await runHost(host, folder);
  const text = (/** @type {string} */ name) => readFileSync(join(folder, name), 'utf8');
  return { ...run, report: reportOf(host, run), text, json: (/** @type {string} */ name) => JSON.parse(text(name)) };
}

/** What a document shows as changed, line by line. @param {string} path */
function shownLines(path) {
  const text = readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
  const blocks = Array.from(text.matchAll(/```diff\n(.*?)```/gs), ([, block]) => String(block).split('\n'));
  return new Set(blocks.flat().map(bare));
}

/** @param {string} line of a diff, without its indentation */
function bare(line) {
  return line.slice(0, 1) + line.slice(1).trim();
}

describe('the lines that a host changes', () => {
  for (const host of HOSTS) {
    test(`${host} changes the lines that docs/migrating.md shows and no more`, () => {
      const shown = shownLines('docs/migrating.md');
      const changes = diffOf(host)
        .split('\n')
        .filter((line) => /^[+-](?![+-]{2} )/.test(line));
      assert.ok(changes.length >= 2 && changes.length <= 12, `${changes.length} lines`);
      for (const line of changes) assert.ok(shown.has(bare(line)), line);
    });
  }

  test('a diff that does not fit its host is an error, not a guess', () => {
    const folder = made('agent-server', true);
    assert.throws(() => applyDiff(folder, diffOf('agent-server')), /does not fit/);
  });
});

describe('the terminal agent', () => {
  test('its own strict compiler finds nothing, the package’s types included', async () => {
    const folder = made('terminal-agent', true);
    const config = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8')).compilerOptions;
    assert.deepEqual([config.strict, config.skipLibCheck], [true, false]);
    await node(folder, tool('typescript/bin/tsc'), '-p', 'tsconfig.json');
  });

  test('R0.1 bundled by esbuild it runs, and the stored session is what was said', async () => {
    const { code, output, requests, report, json } = await ran('terminal-agent', { changed: true });
    assert.deepEqual([code, output], [0, ''], report);
    assert.ok(requests.length >= 25 && requests.every(({ status }) => status === 200), report);
    assert.deepEqual(json('session.json'), json('said.json'));
    const last = requests.at(-1)?.text ?? '';
    assert.ok(last.includes('此命令返回内容已过时') && last.includes('该文件的历史读取内容已压缩'));
    assert.ok(!last.includes('sleep 600'), 'the interrupted call is stored, but not sent');
    assert.ok(requests.some(({ text }) => text.includes('lines truncated]')));
  });

  test('as it was it runs too, and its stored session has lost contents', async () => {
    const { code, json } = await ran('terminal-agent', { changed: false });
    assert.equal(code, 0);
    assert.notDeepEqual(json('session.json'), json('said.json'));
  });
});

describe('the agent server', async () => {
  const server = await ran('agent-server', { changed: true });

  test('R7.1 R7.2 its configuration, client and logger fit as they are', () => {
    assert.deepEqual([server.code, server.output], [0, ''], server.report);
    const summaries = server.requests.filter(({ model }) => model === SUMMARY_MODEL);
    assert.ok(summaries.length >= 3, server.report);
    assert.ok(
      server.requests.every(({ status }) => status === 200),
      server.report,
    );
  });

  test('R7.8 what was said comes back from the saved session, after several restarts', () => {
    const stored = server.json('session.json');
    assert.ok(stored.length < server.json('said.json').length / 2);
    assert.deepEqual(expandHistory(stored), server.json('said.json'));
  });

  test('R7.7 its own usage, _usage, is on no message from before the last compression', () => {
    const stored = server.json('session.json');
    const last = stored.findLastIndex((/** @type {any} */ { isCompressed }) => isCompressed);
    assert.ok(last > 0);
    const { compressedAt, compression } = stored[last];
    const kept = stored.filter((/** @type {any} */ { timestamp }) => timestamp < compressedAt);
    assert.ok(kept.length > 1 && kept.every((/** @type {any} */ message) => message._usage === undefined));
    assert.ok(stored.slice(last).some((/** @type {any} */ message) => message._usage !== undefined));
    assert.equal(compression.model, `${SUMMARY_MODEL}-2026-01`);
  });

  test('R9.1 its log says what happened, with figures, and never [object Object]', () => {
    const log = server.text('server.log');
    assert.match(log, /^\[INFO\] history compressed \{.*"before_count":\d+.*\}$/m);
    assert.match(log, /^\[INFO\] context is above the compression threshold \{.*"source":"reported".*\}$/m);
    assert.ok(!log.includes('[object'), log);
    assert.ok(!log.includes('[WARN]') && !log.includes('[ERROR]'), log);
  });

  test('R7.9 a customer who leaves ends the summary that is being written, and nothing has changed', async () => {
    const folder = made('agent-server', true);
    const load = (/** @type {string} */ name) => import(pathToFileURL(join(folder, name)).href);
    const { ConversationManager } = await load('conversation-manager.mjs');
    const { ConfigService } = await load('config-service.mjs');
    const leaving = new AbortController();
    /** @type {any[]} */
    const asked = [];
    const client = {
      // As the server's own: it knows the signal as `abortSignal`, and ends when that says so.
      call: (/** @type {any} */ { model, abortSignal }) =>
        new Promise((_, reject) => {
          asked.push(model);
          abortSignal.addEventListener('abort', () => reject(abortSignal.reason));
          setImmediate(() => leaving.abort(new Error('the customer left')));
        }),
    };
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const messages = server.json('said.json').slice(0, 24);
    messages.at(-1)._usage = { promptTokens: 3_500, completionTokens: 10 };
    const before = structuredClone(messages);
    const manager = new ConversationManager(new ConfigService(), client, logger);
    await assert.rejects(manager.ask({ path: join(folder, 's.json'), messages }, leaving.signal), /the customer left/);
    assert.deepEqual(asked, [SUMMARY_MODEL]);
    assert.deepEqual(messages, before);
  });

  test('as it was its history is lost', async () => {
    const { json, requests } = await ran('agent-server', { changed: false });
    assert.ok(requests.length > 30);
    assert.ok(json('session.json').length < json('said.json').length / 2);
    assert.equal(expandHistory(json('session.json')).length, json('session.json').length);
  });
});

describe('the Electron agent', () => {
  test('R5.1 R5.6 what is stored and sent has no image, what the renderer hears has', async () => {
    const { code, output, requests, report, json } = await ran('electron-agent', { changed: true });
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

  test('R5.6 its model reads what a failed command printed, and the results of messages without toolResults', async () => {
    const { requests, report } = await ran('electron-agent', { changed: true });
    assert.ok(requests[0]?.text.includes('palette: blue, white'), report);
    assert.match(requests[1]?.text ?? '', /✗ \w+: exit code 1\\n1 of 3 tests failed: hue/);
  });

  test('R5.7 when it is too long all the same, the user reads a sentence and a way out', async () => {
    const { json } = await ran('electron-agent', { changed: true });
    const { type, data } = json('events.json').at(-1);
    assert.equal(type, 'error');
    assert.equal(data.code, 'CONTEXT_LENGTH_EXCEEDED');
    assert.equal(data.suggestion, '建议新开一个会话继续对话。');
    assert.equal(data.maxTokens, 20_000);
  });

  test('as it was one image is too long for the model, and the user reads the provider’s error', async () => {
    const { json, requests } = await ran('electron-agent', { changed: false });
    assert.deepEqual(
      requests.map(({ status }) => status),
      [200, 200, 200, 400],
    );
    assert.match(json('events.json').at(-1).data.message, /^Error: DeepSeek API error: 400/);
  });
});
