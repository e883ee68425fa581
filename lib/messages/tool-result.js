// @ts-check
'use strict';

const { isList, wordsOf } = require('../lists.js');
const { jsonText } = require('../plain-data.js');

/**
 * Reads what a tool result says: its content as one text, which is what rules see, and the fields that mark its call as failed.
 * @typedef {{ text: string, hasMedia: boolean }} ResultText `hasMedia`: it also has parts of {@link MEDIA_TYPES}, which the text leaves out
 */

/** Types of a result's parts with an image, a file or a search result, in any dialect. */ const MEDIA_TYPES = new Set(
  wordsOf(`image image_url input_image image-data image-url image-file-id document file input_file file-data file-url
    file-id media audio input_audio video search_result resource`),
);

/** A string or a list of parts as one text. @param {unknown} content @returns {ResultText | undefined} undefined if a part is of an unknown kind: such a result is never replaced */
function textOfContent(content) {
  if (typeof content === 'string') return { text: content, hasMedia: false };
  if (!isList(content)) return undefined;
  const texts = [];
  let hasMedia = false;
  for (const part of content) {
    const text = typeof part === 'string' ? part : part?.text;
    if (typeof text === 'string') texts.push(text);
    else if (MEDIA_TYPES.has(part?.type)) hasMedia = true;
    else return undefined;
  }
  return { text: texts.length === 1 ? /** @type {string} */ (texts[0]) : texts.join('\n'), hasMedia };
}

/** A value as text: a string itself, others as the JSON that a provider sees. @param {unknown} value @returns {ResultText | undefined} */
function valueAsText(value) {
  if (typeof value === 'string') return { text: value, hasMedia: false };
  const text = value === undefined ? undefined : jsonText(value);
  return text === undefined ? undefined : { text, hasMedia: false };
}

/** A result whose source is its content: a text or a list of parts. @type {import('./parts.js').ResultForm} */
const PLAIN_RESULT = Object.freeze({
  read: textOfContent,
  textIn(content) {
    if (typeof content === 'string') return content;
    return (isList(content) && content.length === 1 ? content[0] : content)?.text;
  },
  content: (source) => source,
});

/** Result content with `text`, which keeps the cache breakpoint of the replaced content. @param {unknown} content @param {string} text */
function textWithBreakpoint(content, text) {
  const last = isList(content) ? content.findLast((part) => part?.cache_control) : undefined;
  return last === undefined ? text : [{ type: 'text', text, cache_control: last.cache_control }];
}

// `crates/core/src/failure/forms.rs` has the same marks of failure for sessions on disk; one file of examples tests both.

/** @type {ReadonlySet<unknown>} */ const FAILED_STATUSES = new Set(['error', 'failed', 'incomplete']);
/** @type {ReadonlySet<unknown>} */
const FAILED_TYPES = new Set(wordsOf('error-text error-json execution-denied tool-error output-error output-denied'));

/** True if the fields of a result say that its call failed; the core searches the text. @param {any} result a message or a part of one */
function isMarkedFailed(result) {
  const { messageStatus, status } = result;
  // This runs over every result before every request, and most results have neither field.
  if (messageStatus !== undefined && FAILED_STATUSES.has(messageStatus)) return true;
  // If a result has both `is_error` and `isError`, the provider sees the first one.
  return (result.is_error ?? result.isError) === true || (status !== undefined && FAILED_STATUSES.has(status));
}

/** True if outputs of this type are failures. @param {unknown} type */
const isFailedType = (type) => FAILED_TYPES.has(type);

module.exports = { isFailedType, isMarkedFailed, PLAIN_RESULT, textOfContent, textWithBreakpoint, valueAsText };
