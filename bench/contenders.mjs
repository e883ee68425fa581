// @ts-check
import { createRequire } from 'node:module';
import { loadReference } from '../__test__/reference/load.mjs';
import * as best from './reference/best.mjs';

/** Loaded with `require`, so that all benchmarks share one instance of the addon. */
export const product = createRequire(import.meta.url)('palimpsest');
const reference = await loadReference();

/** Contenders for the same work. All ratios are relative to `reference`. */
export const implementations = { reference, 'best JS': best, product };

/**
 * The work of an application before each request.
 * @param {any} implementation
 * @param {readonly any[]} stored
 * @param {number} now
 * @param {{ terminal?: object, fileReads?: object }} [options]
 */
export function cleanUp(implementation, stored, now, options) {
  const api = [...stored];
  implementation.cleanOrphanedToolCalls(api);
  implementation.simplifyOutdatedTerminalResults(api, { ...options?.terminal, now });
  implementation.simplifyHistoricalFileReads(api, options?.fileReads);
  return api;
}

/** @param {readonly any[]} messages */
export function lastTimestamp(messages) {
  return messages.reduce((latest, { timestamp }) => Math.max(latest, timestamp ?? 0), 0);
}
