// @ts-check
/** Recorded conversations as numbers, with the needs of later assistant messages. They are stored outside the repository. */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const shared = fileURLToPath(new URL('../../../shared/', import.meta.url));
/** Recordings that the corpus contains as chats, message by message. */
const IN_THE_CORPUS = /entire-17_|entire-25_730c|pi-large-session|mise-f1_|deerflow-fe3f/;
const MIN_REQUESTS = 3;

/** @typedef {import('./bill.mjs').Context} Context */

/** @returns {string[]} the corpus and the recordings; the recordings are one path, because a folder can be one session */
export function knownPaths() {
  const [recordings, corpus] = [join(shared, 'recordings'), join(shared, 'corpus')];
  if (!existsSync(recordings) || !existsSync(corpus)) return [];
  const chats = readdirSync(corpus).filter((name) => name.endsWith('.json'));
  return [recordings, ...chats.map((name) => join(corpus, name))];
}

/**
 * @param {readonly string[]} paths
 * @param {readonly string[]} lists price lists
 * @param {{ ages?: Record<string, number>, maxExtraCost?: number }} [viewOptions] replaces the view's default settings
 * @returns {Promise<Context[]>} conversations with at least three requests
 */
export async function conversations(paths, lists, viewOptions = {}) {
  const { SessionAccounts } = createRequire(import.meta.url)('../../lib/native-cli.js').cliAddon();
  const work = new SessionAccounts({
    lists: [...lists],
    simulate: true,
    hindsight: false,
    need: 'columns',
    ...viewOptions,
  });
  const { files } = JSON.parse(await work.read([...paths]));
  return files
    .filter((/** @type {{ path: string }} */ { path }) => paths.includes(path) || !IN_THE_CORPUS.test(path))
    .flatMap((/** @type {any} */ { path, sessions }) =>
      sessions.flatMap((/** @type {any} */ { agent, contexts = [] }) =>
        contexts.map((/** @type {any} */ context) => ({ ...context, agent, file: path.replace(shared, '') })),
      ),
    )
    .filter((/** @type {Context} */ { lengths }) => lengths.length >= MIN_REQUESTS);
}
