// @ts-check
/**
 * Time to load the package and its addon, in a new process each time. Reports CPU time (user and system), which other
 * load on the machine hardly affects. `package` is the published package, `checkout` this repository.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addonFile } from '../scripts/addons.mjs';
import { bundleLibrary } from '../scripts/bundle-library.mjs';
import { rowOf } from './runner.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const { currentPlatform } = createRequire(import.meta.url)('../lib/native-addon.js');

export const title = 'Loading: CPU time of a new process';

/** @type {{ work: string, code: string, maxMs: number | null }[]} */
const LOADS = [
  { work: "require('palimpsest')", code: "require('palimpsest')", maxMs: 20 },
  { work: 'and prepareMessages taken from it', code: "require('palimpsest').prepareMessages", maxMs: 20 },
  { work: 'and ContextView', code: "require('palimpsest').ContextView", maxMs: 20 },
  { work: "import 'palimpsest', which takes everything", code: "await import('palimpsest')", maxMs: null },
  {
    work: "require('palimpsest/messageCleanup'), its functions taken",
    code: "({ ...require('palimpsest/messageCleanup') })",
    maxMs: 15,
  },
  { work: "require('palimpsest').truncateOutput", code: "require('palimpsest').truncateOutput", maxMs: null },
];

/** @param {string} folder where the package is installed @returns {string} */
function installed(folder) {
  const main = join(folder, 'node_modules', 'palimpsest');
  const parts = ['package.json', 'index.js', 'index.mjs', join('lib', 'entry'), addonFile(currentPlatform())];
  for (const part of parts) cpSync(join(repository, part), join(main, part), { recursive: true });
  bundleLibrary(join(main, 'library'));
  return folder;
}

/** @param {string} cwd @param {string} code @returns {number} ms */
function cpuOf(cwd, code) {
  const script = `async () => { const before = process.cpuUsage(); ${code}; const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1000); }`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', `(${script})()`], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${code}: ${stderr}`);
  return Number(stdout);
}

/** @param {{ quick: boolean, progress: (work: string) => void }} options */
export function* rows({ quick, progress }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-loading-')));
  const places = { package: installed(folder), checkout: repository };
  try {
    for (const { work, code, maxMs } of LOADS) {
      progress(work);
      /** @type {Record<string, number[]>} */
      const samples = { package: [], checkout: [] };
      for (let round = 0; round < (quick ? 1 : 60); round++) {
        for (const [name, place] of Object.entries(places)) samples[name]?.push(cpuOf(place, code));
      }
      const text = `package ≤ ${maxMs} ms`;
      const goals = maxMs === null ? [] : [{ text, met: (/** @type {any} */ times) => times.package <= maxMs }];
      yield rowOf(work, samples, goals);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
