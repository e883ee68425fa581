// @ts-check
/**
 * A smoke test that uses the installed package once as an application would; runs with every runtime and on every
 * platform. Writes its results to the file named by its first argument. It must exit by itself, which shows that the
 * package leaves no thread running.
 *
 * Next to it are `session.json`, the recorded session, and `entries.json`, the entries to import and whether each needs
 * an SDK.
 */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const folder = fileURLToPath(new URL('.', import.meta.url));
const require = createRequire(import.meta.url);
/**
 * The name is a variable because Deno 2.9 detects `require('…')` in the source, and then an `import()` of the same name
 * returns the CommonJS exports.
 * @returns {typeof import('palimpsest')}
 */
const palimpsest = (name = 'palimpsest') => require(name);
/** @param {string} name */
const json = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const { messages: recorded, source } = json('session.json');

/** Removes outdated results of the recorded session. @returns {{ changed: number, units: number, tokens: number }} */
function cleanUp() {
  const { prepareMessages, TokenCounter } = palimpsest();
  const now = Math.max(...recorded.map((/** @type {{ timestamp: number }} */ { timestamp }) => timestamp));
  const { report } = prepareMessages(recorded, { now, fileReads: { projectRoot: source.projectRoot } });
  const tokens = new TokenCounter({ model: 'gpt-4o' }).countMessages(recorded);
  return { changed: report.changed, units: report.unitsRemoved, tokens };
}

/** Imports and requires every name of every entry, and compares the values. @returns {Promise<number>} number of names */
async function names() {
  let count = 0;
  for (const entry of json('entries.json')) {
    const imported = await import(entry);
    const { default: _, ...named } = imported;
    const required = require(entry);
    assert.deepEqual(Object.keys(named).sort(), Object.keys(required).sort(), entry);
    for (const [name, value] of Object.entries(named)) {
      assert.notEqual(value, undefined, `${entry}: ${name}`);
      assert.equal(value, required[name], `${entry}: ${name} exists twice`);
      count += 1;
    }
  }
  return count;
}

/** Writes an archive, reopens it and reads the content. */
async function archive() {
  const { SessionArchive } = palimpsest();
  const path = join(folder, 'an archive — 归档.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  const written = new SessionArchive(path);
  await written.append('session', { id: 'c1', kind: 'summary', level: 1, at: 1, messages: recorded });
  await written.close();
  const read = new SessionArchive(path);
  assert.deepEqual(await read.get('session', 'c1'), recorded);
  assert.notEqual((await read.search('palimpsest')).length, 0);
  assert.deepEqual(await read.integrity(), { ok: true, problems: [] });
  await read.close();
  await assert.rejects(new SessionArchive(join(folder, 'missing', 'a.db')).stats(), { code: 'ARCHIVE_IO' });
}

/** Runs two threads at once, each with its own instance of the addon. */
async function workers() {
  const run = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url));
      let result = /** @type {unknown} */ (undefined);
      worker.on('message', (message) => (result = message));
      worker.on('error', reject);
      worker.on('exit', () => resolve(result));
    });
  const results = await Promise.all([run(), run()]);
  for (const result of results) assert.deepEqual(result, cleanUp());
}

/** Sends a request with the addon's HTTP client, which uses its own threads, to a server on loopback. */
async function http() {
  const { HttpLlmClient } = palimpsest();
  const answer = { choices: [{ message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }] };
  const server = createServer((_, response) => response.end(JSON.stringify(answer)));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const client = new HttpLlmClient({ baseUrl: `http://127.0.0.1:${port}`, proxy: false });
  const { content } = await client.chat({ model: 'any', messages: [{ role: 'user', content: 'well?' }] });
  assert.equal(content, 'yes');
  server.closeAllConnections?.();
  await new Promise((resolve) => server.close(resolve));
}

/** Summarises a history, and expands it again. */
async function compression() {
  const { AutoCompressionManager, expandHistory } = palimpsest();
  const settings = { maxContextTokens: 20_000, autoCompressionKeepRecentCount: 4 };
  const manager = new AutoCompressionManager(settings, async () => '## Goal\nKnow the repository.');
  const messages = [...recorded];
  await manager.process(messages);
  assert.ok(messages.length < recorded.length);
  assert.deepEqual(expandHistory(messages), recorded);
}

/** Checks that an error keeps its code, and that a view works afterwards. */
function errors() {
  const { ContextView, truncateOutput } = palimpsest();
  assert.throws(() => truncateOutput(/** @type {any} */ (7)), { code: 'ERR_INVALID_ARG_TYPE' });
  const view = new ContextView({ price: 'anthropic' });
  assert.ok(view.project(recorded).messages.length > 0);
}

const CHECKS = { names, clean: cleanUp, archive, workers, http, compression, errors };

async function main() {
  const { bun, deno, node } = process.versions;
  /** @type {Record<string, unknown>} */
  const found = { version: bun ?? deno ?? node, platform: `${process.platform}-${process.arch}` };
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      found[name] = (await check()) ?? 'ok';
    } catch (error) {
      const { code, message } = /** @type {{ code?: string, message: string }} */ (error);
      found[name] = { failed: `${code ?? ''} ${message}`.trim().slice(0, 2_000) };
    }
  }
  writeFileSync(/** @type {string} */ (process.argv[2]), JSON.stringify(found));
}

if (isMainThread) await main();
else parentPort?.postMessage(cleanUp());
