// @ts-check
/**
 * Searches of `SessionArchive`, compared with SQLite's own full-text search with trigrams, on the same 20,000 messages of
 * recorded sessions: `node bench/archive-search.mjs`. Prints the median time of each query. SQLite's search runs in
 * Node.js 22, which has `node:sqlite`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadCorpus } from '../__test__/support/corpus.mjs';
import { node22 } from '../scripts/programs.mjs';
import { markdownTable, quantile } from './runner.mjs';

const MESSAGES = 20_000;
/** Messages of a batch. */
const BATCH = 100;
/** Maximum number of hits of a search. */
const MAX_HITS = 20;
const ROUNDS = 15;
/** Frequent and rare, one word and several, and one that nothing contains. */
const QUERIES = ['error', 'function', 'package.json', 'return undefined', 'timeout retry', 'qzxjvk'];

/** @typedef {{ query: string, ms: number, hits: number }} Timed */

/** @returns {any[]} messages of recorded sessions, repeated until there are enough */
function messagesOf() {
  const recorded = loadCorpus().sessions.flatMap(({ messages }) => messages);
  if (recorded.length === 0) throw new Error('expected recorded sessions in ../shared/corpus');
  return Array.from({ length: MESSAGES }, (_, index) => recorded[index % recorded.length]);
}

/**
 * Median times of all queries.
 * @param {(query: string) => Promise<unknown[]> | unknown[]} search @returns {Promise<Timed[]>}
 */
async function timed(search) {
  /** @type {Timed[]} */ const all = [];
  for (const query of QUERIES) {
    const times = [];
    let hits = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now();
      hits = (await search(query)).length;
      times.push(performance.now() - started);
    }
    all.push({ query, ms: quantile(times, 0.5), hits });
  }
  return all;
}

/** @param {string} folder @param {readonly any[]} messages */
async function byArchive(folder, messages) {
  const { SessionArchive } = createRequire(import.meta.url)('palimpsest');
  const archive = new SessionArchive(join(folder, 'archive.db'), { searchTimeoutMs: 60_000 });
  for (let start = 0; start < messages.length; start += BATCH) {
    const batch = {
      id: `b${start}`,
      kind: 'summary',
      level: 1,
      at: start,
      messages: messages.slice(start, start + BATCH),
    };
    await archive.append(`session ${start % 1000}`, batch);
  }
  const times = await timed((query) => archive.search(query, { limit: MAX_HITS }));
  await archive.close();
  return times;
}

/** Runs in Node.js 22. @param {string} folder */
async function byTrigrams(folder) {
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite');
  const database = new DatabaseSync(join(folder, 'trigrams.db'));
  database.exec("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'trigram')");
  const insert = database.prepare('INSERT INTO texts VALUES (?)');
  database.exec('BEGIN');
  for (const text of JSON.parse(readFileSync(join(folder, 'texts.json'), 'utf8'))) insert.run(text);
  database.exec('COMMIT');
  const select = database.prepare(
    `SELECT rowid, snippet(texts, 0, '[', ']', '…', 40) AS hit FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ${MAX_HITS}`,
  );
  const quoted = (/** @type {string} */ query) => query.replaceAll(/\S+/g, (word) => `"${word}"`);
  return timed((query) => select.all(quoted(query)));
}

/** @param {any} message @returns {string} */
function textOf({ content, tool_calls: calls = [] }) {
  const text = typeof content === 'string' ? content : JSON.stringify(content ?? '');
  return [text, ...calls.map((/** @type {any} */ call) => call.function?.arguments ?? '')].join('\n');
}

async function compare() {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-archive-search-'));
  try {
    const messages = messagesOf();
    writeFileSync(join(folder, 'texts.json'), JSON.stringify(messages.map(textOf)));
    const own = await byArchive(folder, messages);
    const args = ['--no-warnings', fileURLToPath(import.meta.url), folder];
    const { status, stdout, stderr } = spawnSync(node22(), args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the other side failed: ${stderr}`);
    /** @type {Timed[]} */ const other = JSON.parse(stdout);
    const lines = own.map(({ query, ms, hits }, index) => {
      const { ms: otherMs = Number.NaN, hits: otherHits = 0 } = other[index] ?? {};
      const [trigrams, ours] = [`${otherMs.toFixed(2)} ms, ${otherHits} hits`, `${ms.toFixed(2)} ms, ${hits} hits`];
      return [query, trigrams, ours, `${(ms / otherMs).toFixed(1)} ×`];
    });
    console.log(markdownTable(['query', 'FTS5, trigram', 'SessionArchive', 'ratio, goal ≤ 2 ×'], lines));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [folder] = process.argv.slice(2);
if (folder === undefined) await compare();
else process.stdout.write(JSON.stringify(await byTrigrams(folder)));
