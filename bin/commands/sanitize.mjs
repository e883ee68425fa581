// @ts-check
/** `palimpsest sanitize`: replaces binary data in a list of tool results. */
import { filterWork } from '../filter-command.mjs';
import { parseNames } from '../option-values.mjs';
import { printError } from '../print.mjs';

export const help = `Usage: palimpsest sanitize [options] [file]

Reads a JSON array of tool results (or of messages) from the file or standard
input, and prints it with binary data replaced by placeholders; everything else
stays as written. Text that is no JSON array of objects is printed unchanged,
with a note on standard error.

Options:
  --fields <a,b>  fields whose value is binary data whatever it looks like
                  (default imageBase64, screenshotData, pdfImages, audioData,
                  videoData)
  -h, --help      show this
`;

/** @param {readonly string[]} parts */
function joined(parts) {
  try {
    return parts.join('');
  } catch {
    throw new Error('expected a text that fits a JavaScript string (512 MB); this one is larger');
  }
}

/** @param {string} text */
function isArrayOfObjects(text) {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
  } catch {
    return false;
  }
}

export const options = { fields: parseNames, help: Boolean };

export const work = filterWork((parts, { fields: largeDataFields }, { sanitizeToolResultsJson }) => {
  const text = joined(parts);
  const sanitized = sanitizeToolResultsJson(text, { largeDataFields });
  if (sanitized === text && !isArrayOfObjects(text)) {
    printError('palimpsest sanitize: not a JSON array of objects; printed unchanged\n');
  }
  return sanitized;
});
