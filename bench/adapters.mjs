// @ts-check
/**
 * Replays the same recorded work through each SDK: plain, with the SDK's own pruning, and with palimpsest. `node
 * bench/adapters.mjs` prints the table; `--write` puts its summary into docs/adapters.md; arguments select SDKs;
 * `--session` selects another session of the corpus; `--steps 40` replays fewer steps. Reports counts, not times, so
 * the figures are the same on every machine.
 *
 * Each SDK is a file in `adapters/` that exports its name as `sdk` and its variants as `ways`.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isNode22, node22 } from '../scripts/programs.mjs';
import { markdownTable } from './runner.mjs';

/**
 * @typedef {import('./adapters/replay.mjs').Way} Way
 * @typedef {import('./adapters/replay.mjs').Price} Price
 * @typedef {import('../examples/provider/prompt-cache.mjs').Billed} Billed
 * @typedef {object} Row
 * @property {string} sdk
 * @property {string} way
 * @property {boolean} isOurs true for palimpsest
 * @property {number} failures requests that the provider rejected
 * @property {number} lost results that are no longer stored
 * @property {number} inSight results that the last request contains in full
 * @property {Map<Price, Billed>} bills
 * @property {unknown} lastFailure
 */

/** @type {readonly Price[]} */
const PRICES = ['anthropic', 'openai', 'openai-older', 'deepseek', 'gemini'];
/** @type {readonly Price[]} */
const SHOWN_PRICES = ['anthropic', 'openai'];
const VIEW = '`view.prepare`';
const DOCUMENT = fileURLToPath(new URL('../docs/adapters.md', import.meta.url));
const TABLE = /(?<=<!-- by node bench\/adapters\.mjs --write -->\n)[\s\S]*(?=\n<!-- end -->)/;
/** Shorter results, in UTF-16 units, may occur in other texts by chance. */
const MIN_UNIQUE_UNITS = 100;

/**
 * @param {readonly string[]} names of files; empty: all
 * @param {{ session?: string | undefined, steps?: number | undefined }} [selection] the session of the corpus, and how
 *   much of it
 * @returns {AsyncGenerator<Row>}
 */
export async function* rows(names, selection) {
  const { recordedWork } = await import('./adapters/recorded-work.mjs');
  const work = recordedWork(selection);
  if (work === undefined) throw new Error('there are no recordings beside the repository');
  for (const name of sdkFiles(names)) {
    /** @type {{ sdk: string, ways: Way[] }} */
    const { sdk, ways } = await import(`./adapters/${name}.mjs`);
    for (const way of ways) yield { sdk, ...(await played(work, way)) };
  }
}

/** @param {readonly string[]} names */
function sdkFiles(names) {
  const files = readdirSync(new URL('adapters', import.meta.url)).map((file) => file.replace('.mjs', ''));
  const sdks = files.filter((file) => !['recorded-work', 'renewed', 'replay'].includes(file)).sort();
  return names.length === 0 ? sdks : sdks.filter((file) => names.includes(file));
}

/**
 * A way that uses a price list is played once per list; for other ways the requests are the same under all lists.
 * @param {import('./adapters/recorded-work.mjs').RecordedWork} work
 * @param {Way} way
 * @returns {Promise<Omit<Row, 'sdk'>>}
 */
async function played(work, { name, run, isOurs = false }) {
  const { Replay } = await import('./adapters/replay.mjs');
  /** @type {Map<Price, Billed>} */
  const bills = new Map();
  let figures = { failures: 0, lost: 0, inSight: 0, lastFailure: /** @type {unknown} */ (undefined) };
  for (const price of isOurs ? PRICES : PRICES.slice(0, 1)) {
    const replay = await Replay.start(work, price);
    try {
      const stored = await run(replay, price);
      for (const by of isOurs ? [price] : PRICES) bills.set(by, replay.provider.bill(by));
      if (bills.size > 1 && isOurs) continue;
      const { failures, lastFailure } = replay;
      figures = {
        failures,
        lastFailure,
        lost: countNoLongerStored(replay.returnedResults, stored),
        inSight: countInLastRequest(replay),
      };
    } finally {
      replay.close();
    }
  }
  return { way: name, isOurs, bills, ...figures };
}

/**
 * @param {readonly string[]} returned @param {readonly unknown[]} stored
 * @returns {number} number of results that are no longer stored as the tools returned them
 */
function countNoLongerStored(returned, stored) {
  const left = [...stored];
  return returned.filter((text) => {
    // Some SDKs prefix an error's text with its name.
    const isText = (/** @type {unknown} */ result) =>
      result === text || (typeof result === 'string' && result.endsWith(`Error: ${text}`));
    const index = left.findIndex(isText);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  }).length;
}

/**
 * @param {import('./adapters/replay.mjs').Replay} replay
 * @returns {number} number of results that the last request contains in full
 */
function countInLastRequest({ returnedResults, provider }) {
  const last = provider.requests.at(-1)?.text ?? '';
  const long = returnedResults.filter((text) => text.length >= MIN_UNIQUE_UNITS);
  return long.filter((text) => last.includes(JSON.stringify(text).slice(1, -1))).length;
}

/** Every row with every column. @param {readonly Row[]} all */
export function markdown(all) {
  const head = [
    'SDK',
    'with',
    'refused',
    'prefix changes',
    'tokens sent',
    ...PRICES,
    'results lost',
    'in sight at the end',
  ];
  const lines = all.map((row) => {
    const [first] = row.bills.values();
    const counts = [row.failures, first?.changes ?? 0, first?.tokens ?? 0].map(count);
    return [row.sdk, row.way, ...counts, ...costsOf(row, all, PRICES), count(row.lost), count(row.inSight)];
  });
  return markdownTable(head, lines, 2);
}

/**
 * The SDKs' own pruning and other options of ours, then one row for our adapters, and one for views, whose defaults
 * differ.
 * @param {readonly Row[]} all
 */
export function summary(all) {
  const head = ['SDK', 'with', 'prefix changes', ...SHOWN_PRICES, 'in sight'];
  const cellsOf = (/** @type {Row} */ row) => {
    const [first] = row.bills.values();
    return [count(first?.changes ?? 0), ...costsOf(row, all, SHOWN_PRICES), count(row.inSight)];
  };
  const ours = all.filter(({ isOurs }) => isOurs);
  const views = ours.filter(({ way }) => way.includes(VIEW));
  const adapters = ours.filter(({ way }) => /^`[^`]+`$/.test(way) && !way.includes(VIEW));
  const others = all.filter((row) => row.way !== 'nothing' && !views.includes(row) && !adapters.includes(row));
  const lines = [
    ...others.map((row) => [row.sdk, row.way, ...cellsOf(row)]),
    ['all five', 'a palimpsest adapter', ...rangesOf(adapters.map(cellsOf))],
    ['OpenAI, Google', VIEW, ...rangesOf(views.map(cellsOf))],
  ];
  return markdownTable(head, lines, 2);
}

/** The range of each column. @param {readonly (readonly string[])[]} lines */
function rangesOf(lines) {
  return (lines[0] ?? []).map((_, column) => rangeOf(lines.map((cells) => String(cells[column]))));
}

/** @param {readonly string[]} cells of one column, formatted alike */
function rangeOf(cells) {
  const sorted = [...cells].sort((a, b) => Number(a) - Number(b));
  const [least, most] = [sorted[0], sorted.at(-1)];
  return least === most ? String(least) : `${least}–${most}`;
}

/**
 * Costs relative to the same SDK alone.
 * @param {Row} row @param {readonly Row[]} all @param {readonly Price[]} prices
 */
function costsOf(row, all, prices) {
  const base = all.find(({ sdk, way }) => sdk === row.sdk && way === 'nothing') ?? row;
  return prices.map((price) => share(row.bills.get(price), base.bills.get(price)));
}

/** @param {Billed | undefined} bill @param {Billed | undefined} base */
const share = (bill, base) => (bill && base ? (bill.cost / base.cost).toFixed(2) : '–');

/** @param {number} value */
const count = (value) => Math.round(value).toLocaleString('en-US');

async function main() {
  const options = /** @type {const} */ ({
    session: { type: 'string' },
    steps: { type: 'string' },
    write: { type: 'boolean' },
  });
  const { positionals, values } = parseArgs({ options, allowPositionals: true });
  const { session, steps, write } = /** @type {{ session?: string, steps?: string, write?: boolean }} */ (values);
  const all = [];
  for await (const row of rows(positionals, { session, steps: steps === undefined ? undefined : Number(steps) })) {
    if (row.lastFailure !== undefined) console.error(`${row.sdk}, ${row.way}: ${row.lastFailure}`);
    all.push(row);
  }
  if (!write) return console.log(markdown(all));
  const text = readFileSync(DOCUMENT, 'utf8');
  writeFileSync(
    DOCUMENT,
    text.replace(TABLE, () => summary(all)),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Some SDKs require Node.js 22.
  if (isNode22) await main();
  else process.exitCode = spawnSync(node22(), process.argv.slice(1), { stdio: 'inherit' }).status ?? 1;
}
