// @ts-check
/** Provides Node.js 22 or newer, which some SDKs require: the current one, or one from the package registry. */
import { SetupError } from './ensure-built.mjs';
import { fetchProgram, nodeProgram } from './programs.mjs';

export const VERSION = '22.23.2';
export const isNode22 = Number(process.versions.node.split('.')[0]) >= 22;

/**
 * @returns {string} path of the program; downloads it if missing
 * @throws {SetupError} if there is none for this platform
 */
export function node22() {
  if (isNode22) return process.execPath;
  const program = nodeProgram(VERSION);
  if (program === undefined) throw new SetupError(`expected Node.js 22 or newer; this is ${process.version}`);
  return fetchProgram(program);
}
