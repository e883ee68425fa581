// @ts-check
/** The command writes to stdout and stderr only here: untrusted names and texts must have no control characters. */

/** @typedef {import('node:tty').WriteStream | NodeJS.WriteStream} Output */
/** @typedef {(text: string) => string} Style */
/** @typedef {Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan', Style>} Styles */
/** @typedef {{ styles: Styles, hasColour: boolean, width: number, height: number, isTerminal: boolean }} Look */

/** Control, bidirectional and invisible characters. */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach the terminal.
  /[\u0000-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;
/** Colour sequences, from this command's tables or from logs. */
const colourSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
  /(\u001B\[[\d;]*m)/;

/** @param {string} character @returns {string} such as `\n`, `\x1b` or `\u202e` */
function escaped(character) {
  if ('\n\r\t'.includes(character)) return JSON.stringify(character).slice(1, -1);
  const code = /** @type {number} */ (character.codePointAt(0));
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
  return code < 0x1_0000 ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
}

/** Escapes what could change or hide other output. @param {string} text @param {string} [kept] such as `\n` */
export function printable(text, kept = '') {
  return text.replace(unsafe, (character) => (kept.includes(character) ? character : escaped(character)));
}

/** Writes the same characters as JSON escapes, so that the parsed value is unchanged. @param {string} json */
export function printableJson(json) {
  const unit = (/** @type {string} */ half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(unsafe, (character) => (character === '\n' ? character : character.split('').map(unit).join('')));
}

/** Escaped, except line breaks, tabs and colours. @param {string} text */
function printableWithColours(text) {
  const parts = text.split(colourSequence);
  return parts.map((part, index) => (index % 2 === 1 ? part : printable(part, '\n\t'))).join('');
}

/** @param {Output} stream @returns {Look} */
export function lookOf(stream) {
  const isTerminal = Boolean(stream.isTTY);
  // https://no-color.org: any non-empty value disables colour.
  const hasColour = isTerminal && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  /** @type {(on: number, off: number) => Style} */
  const style = (on, off) => (text) => (hasColour && text !== '' ? `\u001B[${on}m${text}\u001B[${off}m` : text);
  const colours = { red: style(31, 39), green: style(32, 39), yellow: style(33, 39), blue: style(34, 39) };
  const styles = { bold: style(1, 22), dim: style(2, 22), ...colours, magenta: style(35, 39), cyan: style(36, 39) };
  const height = isTerminal && stream.rows > 0 ? stream.rows : 0;
  return { styles, hasColour, width: widthOf(stream), height, isTerminal };
}

/** Cells per line. @param {Output} stream */
export function widthOf(stream) {
  const fromEnvironment = Number.parseInt(process.env.COLUMNS ?? '', 10);
  if (stream.isTTY && stream.columns > 0) return stream.columns;
  return fromEnvironment > 0 ? fromEnvironment : 80;
}

/** Prints tables. Texts from files must pass {@link printable} before they are coloured. @param {string} text */
export function printOut(text) {
  process.stdout.write(lookOf(process.stdout).hasColour ? printableWithColours(text) : printable(text, '\n\t'));
}

/** Prints a filter's output: unchanged in a pipe; on a terminal escaped, except for colours. @param {string} text */
export function printFiltered(text) {
  process.stdout.write(process.stdout.isTTY ? printableWithColours(text) : text);
}

/** @param {unknown} value @param {(name: string, value: unknown) => unknown} [replacer] */
export function printJson(value, replacer) {
  process.stdout.write(`${printableJson(JSON.stringify(value, replacer, 2))}\n`);
}

/** Prints lines on stderr. @param {string} text */
export function printError(text) {
  process.stderr.write(printable(text, '\n'));
}

/** Prints a line on stderr. @param {'error' | 'note' | 'interrupted'} label coloured @param {string} text */
export function printLabelled(label, text) {
  const { red, yellow } = lookOf(process.stderr).styles;
  process.stderr.write(`${label === 'error' ? red(label) : yellow(label)}: ${printable(text, '\n')}\n`);
}

/** Overwrites the last line of a terminal. @param {string} text empty clears the line */
export function printProgress(text) {
  process.stderr.write(`\r\u001B[K${printable(text)}`);
}

/** A terminal shows no progress before this time, except for a file of at least `largeBytes`. */
const [quietMs, largeBytes] = [300, 16 * 1024 * 1024];
/** In a pipe, only more files than `maxSilentFiles` have progress: a line per interval. */
const [lineEveryMs, maxSilentFiles] = [1000, 3];

/** Shows on stderr which of several files is read. @param {number} total number of files */
export function createFileProgress(total) {
  const { stderr } = process;
  const started = performance.now();
  let lastLineMs = started;
  let isShown = false;
  /** Call this before anything else is written to the terminal. */
  const clear = () => {
    if (isShown) printProgress('');
    isShown = false;
  };
  /** @param {number} number of the file, from 1 @param {string} name @param {number} bytes */
  const step = (number, name, bytes) => {
    const now = performance.now();
    const text = printable(`${number} of ${total}: ${name}`);
    if (stderr.isTTY) {
      clear();
      if (now - started < quietMs && bytes < largeBytes) return;
      stderr.write(text.slice(0, widthOf(stderr) - 1));
      isShown = true;
    } else if (total > maxSilentFiles && now - lastLineMs > lineEveryMs) {
      stderr.write(`${text}\n`);
      lastLineMs = now;
    }
  };
  return { step, clear };
}
