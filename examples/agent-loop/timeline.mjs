// @ts-check
/** Prints one line per turn of the example agent. */

/** Of the columns, in characters. */
const WIDTHS = [4, 34, 8, 6];
const HEADINGS = ['turn', 'the agent', 'messages', 'tokens'];
const hasColours = process.stdout.isTTY === true && !process.env.NO_COLOR;

/** @param {string} line */
export function print(line = '') {
  process.stdout.write(`${line}\n`);
}

/** @param {string} text */
export function bold(text) {
  return hasColours ? `\u001B[1m${text}\u001B[22m` : text;
}

/** @param {readonly (string | number)[]} cells @param {string} what */
function line(cells, what) {
  const padded = cells.map((cell, column) => {
    const width = WIDTHS[column] ?? 0;
    return column === 1 ? String(cell).padEnd(width) : String(cell).padStart(width);
  });
  return [...padded, what].join('  ').trimEnd();
}

export function printHeading() {
  print(bold(line(HEADINGS, 'what happened')));
}

/**
 * @param {number} turn
 * @param {string} text
 * @param {number} messages number of messages in the stored array
 * @param {number} tokens tokens counted by the provider
 * @param {readonly string[]} happened
 */
export function printTurn(turn, text, messages, tokens, happened) {
  const [first = '', ...others] = happened;
  const width = WIDTHS[1] ?? 0;
  const shortened = text.length > width ? `${text.slice(0, width - 1)}…` : text;
  print(line([turn, shortened, messages, tokens], bold(first)));
  for (const other of others) print(line(['', '', '', ''], bold(other)));
}

/**
 * Describes an event in a few words; empty for events that the timeline leaves out.
 * @param {import('palimpsest').CompressionEvent} event
 * @returns {string[]}
 */
export function inWords(event) {
  switch (event.type) {
    case 'compressed':
      return [`compressed, level ${event.compression_level}: ${change(event)}`];
    case 'truncated':
      return [`truncated: ${change(event)}`];
    case 'summary_failed':
      return [`summary failed: ${event.code}`];
    case 'breaker_opened':
      return [`no summaries for ${event.pause_ms / 1000} s`];
    case 'skipped':
      return [`no summary: ${event.reason}`];
    case 'failed':
    case 'cannot_fit':
    case 'archive_failed':
    case 'summary_refused':
      return [event.message];
    default:
      return [];
  }
}

/** @param {import('palimpsest').CompressedEvent | import('palimpsest').TruncatedEvent} event */
function change({ before_count, after_count, tokens_before, tokens_after }) {
  return `${before_count} → ${after_count} messages, ${Math.round(tokens_before)} → ${tokens_after} tokens`;
}
