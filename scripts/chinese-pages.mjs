// @ts-check
/**
 * Tracks the Chinese guide: the first line of each page contains the path of its English page and a hash of the text
 * that it was last compared with.
 *
 *   npm run docs:zh                                lists pages whose English text has changed since
 *   npm run docs:zh -- diff docs/cleanup.md        shows what has changed in it
 *   npm run docs:zh -- looked-at docs/cleanup.md   records that its translation matches the current text
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
/** Translated pages by the names of their files in docs/. */
const TRANSLATED = 'README migrating cleanup context-view cache need compression stores installing agents';
/** The steps of the guide in their order, by the names of their files in docs/guide. */
export const STEPS = ['install', 'first-request', 'removed', 'protect', 'long-sessions', 'processes', 'agents'];

/** English pages, with the path of the Chinese page for each. @type {Map<string, string>} */
export const CHINESE_PAGES = new Map([
  ['README.md', 'README.zh.md'],
  ...[...TRANSLATED.split(' '), ...STEPS.map((name) => `guide/${name}`)].map(
    (name) => /** @type {[string, string]} */ ([`docs/${name}.md`, `docs/zh/${name}.md`]),
  ),
]);

/** Hash of the words only: a change of line breaks needs no translation. @param {string} text */
function fingerprintOf(text) {
  return createHash('sha256').update(text.replaceAll(/\s+/g, ' ').trim()).digest('hex');
}

const textOf = (/** @type {string} */ path) => readFileSync(join(repository, path), 'utf8');
/** First line of a Chinese page: its English page and the hash. */
const MARK = /^<!-- english: (\S+) sha256:(\w*) -->/;

/** Why a translation is out of date; undefined if it is up to date. @param {string} english @returns {string | undefined} */
export function problemOf(english) {
  const chinese = CHINESE_PAGES.get(english);
  if (chinese === undefined) return `${english} has no Chinese page; there are those of ${[...CHINESE_PAGES.keys()]}`;
  if (!existsSync(join(repository, chinese))) return `${chinese} is missing`;
  const [, named, hash] = MARK.exec(textOf(chinese)) ?? [];
  if (named !== english) return `${chinese} does not begin with “<!-- english: ${english} sha256:… -->”`;
  if (hash === fingerprintOf(textOf(english))) return undefined;
  return (
    `${english} has changed since ${chinese} was compared with it: “npm run docs:zh -- diff ${english}” shows what; ` +
    `when the Chinese says the same again, run “npm run docs:zh -- looked-at ${english}”`
  );
}

/** Writes the current hash to the Chinese page. @param {string} english */
function markAsLookedAt(english) {
  const chinese = join(repository, String(CHINESE_PAGES.get(english)));
  const mark = `<!-- english: ${english} sha256:${fingerprintOf(textOf(english))} -->`;
  const text = readFileSync(chinese, 'utf8');
  writeFileSync(chinese, MARK.test(text) ? text.replace(MARK, mark) : `${mark}\n${text}`);
}

/** Shows what changed in the English text since the commit with the hash that the Chinese page contains. @param {string} english */
function showChanges(english) {
  const git = (/** @type {string[]} */ ...args) =>
    spawnSync('git', args, { cwd: repository, encoding: 'utf8', maxBuffer: 2 ** 26 }).stdout;
  const [, , hash] = MARK.exec(textOf(String(CHINESE_PAGES.get(english)))) ?? [];
  const commits = git('log', '--format=%H', '--', english).split('\n').filter(Boolean);
  const compared = commits.find((commit) => fingerprintOf(git('show', `${commit}:${english}`)) === hash);
  if (compared === undefined)
    throw new Error(`no commit has the text of ${english} that its Chinese was compared with`);
  process.stdout.write(git('diff', '--word-diff', compared, '--', english));
}

function main() {
  const [command, english = ''] = process.argv.slice(2);
  if (command === undefined) {
    const problems = [...CHINESE_PAGES.keys()].map(problemOf).filter((problem) => problem !== undefined);
    for (const problem of problems) console.error(problem);
    process.exitCode = problems.length > 0 ? 1 : 0;
    return;
  }
  const chinese = CHINESE_PAGES.get(english);
  if (chinese === undefined || !existsSync(join(repository, chinese))) throw new Error(problemOf(english));
  if (command === 'looked-at') {
    markAsLookedAt(english);
    console.log(`${chinese} is up to date`);
  } else if (command === 'diff') showChanges(english);
  else throw new Error(`${command} is neither “looked-at” nor “diff”`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
