// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { argumentsOf, calleeOf, callsOf, legacyCallOf, nameOf, reasoningOf } = require('../messages/chat.js');
const { dialectFor } = require('../messages/choice.js');
const { partsOf } = require('../messages/parts.js');
const { foreignFormOf, formOf, CHAT_PART_TYPES } = require('../messages/form.js');
const { OWN_FIELDS } = require('../messages/copy.js');
const { isObject } = require('../plain-data.js');

/**
 * Collects what counts as tokens in a message: texts, images, PDF files and calls.
 *
 * @typedef {object} Countable what counts in a message; images are data URLs, base64 or links, and never count as text
 * @property {string[]} texts
 * @property {string[]} images
 * @property {boolean[]} lowDetail for each image, true if the application asked for a lower resolution
 * @property {number[]} pdfBytes size of each PDF file
 * @property {number} toolCalls
 * @property {boolean} hasName the message has a `name`, which is among the texts
 * @property {import('../messages/form.js').Form | null} form null if the message was recognised
 *
 * @typedef {import('../messages/choice.js').Forced} Forced
 * @typedef {InstanceType<typeof import('../native.js').TokenModel>} TokenModel
 */

/** An image's header, which contains its size, is within these bytes. */ const HEADER_BYTES = 1 << 16;
/** In UTF-16 units. Shorter strings, such as names, ids and numbers, stay in the JSON text; longer ones are counted without JSON escapes. */
const SHORT_UNITS = 64;
/** In UTF-16 units. Shorter strings are not checked for base64: they cost little and may be words. */ const DATA_UNITS = 1024;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** Fields that a provider, an application or an SDK keeps for its own use. */
const HIDDEN_FIELDS = new Set(
  [
    ...OWN_FIELDS,
    'providerOptions providerMetadata callProviderMetadata experimental_providerMetadata cache_control cacheControl',
    'signature thoughtSignature thought_signature encrypted_content usage usageMetadata usage_metadata',
    'response_metadata timestamp createdAt created_at ts',
  ].flatMap((names) => names.split(' ')),
);

/** Reads a message of another dialect than chat. @param {any} message @param {import('../messages/choice.js').Dialect} dialect @param {Countable} found */
function readParts(message, dialect, found) {
  for (const part of partsOf(message, dialect).all) {
    if (part.kind === 'call') readCall(part, found);
    else if (part.kind === 'result') readContent(part.form.content(part.source), found);
    else if (part.kind === 'part' || part.kind === 'content' || part.kind === 'counted')
      readContent(part.content, found);
  }
}

/** Unrecognised parts count as the text in them. @param {any} content a part, or a list @param {Countable} found @param {any} [message] of the chat form */
function readContent(content, found, message) {
  for (const part of isList(content) ? content : [content]) {
    const isForeign = isObject(part) && message !== undefined && foreignFormOf(part) !== undefined;
    const countBefore = countIn(found);
    if (!isForeign) readPart(part, found);
    const isUnread = isObject(part) && countIn(found) === countBefore && !CHAT_PART_TYPES.has(part.type);
    if (isForeign || isUnread) addVisible(part, message, found);
  }
}

/** Count of texts, images and files. @param {Countable} found */
const countIn = ({ texts, images, pdfBytes }) => texts.length + images.length + pdfBytes.length;

/** Unrecognised, its visible text counts. Never throws: what was read before a getter threw counts. @param {any} message @param {Forced} [forced] @returns {Countable} */
function readMessage(message, forced) {
  const lists = { texts: [], images: [], lowDetail: [], pdfBytes: [] };
  /** @type {Countable} */ const found = { ...lists, toolCalls: 0, hasName: false, form: null };
  if (!isObject(message)) {
    if (message !== null && message !== undefined) addVisible(message, message, found);
    return found;
  }
  try {
    const dialect = dialectFor(message, forced);
    if (dialect !== null) {
      readParts(message, dialect, found);
      return found;
    }
    readBody(message, found);
    addText(reasoningOf(message), found);
    addText(message.refusal, found);
    if (typeof message.name === 'string') {
      found.hasName = true;
      found.texts.push(message.name);
    }
    for (const call of callsOf(message) ?? []) readCall(calleeOf(call), found);
    readCall(legacyCallOf(message), found);
    if (isList(message.images)) for (const image of message.images) readPart(image, found);
  } catch {
    // What follows the unreadable field counts as absent, as it does for the rules.
  }
  return found;
}

/** @param {unknown} text @param {Countable} found */
function addText(text, found) {
  if (typeof text === 'string') found.texts.push(text);
}

/** Reads the content of a chat message. @param {any} message @param {Countable} found */
function readBody(message, found) {
  const { content, parts } = message;
  if (typeof content === 'string' || isList(content)) {
    readContent(content, found, message);
    // The AI SDK's UI messages hold their text twice, and calls and results next to it.
    const calls = message.toolInvocations ?? parts;
    if (!isList(calls) || formOf(message) !== 'ai-sdk') return;
    const others = calls.filter((part) => part?.type !== 'text');
    addVisible(others, message, found);
  } else if (content !== undefined && content !== null) addVisible(content, message, found);
  else if (isList(parts)) addVisible(parts, message, found);
  else if (formOf(message) !== null && callsOf(message) === undefined) addVisible(message, message, found);
}

/** Adds the texts in an unrecognised value, and records the message's form. @param {unknown} value @param {any} message @param {Countable} found */
function addVisible(value, message, found) {
  const texts = visibleTexts(value);
  if (texts.length === 0) return;
  found.texts.push(...texts);
  if (message !== undefined) found.form = formOf(message) ?? 'other';
}

/** @param {any} callee the return value of `calleeOf` @param {Countable} found */
function readCall(callee, found) {
  if (!isObject(callee)) return;
  found.toolCalls += 1;
  addText(nameOf(callee), found);
  addText(argumentsOf(callee), found);
}

/** Reads a content part of OpenAI (chat, responses), Anthropic, Gemini or MCP. @param {any} part @param {Countable} found */
function readPart(part, found) {
  addText(part, found);
  if (!isObject(part)) return;
  addText(part.text, found);
  addText(part.thinking, found);
  addText(part.refusal, found);
  const url = part.image_url?.url ?? part.image_url;
  if (typeof url === 'string') return addImage(url, part.image_url?.detail ?? part.detail, found);
  const { data, byteCount } = dataOf(part) ?? {};
  if (data === undefined || byteCount === undefined) return;
  const mediaType = mediaTypeOf(part, data);
  if (mediaType === 'application/pdf') found.pdfBytes.push(byteCount);
  else if (part.type === 'image' || part.type === 'input_image' || mediaType.startsWith('image/'))
    addImage(data, part.detail, found);
}

/** @param {string} image @param {unknown} detail @param {Countable} found */
function addImage(image, detail, found) {
  found.images.push(image);
  found.lowDetail.push(detail === 'low');
}

/** @param {any} part @returns {{ data: string, byteCount: number } | undefined} base64, a data URL or a link; of bytes only the beginning */
function dataOf(part) {
  const { source, file, inlineData, inline_data } = part;
  const ofSource = [source?.data, source?.url, file?.file_data, part.file_data];
  for (const value of [part.data, ...ofSource, inlineData?.data, inline_data?.data, part.image]) {
    const data = value instanceof URL ? value.href : value;
    if (typeof data === 'string') return { data, byteCount: (data.length * 3) / 4 };
    if (!(value instanceof Uint8Array)) continue;
    return { data: Buffer.from(value.subarray(0, HEADER_BYTES)).toString('base64'), byteCount: value.length };
  }
  return undefined;
}

/** The part's media type; empty if unknown. @param {any} part @param {string} data @returns {string} */
function mediaTypeOf(part, data) {
  const { mimeType, mediaType, media_type, source, inlineData, inline_data } = part;
  const declared =
    mimeType ?? mediaType ?? media_type ?? source?.media_type ?? inlineData?.mimeType ?? inline_data?.mime_type;
  if (typeof declared === 'string') return declared;
  // JVBERi is %PDF in base64.
  if (data.startsWith('data:application/pdf') || data.startsWith('JVBERi')) return 'application/pdf';
  return data.startsWith('data:image/') ? 'image/' : '';
}

/** Not rounded; texts above `exactUpTo` tokens are estimated. @param {TokenModel} model @param {Countable} found @param {number} exactUpTo */
function countOf(model, { texts, images, toolCalls, hasName, lowDetail, pdfBytes }, exactUpTo) {
  const media = Float64Array.from([...lowDetail.map(Number), ...pdfBytes]);
  return model.countMessage(texts, images, toolCalls, hasName, media, exactUpTo);
}

/** Long strings of an unknown value, and its JSON text without them, base64 and bytes. Never throws; the unreadable is left out. O(value). @param {unknown} value */
function visibleTexts(value) {
  /** @type {string[]} */ const texts = [];
  const seen = new Set();
  try {
    const json = JSON.stringify(value, function visible(key, given) {
      // `given` is what `toJSON` returned: for a `Buffer`, a list of its bytes.
      const original = /** @type {any} */ (this)[key];
      if (typeof original === 'bigint') return String(original);
      if (HIDDEN_FIELDS.has(key) || ArrayBuffer.isView(original) || original instanceof ArrayBuffer) return undefined;
      if (typeof given === 'string') return moveLongText(given, texts);
      if (given === null || typeof given !== 'object') return given;
      if (seen.has(given)) return undefined;
      seen.add(given);
      return given;
    });
    if (json !== undefined && json !== '{}' && json !== '[]' && json !== '""') texts.push(json);
  } catch {
    // A getter or a proxy threw, or the value is nested too deeply: the texts found so far count.
  }
  return texts;
}

/** Adds a long text to `texts`; returns what stays in the JSON. @param {string} text @param {string[]} texts */
function moveLongText(text, texts) {
  if (text.length <= SHORT_UNITS) return text;
  if (!isData(text)) texts.push(text);
  return '';
}

/** True for base64 and data URLs. @param {string} text */
function isData(text) {
  if (text.startsWith('data:') && text.slice(0, 128).includes(';base64,')) return true;
  return text.length >= DATA_UNITS && BASE64.test(text) && new Set(text.slice(0, DATA_UNITS)).size > 16;
}

module.exports = { countOf, readMessage };
