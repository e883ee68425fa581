// @ts-check
/** Types that documents show, compiled as in a user's strict project. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository, runAnyhow, tool } from './children.mjs';

/** What a snippet's module may extend; the package that it is of isn't installed here. */
const REACT = 'export namespace JSX { interface IntrinsicElements { div: object } }\n';

const OPTIONS = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  module: 'nodenext',
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
};

/** What the compiler finds wrong. @param {readonly import('./snippets.mjs').Snippet[]} snippets @returns {Promise<string>} */
export async function typeErrors(snippets) {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-types-'));
  try {
    const modules = join(folder, 'node_modules');
    mkdirSync(join(modules, 'react'), { recursive: true });
    writeFileSync(join(modules, 'react', 'package.json'), '{"types":"index.d.ts"}');
    writeFileSync(join(modules, 'react', 'index.d.ts'), REACT);
    symlinkSync(repository, join(modules, 'palimpsest'), 'junction');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    // A project that extends a package's types uses it somewhere.
    writeFileSync(join(folder, 'app.ts'), "export type { JSX } from 'react';\n");
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS }));
    for (const { place, code } of snippets) writeFileSync(join(folder, `${place.replaceAll(/\W/g, '-')}.ts`), code);
    return (await runAnyhow(folder, process.execPath, [tool('typescript/bin/tsc'), '-p', '.'])).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
