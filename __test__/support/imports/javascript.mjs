// @ts-check
/** Finds which JavaScript files import which others. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { repository } from '../children.mjs';

/** @param {string} folder */
function sourcesIn(folder) {
  const paths = readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' });
  const sources = paths.filter((path) => /\.m?js$/.test(path) && !/^dist\b|\bnode_modules\b/.test(path));
  return sources.map((path) => join(folder, path));
}

/**
 * Imports of the JavaScript files in these folders, including `require` and `import()` within functions, without types in
 * comments.
 * @param {string[]} folders @returns {Promise<import('./circles.mjs').ImportGraph>}
 */
export async function javascriptImports(folders) {
  const { metafile } = await build({
    absWorkingDir: repository,
    bundle: true,
    entryPoints: folders.flatMap(sourcesIn).map((path, index) => ({ in: path, out: `${index}` })),
    external: ['*.node'],
    format: 'esm',
    loader: { '.css': 'text' },
    logLevel: 'error',
    metafile: true,
    outdir: 'unwritten',
    packages: 'external',
    platform: 'node',
    write: false,
  });
  const inputs = Object.entries(metafile.inputs);
  return new Map(
    inputs.map(([path, { imports }]) => [
      path,
      new Set(imports.filter(({ external }) => !external).map((imported) => imported.path)),
    ]),
  );
}
