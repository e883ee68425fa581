// @ts-check
/** Recorded sessions, and tests that run for each of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** The corpus is other people's work, so it is kept outside the repository and never copied into it. */
const FOLDER = fileURLToPath(new URL('../../../shared/corpus/', import.meta.url));

/**
 * @typedef {{ name: string, messages: any[] }} CorpusSession
 */

/** The recorded sessions, or the reason why there are none. @returns {{ sessions: CorpusSession[], missing: string | undefined }} */
export function loadCorpus() {
  const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((file) => file.endsWith('.json')) : [];
  if (files.length === 0) return { sessions: [], missing: `no recorded sessions in ${FOLDER}` };
  const sessions = files.sort().map((file) => ({
    name: file.replace(/\.json$/, ''),
    messages: JSON.parse(readFileSync(FOLDER + file, 'utf8')).messages,
  }));
  return { sessions, missing: undefined };
}

/**
 * Runs `check` for each recorded session. Without the corpus the tests are skipped locally and fail in CI, so that a CI
 * run can't pass without testing anything.
 * @param {string} title
 * @param {(session: CorpusSession) => void | Promise<void>} check
 * @param {{ timeout?: number }} [options]
 */
export function testEachSession(title, check, options = {}) {
  const { sessions, missing } = loadCorpus();
  if (missing !== undefined) {
    const skip = process.env.CI === 'true' ? false : missing;
    test(title, { skip }, () => {
      throw new Error(`${missing}: in CI the corpus must be there`);
    });
  }
  for (const session of sessions) test(`${title}: ${session.name}`, options, () => check(session));
}
