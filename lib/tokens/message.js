// @ts-check
'use strict';

const { isList } = require('../lists.js');

/**
 * What of a message is counted: its texts, its images (data URLs, base64 or links; never text) and the numbers
 * that {@link numbersOf} passes on.
 *
 * @typedef {object} Countable
 * @property {string[]} texts
 * @property {string[]} images
 * @property {boolean[]} lowDetail by image
 * @property {number[]} pdfBytes
 * @property {number} toolCalls
 * @property {boolean} hasName
 */

/**
 * Reads what counts. Never throws: a message whose getter does is counted as far as it could be read.
 * @param {any} message anything a host may put into its array
 * @returns {Countable}
 */
function readMessage(message) {
  /** @type {Countable} */
  const found = { texts: [], images: [], lowDetail: [], pdfBytes: [], toolCalls: 0, hasName: false };
  if (message === null || typeof message !== 'object') return found;
  try {
    readContent(message.content, found);
    addText(message.reasoning_content, found);
    addText(message.refusal, found);
    if (typeof message.name === 'string') {
      found.hasName = true;
      found.texts.push(message.name);
    }
    if (isList(message.tool_calls)) for (const call of message.tool_calls) readCall(call?.function, found);
    if (message.function_call !== undefined) readCall(message.function_call, found);
    if (isList(message.images)) for (const image of message.images) readPart(image, found);
  } catch {
    // As in the rules: what can't be read isn't there.
  }
  return found;
}

/**
 * @param {unknown} text
 * @param {Countable} found
 */
function addText(text, found) {
  if (typeof text === 'string') found.texts.push(text);
}

/**
 * @param {unknown} content
 * @param {Countable} found
 */
function readContent(content, found) {
  if (typeof content === 'string') found.texts.push(content);
  else if (isList(content)) for (const part of content) readPart(part, found);
}

/**
 * @param {any} declared `{name, arguments}`
 * @param {Countable} found
 */
function readCall(declared, found) {
  if (declared === null || typeof declared !== 'object') return;
  found.toolCalls += 1;
  addText(declared.name, found);
  addText(declared.arguments, found);
}

/**
 * A content part in the shape of OpenAI (chat, responses), Anthropic, Gemini or MCP.
 * @param {any} part
 * @param {Countable} found
 */
function readPart(part, found) {
  if (typeof part === 'string') found.texts.push(part);
  if (part === null || typeof part !== 'object') return;
  addText(part.text, found);
  addText(part.thinking, found);
  const { type } = part;
  if (type === 'tool_use') return readToolUse(part, found);
  if (type === 'tool_result') return readContent(part.content, found);
  const url = part.image_url?.url ?? part.image_url;
  if (typeof url === 'string') return addImage(url, part.image_url?.detail ?? part.detail, found);
  const data = dataOf(part);
  if (data === undefined) return;
  const kind = mediaTypeOf(part, data);
  if (kind === 'application/pdf') found.pdfBytes.push((data.length * 3) / 4);
  else if (type === 'image' || kind.startsWith('image/')) addImage(data, part.detail, found);
}

/**
 * @param {any} part Anthropic's form of a tool call
 * @param {Countable} found
 */
function readToolUse(part, found) {
  found.toolCalls += 1;
  addText(part.name, found);
  addText(JSON.stringify(part.input), found);
}

/**
 * @param {string} image
 * @param {unknown} detail
 * @param {Countable} found
 */
function addImage(image, detail, found) {
  found.images.push(image);
  found.lowDetail.push(detail === 'low');
}

/** @param {any} part @returns {string | undefined} base64, a data URL or a link */
function dataOf(part) {
  const held = [
    part.data,
    part.source?.data,
    part.source?.url,
    part.file?.file_data,
    part.file_data,
    part.inlineData?.data,
    part.inline_data?.data,
  ];
  return held.find((value) => typeof value === 'string');
}

/** @param {any} part @param {string} data @returns {string} */
function mediaTypeOf(part, data) {
  const named =
    part.mimeType ??
    part.media_type ??
    part.source?.media_type ??
    part.inlineData?.mimeType ??
    part.inline_data?.mime_type;
  if (typeof named === 'string') return named;
  // JVBERi is %PDF in base64.
  if (data.startsWith('data:application/pdf') || data.startsWith('JVBERi')) return 'application/pdf';
  return data.startsWith('data:image/') ? 'image/' : '';
}

/** In the order that `TokenModel.countMessage` reads. @param {Countable} found */
function numbersOf({ toolCalls, hasName, lowDetail, pdfBytes }) {
  return Float64Array.from([toolCalls, Number(hasName), ...lowDetail.map(Number), ...pdfBytes]);
}

module.exports = { numbersOf, readMessage };
