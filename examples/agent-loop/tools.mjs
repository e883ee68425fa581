// @ts-check
/** The agent's tools: real files and real commands, all within one temporary folder. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { truncateOutput } from 'palimpsest';

/** Maximum length of a result, UTF-16 units; longer results are truncated with a notice. */
const OUTPUT_LIMIT = 1_600;
const COMMAND_TIMEOUT_MS = 20_000;

/** @param {string} name @param {string} description @param {Record<string, object>} properties */
const definition = (name, description, properties) => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties, required: Object.keys(properties) } },
});
const string = { type: 'string' };

export const definitions = [
  definition('terminal-execute', 'Runs a Node.js program of the folder.', { command: string }),
  definition('filesystem-read', 'Reads a file.', { filePath: string }),
  definition('filesystem-create', 'Writes a new file.', { filePath: string, content: string }),
  definition('filesystem-list', 'Lists a folder.', { path: string }),
];

/**
 * @param {string} folder
 * @param {import('palimpsest').LookupTool} lookup
 * @returns {(name: string, args: Record<string, string>) => Promise<string>} runs a tool call
 */
export function toolsIn(folder, lookup) {
  const inside = (/** @type {string | undefined} */ path) => {
    const absolute = resolve(folder, path ?? '.');
    if (absolute !== folder && !absolute.startsWith(folder + sep)) throw new Error(`${path} is outside of the folder`);
    return absolute;
  };
  return async (name, args) => {
    try {
      switch (name) {
        case 'terminal-execute':
          return await runNode(args.command ?? '', folder);
        case 'filesystem-read':
          return truncateOutput(readFileSync(inside(args.filePath), 'utf8'), OUTPUT_LIMIT);
        case 'filesystem-create':
          writeFileSync(inside(args.filePath), args.content ?? '', { flag: 'wx' });
          return `Created ${args.filePath}`;
        case 'filesystem-list':
          return readdirSync(inside(args.path)).sort().join('\n');
        default:
          return await lookup.handler(args);
      }
    } catch (error) {
      return `Error: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
}

/**
 * @param {string} command `node`, a file, and arguments without spaces
 * @param {string} cwd
 * @returns {Promise<string>} JSON with stdout, stderr and exitCode, as from a terminal tool
 */
function runNode(command, cwd) {
  const [program, ...args] = command.split(' ');
  if (program !== 'node') throw new Error(`only node can be run, not ${program}`);
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd, timeout: COMMAND_TIMEOUT_MS }, (error, stdout, stderr) => {
      const [problem = ''] = stderr.split('\n').filter((line) => /^\w*Error/.test(line));
      // Remove the folder's path, which differs between runs.
      const shownError = problem.replaceAll(cwd, '.').replaceAll(/'[^']*[\\/]logs[\\/]/g, "'logs/");
      const exitCode = error === null ? 0 : Number(error.code ?? 1);
      done(JSON.stringify({ stdout: truncateOutput(stdout, OUTPUT_LIMIT), stderr: shownError, exitCode }));
    });
  });
}
