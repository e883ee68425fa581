// @ts-check
/**
 * Measures what the package supports for each dialect, by calling it as an application does. Each row is a dialect, each
 * cell a feature.
 */
import { join } from 'node:path';
import * as palimpsest from 'palimpsest';
import { repository, runAnyhow, tool } from './children.mjs';
import { configuration, managerWith } from './compression.mjs';
import { changedResults, convert, copies, DIALECTS, idsIn } from './dialects.mjs';
import { interrupted, longSession } from './neutral-sessions.mjs';

const product = /** @type {any} */ (palimpsest);
const SESSION = longSession(15);
/** Most results are old, and a third of them are lists of parts. */
const SESSION_RESULTS = 90;
const OPTIONS = {
  now: SESSION.end,
  unknownAge: 'old',
  fileReads: { projectRoot: '/home/me/app', caseInsensitivePaths: false },
};

/**
 * @typedef {{ isMet: boolean, text: string }} Cell `isMet`: the package does what it should; `text`: what it does
 * @typedef {Record<'compiles' | 'rules' | 'orphans' | 'tokens' | 'compression' | 'strip', Cell>} Row
 */

/** @param {boolean} isMet @param {unknown} text @returns {Cell} */
const cell = (isMet, text) => ({ isMet, text: String(text) });

/** An exception's message becomes a cell, too. @param {() => Cell | Promise<Cell>} measured */
async function attempted(measured) {
  try {
    return await measured();
  } catch (error) {
    return cell(false, `throws ${/** @type {any} */ (error)?.code ?? /** @type {any} */ (error)?.name}`);
  }
}

const verdictOn = (/** @type {string} */ dialect, /** @type {any[]} */ messages) =>
  DIALECTS[dialect]?.problemsIn(messages)[0] ?? 'valid';

const chat = convert(SESSION, 'openai-chat');
const chatTokens = new product.TokenCounter().countMessages(chat.messages);
const chatKeys = changedResults(chat, product.prepareMessages(chat.messages, OPTIONS).messages).join();

/** The rules replace the same results as in openai-chat, and the request stays valid. @param {string} dialect */
function rules(dialect) {
  const converted = convert(SESSION, dialect);
  const { messages } = product.prepareMessages(converted.messages, OPTIONS);
  const keys = changedResults(converted, messages);
  const verdict = verdictOn(dialect, messages);
  const isMet = keys.join() === chatKeys && keys.length > SESSION_RESULTS / 2 && verdict === 'valid';
  return cell(isMet, `${keys.length} of ${converted.places.length}${verdict === 'valid' ? '' : `, ${verdict}`}`);
}

/** A session with an interrupted call becomes valid. @param {string} dialect */
function orphans(dialect) {
  const { messages } = convert(interrupted(SESSION), dialect);
  const cleaned = [...messages];
  product.cleanOrphanedToolCalls(cleaned);
  const [before, after] = [messages, cleaned].map((all) => idsIn(dialect, all).calls.length);
  const verdict = verdictOn(dialect, cleaned);
  return cell(verdict === 'valid', `${before - after} calls removed, ${verdict}`);
}

/** Token count compared with the same session in openai-chat. @param {string} dialect */
function tokens(dialect) {
  const counted = new product.TokenCounter().countMessages(convert(SESSION, dialect).messages);
  const percent = Math.round((100 * counted) / chatTokens);
  return cell(percent >= 85 && percent <= 115, `${percent} %`);
}

/** A history that is too long is compressed once and stays valid. @param {string} dialect */
async function compression(dialect) {
  const messages = copies(dialect, convert(SESSION, dialect).messages);
  const before = messages.length;
  const { manager, calls } = managerWith({ config: configuration({ maxContextTokens: chatTokens }) });
  await manager.process(messages, { now: SESSION.end });
  const verdict = verdictOn(dialect, product.stripForApi(messages));
  const isMet = calls.length > 0 && messages.length < before && verdict === 'valid';
  return cell(isMet, calls.length === 0 ? 'never triggers' : `${before} → ${messages.length}, ${verdict}`);
}

/** Sent messages equal the application's messages. @param {string} dialect */
function strip(dialect) {
  const { messages } = convert(SESSION, dialect);
  const sent = product.stripForApi(messages);
  const lost = messages.filter((message, index) => fieldsLost(message, sent[index]));
  const verdict = verdictOn(dialect, sent);
  return cell(
    lost.length === 0 && verdict === 'valid',
    `${lost.length} of ${messages.length} lose a field, ${verdict}`,
  );
}

/** Fields of applications, which no API knows. */
const APPLICATION_FIELDS = new Set(['messageStatus', 'images', 'stopReason']);

/** @param {any} message @param {any} sent */
const fieldsLost = (message, sent) =>
  Object.keys(message).some((key) => !APPLICATION_FIELDS.has(key) && !(key in (sent ?? {})));

/** Dialects that are variants of a type that another row compiles. @param {string} dialect */
const typeOf = (dialect) => dialect.replace(/ (without|as) .*/, '');

/** The compiler's errors by dialect, from a single run. @returns {Promise<Map<string, string[]>>} */
async function compilerErrors() {
  const folder = join(repository, '__test__/fixtures/dialect-types');
  const words = [tool('typescript/bin/tsc'), '-p', '.', '--pretty', 'false'];
  const { stdout: output } = await runAnyhow(folder, process.execPath, words);
  /** @type {Map<string, string[]>} */
  const errors = new Map();
  for (const [, dialect = '', code = ''] of output.matchAll(/([\w-]+)\.ts\(\d+,\d+\): error (TS\d+)/g))
    errors.set(dialect, [...(errors.get(dialect) ?? []), code]);
  return errors;
}

/** @returns {Promise<Record<string, Row>>} */
export async function measuredTable() {
  const errors = await compilerErrors();
  /** @type {Record<string, Row>} */
  const table = {};
  for (const dialect of Object.keys(DIALECTS)) {
    const codes = errors.get(typeOf(dialect)) ?? [];
    table[dialect] = {
      compiles: cell(codes.length === 0, codes.length === 0 ? 'yes' : codes[0]),
      rules: await attempted(() => rules(dialect)),
      orphans: await attempted(() => orphans(dialect)),
      tokens: await attempted(() => tokens(dialect)),
      compression: await attempted(() => compression(dialect)),
      strip: await attempted(() => strip(dialect)),
    };
  }
  return table;
}

/** @param {Record<string, Row>} table @returns {string[]} lines of a Markdown table; `✗` marks failing cells */
export function lines(table) {
  const rows = Object.entries(table).map(([dialect, row]) => [
    dialect,
    ...Object.values(row).map(({ isMet, text }) => `${isMet ? '✓' : '✗'} ${text}`),
  ]);
  const header = ['dialect', ...Object.keys(Object.values(table)[0] ?? {})];
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
