// @ts-check
/**
 * The agents' three tools, in a temporary folder. On failure they throw; each SDK reports the error to the model in its
 * own way.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { project } from './work.mjs';

const RUN_TIMEOUT_MS = 10_000;

/** @returns a folder that contains the project, and the tools */
export function workshop() {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'palimpsest-agent-'));
  for (const [path, text] of project()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  /** @param {string} path */
  const inside = (path) => {
    const full = join(folder, path);
    if (relative(folder, full).startsWith('..')) throw new Error(`${path} is outside of the folder`);
    return full;
  };
  return {
    folder,
    /** @param {{ path: string }} input */
    read: ({ path }) => readFileSync(inside(path), 'utf8'),
    /** @param {{ path: string, find: string, replace: string }} input */
    edit({ path, find, replace }) {
      const text = readFileSync(inside(path), 'utf8');
      if (!text.includes(find)) throw new Error(`${path} has no such text`);
      writeFileSync(
        inside(path),
        text.replace(find, () => replace),
      );
      return `${path} was changed.`;
    },
    /** @param {{ command: string }} input @returns {Promise<string>} */
    run: ({ command }) =>
      new Promise((resolve, reject) => {
        execFile('sh', ['-c', command], { cwd: folder, timeout: RUN_TIMEOUT_MS }, (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(`${command} ended with exit code ${error.code}: ${stderr}`));
        });
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
