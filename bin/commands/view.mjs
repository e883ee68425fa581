// @ts-check
/** `palimpsest view`: shows recorded sessions as a page, or writes the newest one to a file or the terminal. */
import { existsSync, writeFileSync } from 'node:fs';
import { parsePriceLists, pathsOrAgentFolders, withPrices } from '../accounts/command.mjs';
import { knownFormats, priceLists, printFailures } from '../accounts/read.mjs';
import { SessionIndex } from '../accounts/session-index.mjs';
import { exitCodes } from '../command-line.mjs';
import { loadLibrary } from '../library.mjs';
import { untilSignal } from '../local-server.mjs';
import { parsePort, UsageError } from '../option-values.mjs';
import { lookOf, printError, printOut } from '../print.mjs';
import { sessionEntry } from '../view/answers.mjs';
import { exportPage } from '../view/page.mjs';
import { serve } from '../view/server.mjs';
import { ViewedSessions } from '../view/sessions.mjs';

/** @import { Values } from '../command-line.mjs' */
/** @import { Read, Viewed } from '../view/sessions.mjs' */

export const help = `Usage: palimpsest view [options] [path…]

Shows recorded sessions as a page: what fills the context of each request, what
of it is outdated, where the cache was lost and why, what each request cost and
would have cost otherwise, and where history was compressed, with every original
message. The page follows a session that grows. It is served on 127.0.0.1 only,
to whoever has the address that is printed; Ctrl-C ends it.

Options:
  --port <n>          the port to listen on (default: a free one)
  --export <file>     write the newest session as one HTML file instead, with
                      all its messages in it, and its bill as a picture
                      without any content (file.svg), to be shared
  --force             write over a file that exists
  --text              print the newest session’s compressions instead
  --no-cache          read all files again; else what was read before is kept in
                      the user’s cache directory, by path, size and time
  --prices <file>     a list of models’ prices, before the package’s own
  --price-list <a,b>  presets to compare costs under (default: all)
  -h, --help          show this

Paths are files and folders; without one, the folders in which the installed
agents keep their sessions. Files are only read, and nothing leaves the machine.

Exit code: 0, also when Ctrl-C ends the page; 1 when nothing could be shown; 2
for a wrong command line; 130 when Ctrl-C ended the reading.
`;

/** Limits of the line width in cells: narrower lines can't be broken. */
const [minWidth, maxWidth] = [20, 1000];

export const options = {
  ...{ help: Boolean, port: parsePort, export: String, force: Boolean, text: Boolean, 'no-cache': Boolean },
  ...{ prices: String, 'price-list': parsePriceLists },
};

/** Without sessions, an exit code. @param {string[]} paths @param {Values} values */
async function sessionsUnder(paths, values) {
  const waitsForAll = values.text === true || values.export !== undefined;
  const { sessions, read } = await withPrices(values, async (prices) => {
    const places = pathsOrAgentFolders(paths);
    const pricing = { prices, lists: values['price-list'] ?? priceLists() };
    const index = new SessionIndex({ prices, hasCacheFile: values['no-cache'] !== true });
    const sessions = new ViewedSessions(places, pricing, index);
    const readLater = (/** @type {Read} */ read) => printMissing(sessions, read, paths);
    return { sessions, read: await sessions.open({ waitsForAll, readLater }) };
  });
  if (read === undefined) return sessions;
  const failed = printMissing(sessions, read, paths);
  if (read.interrupted) return exitCodes.interrupted;
  if (sessions.find(null) !== undefined) return sessions;
  if (failed > 0) return exitCodes.failure;
  throw new Error(`no sessions found; known are those of ${knownFormats()}`);
}

/** Returns how many failed. @param {ViewedSessions} sessions @param {Read} read @param {readonly string[]} paths */
function printMissing({ outside }, { accounts, interrupted }, paths) {
  const failed = printFailures(accounts, interrupted, paths);
  if (interrupted || outside === 0) return failed;
  if (outside === 1) printError('1 file lies elsewhere, behind a link; it isn’t shown\n');
  else printError(`${outside} files lie elsewhere, behind links; they aren’t shown\n`);
  return failed;
}

/** @param {ViewedSessions} sessions @param {Viewed} viewed @param {Values} values */
async function writeExport(sessions, viewed, { export: file, force }) {
  const { page, bill } = await exportPage(sessions, viewed, sessionEntry(viewed));
  const picture = `${file.replace(/\.html?$/i, '')}.svg`;
  // Check both files first, so that either both are written or none.
  const taken = force === true ? undefined : [file, picture].find((name) => existsSync(name));
  if (taken !== undefined) throw new UsageError(`--export: ${taken} exists; --force writes over it`);
  const flag = force === true ? 'w' : 'wx';
  writeFileSync(file, page, { flag });
  writeFileSync(picture, bill, { flag });
  printError(`Wrote ${viewed.path} to ${file}, with all its messages in it,\n`);
  printError(`and its bill, without any content, to ${picture}.\n`);
}

/** @param {ViewedSessions} sessions @param {Viewed} viewed */
async function printText(sessions, viewed) {
  const { renderCompressionHistory } = loadLibrary();
  const { messages } = await sessions.history(viewed);
  const { hasColour: color, width: cells } = lookOf(process.stdout);
  const width = Math.min(maxWidth, Math.max(minWidth, cells));
  printOut(renderCompressionHistory(messages, { color, width }));
}

/** @param {ViewedSessions} sessions @param {number} port @returns {Promise<void>} resolves when a signal ends it */
async function showPage(sessions, port) {
  const { version } = loadLibrary();
  const server = await serve({ sessions, version }, port);
  printOut(`${server.url}\n`);
  printError('Open this address in a browser. Whoever has it can read the sessions; Ctrl-C ends it.\n');
  await untilSignal();
  await server.close();
}

/** @type {import('../command-line.mjs').Work} */
export async function work(values, paths) {
  if (values.text === true && values.export !== undefined) {
    throw new UsageError('expected --text or --export, not both');
  }
  loadLibrary();
  const sessions = await sessionsUnder(paths, values);
  if (typeof sessions === 'number') return sessions;
  const newest = /** @type {Viewed} */ (sessions.find(null));
  if (values.text === true) return printText(sessions, newest);
  return values.export === undefined ? showPage(sessions, values.port ?? 0) : writeExport(sessions, newest, values);
}
