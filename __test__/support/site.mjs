// @ts-check
/** The documentation site, built once per content: a later test run reuses an existing build. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSite, installSite } from '../../scripts/docs.mjs';
import { allPages, entries } from '../../site/pages.mjs';
import { repository } from './children.mjs';

const FOLDERS = ['docs', 'site', 'lib/entry'];
const GENERATED = /^(site\/node_modules|site\/\.vitepress\/(cache|\.temp))\//;

/** @returns {string} hash of everything that the site is built from */
function digest() {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const others = [
    'scripts/docs.mjs',
    'package.json',
    ...Object.keys(allPages()),
    ...entries().map(({ types }) => types),
  ];
  const paths = [...new Set([...inFolders, ...others].map((path) => path.replaceAll('\\', '/')))];
  const hash = createHash('sha256');
  for (const path of paths.filter((path) => !GENERATED.test(path) && !path.startsWith('build/')).sort()) {
    const file = join(repository, path);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) hash.update(path).update('\0').update(readFileSync(file));
  }
  return hash.digest('hex');
}

/**
 * @returns {Promise<{ site: string, missing?: undefined } | { site?: undefined, missing: string }>} its folder, or why
 *   its build tools can't be installed
 * @throws {Error} if the build itself fails
 */
export async function builtSite() {
  try {
    await installSite();
  } catch (error) {
    return { missing: `what the site is built with can't be installed: ${/** @type {Error} */ (error).message}` };
  }
  const current = digest();
  const site = join(repository, 'build', 'site');
  // Next to the site, because files in it would be deployed.
  const note = join(repository, 'build', 'site-digest');
  if (existsSync(site) && existsSync(note) && readFileSync(note, 'utf8') === current) return { site };
  rmSync(note, { force: true });
  await buildSite();
  writeFileSync(note, current);
  return { site };
}
