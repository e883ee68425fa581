// @ts-check
/** Where a filter's text comes from: files, or standard input. */
import { readFile } from 'node:fs/promises';

/** @returns {Promise<string>} */
async function readStandardInput() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * @param {string | undefined} file `-` and nothing mean standard input
 * @returns {Promise<string>}
 */
export function readText(file) {
  return file === undefined || file === '-' ? readStandardInput() : readFile(file, 'utf8');
}
