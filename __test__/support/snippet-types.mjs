// @ts-check
/** Compiles types in documents, like in a user's strict project. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository, runAnyhow, tool } from './children.mjs';

/** Types that a snippet's module augments; their package isn't installed here. */
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

/** The compiler's errors. @param {readonly import('./snippets.mjs').Snippet[]} snippets @returns {Promise<string>} */
export async function typeErrors(snippets) {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-types-'));
  try {
    const modules = join(folder, 'node_modules');
    mkdirSync(join(modules, 'react'), { recursive: true });
    writeFileSync(join(modules, 'react', 'package.json'), '{"types":"index.d.ts"}');
    writeFileSync(join(modules, 'react', 'index.d.ts'), REACT);
    symlinkSync(repository, join(modules, 'palimpsest'), 'junction');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    // A project that augments a package's types also imports them somewhere.
    writeFileSync(join(folder, 'app.ts'), "export type { JSX } from 'react';\n");
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS }));
    for (const { place, code } of snippets) writeFileSync(join(folder, `${place.replaceAll(/\W/g, '-')}.ts`), code);
    return (await runAnyhow(folder, process.execPath, [tool('typescript/bin/tsc'), '-p', '.'])).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
