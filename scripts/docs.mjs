// @ts-check
/**
 * Builds the documentation site in `build/site`. The first run installs its tools in `site/node_modules`.
 *
 *   npm run docs                builds the site and checks all links
 *   npm run docs -- --serve     also serves it on 127.0.0.1, as deployed
 *   npm run docs -- dev         development server with live reload, without search
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faultsOf } from '../site/check-site.mjs';
import { serveSite } from '../site/serve.mjs';
import { ensurePackages, hasPackages } from './ensure-built.mjs';

const vitepress = join('node_modules', 'vitepress', 'bin', 'vitepress.js');
const repository = fileURLToPath(new URL('..', import.meta.url));
const folder = join(repository, 'site');

/** @param {string} program @param {readonly string[]} args @param {'inherit' | 'ignore'} [stdout] */
function run(program, args, stdout = 'inherit') {
  const shell = process.platform === 'win32' && program === 'npm';
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, shell, stdio: ['ignore', stdout, 'inherit'] });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(undefined);
      else reject(new Error(`“${program} ${args.join(' ')}” ended with ${code}`));
    });
  });
}

/** @throws {Error} if the installation fails */
export async function installSite() {
  if (!hasPackages(folder)) await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], 'ignore');
}

/** Call `installSite` first. @returns {Promise<string>} the output folder */
export async function buildSite() {
  const site = join(repository, 'build', 'site');
  // Separate processes, because they import packages that were just installed.
  await run(process.execPath, ['api-pages.mjs']);
  await run(process.execPath, [vitepress, 'build', '.'], 'ignore');
  await run(process.execPath, ['search-index.mjs', site]);
  return site;
}

async function main() {
  const [mode, ...more] = process.argv.slice(2);
  if (more.length > 0 || ![undefined, 'dev', '--serve'].includes(mode)) {
    throw new Error(`npm run docs: expected nothing, dev or --serve; got ${process.argv.slice(2).join(' ')}`);
  }
  // The declarations refer to types of Node.js and of the SDKs.
  await ensurePackages();
  await installSite();
  if (mode === 'dev') {
    await run(process.execPath, ['api-pages.mjs']);
    await run(process.execPath, [vitepress, 'dev', '.']);
    return;
  }
  const site = await buildSite();
  const faults = faultsOf(site);
  if (faults.length > 0) throw new Error(`the site has links that lead nowhere:\n${faults.join('\n')}`);
  if (mode === undefined) return;
  process.stdout.write(`${(await serveSite(site)).address}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
