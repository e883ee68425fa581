// @ts-check
/** A Node.js that is at least 22: this one, or one from the package registry where this one is older. Some SDKs ask for it. */
import { SetupError } from './ensure-built.mjs';
import { fetchProgram, nodeProgram } from './programs.mjs';

export const VERSION = '22.23.2';
export const isNode22 = Number(process.versions.node.split('.')[0]) >= 22;

/**
 * @returns {string} the path of its program; fetches it where it is missing
 * @throws {SetupError} where there is none for this platform
 */
export function node22() {
  if (isNode22) return process.execPath;
  const program = nodeProgram(VERSION);
  if (program === undefined) throw new SetupError(`expected Node.js 22 or newer; this is ${process.version}`);
  return fetchProgram(program);
}
