// @ts-check
/** Counts the tokens of Claude Code sessions with `ccusage`, a third-party cost tracker, and with `palimpsest sessions`. */
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measured } from './measured-process.mjs';

/**
 * @typedef {{ input: number, written: number, read: number, output: number }} Totals tokens; `written`, `read`: to and from the cache
 */

const palimpsest = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));

/** @returns {string} path of its program @throws {Error} if it isn’t installed, for example on an unsupported platform */
function ccusage() {
  const path = createRequire(import.meta.url).resolve('ccusage/package.json');
  return path.replace(/package\.json$/, 'src/cli.js');
}

/**
 * @param {string} folder that contains `projects`
 * @returns {Promise<{ taken: import('./measured-process.mjs').Measured, sessions: Map<string, Totals> }>}
 */
export async function byCcusage(folder) {
  // Without --offline it downloads prices.
  const args = [ccusage(), 'claude', 'session', '--offline', '--json'];
  const taken = await measured(process.execPath, args, { ...process.env, CLAUDE_CONFIG_DIR: folder });
  /** @type {{ sessions: any[] }} */
  const { sessions } = JSON.parse(taken.stdout);
  const totals = sessions.map(
    ({ sessionId, inputTokens: input, cacheCreationTokens: written, cacheReadTokens: read, outputTokens }) => [
      sessionId,
      { input, written, read, output: outputTokens },
    ],
  );
  return { taken, sessions: new Map(/** @type {[string, Totals][]} */ (totals)) };
}

/** @param {string} folder @returns {Promise<{ taken: import('./measured-process.mjs').Measured, sessions: Map<string, Totals> }>} */
export async function byPalimpsest(folder) {
  const taken = await measured(process.execPath, [palimpsest, 'sessions', '--json', folder]);
  /** @type {{ files: { path: string, sessions: any[] }[] }} */
  const { files } = JSON.parse(taken.stdout);
  const totals = files.flatMap(({ path, sessions }) =>
    sessions.map(({ usage }) => [
      basename(path, '.jsonl'),
      {
        input: usage.input,
        written: usage.cacheWrite5m + usage.cacheWrite1h + usage.cacheWrite,
        read: usage.cacheRead,
        output: usage.output,
      },
    ]),
  );
  return { taken, sessions: new Map(/** @type {[string, Totals][]} */ (totals)) };
}

/** @param {Iterable<Totals>} all @returns {Totals} */
export function sumOf(all) {
  const sum = { input: 0, written: 0, read: 0, output: 0 };
  for (const totals of all) {
    for (const key of /** @type {(keyof Totals)[]} */ (Object.keys(sum))) sum[key] += totals[key];
  }
  return sum;
}
