// @ts-check
'use strict';

const { OWN_FIELDS } = require('./own-field-names.js');

/** Strings up to here stay in the JSON text: names, ids, numbers. Longer ones are counted without its escapes. */
const SHORT_UNITS = 64;
/** Base64 is looked for in strings from here on: shorter ones cost little, and may be words. */
const DATA_UNITS = 1024;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** Fields that a provider, a host or an SDK keeps for its own use. */
const HIDDEN = new Set(
  [
    ...OWN_FIELDS,
    'providerOptions providerMetadata callProviderMetadata experimental_providerMetadata cache_control cacheControl',
    'signature thoughtSignature thought_signature encrypted_content usage usageMetadata usage_metadata',
    'response_metadata timestamp createdAt created_at ts',
  ].flatMap((names) => names.split(' ')),
);

/**
 * The texts in a value that nobody knows how to read: its long strings, and its JSON text without them. Base64, data
 * URLs and bytes are left out. Counted, they come to a little more than what a provider makes of the value. Never
 * throws; what can't be read isn't there. O(value).
 * @param {unknown} value
 * @returns {string[]} empty when there is nothing to see
 */
function visibleTexts(value) {
  /** @type {string[]} */
  const texts = [];
  const seen = new Set();
  try {
    const json = JSON.stringify(value, function visible(key, given) {
      // Before `toJSON`: a `Buffer` would be a list of its bytes.
      const held = /** @type {any} */ (this)[key];
      if (typeof held === 'bigint') return String(held);
      if (HIDDEN.has(key) || ArrayBuffer.isView(held) || held instanceof ArrayBuffer) return undefined;
      if (typeof given === 'string') return shown(given, texts);
      if (given === null || typeof given !== 'object') return given;
      if (seen.has(given)) return undefined;
      seen.add(given);
      return given;
    });
    if (json !== undefined && json !== '{}' && json !== '[]' && json !== '""') texts.push(json);
  } catch {
    // A getter or a proxy throws, or it is nested too deeply: what was found so far counts.
  }
  return texts;
}

/** @param {string} text @param {string[]} texts */
function shown(text, texts) {
  if (text.length <= SHORT_UNITS) return text;
  if (!isData(text)) texts.push(text);
  return '';
}

/** @param {string} text */
function isData(text) {
  if (text.startsWith('data:') && text.slice(0, 128).includes(';base64,')) return true;
  return text.length >= DATA_UNITS && BASE64.test(text) && new Set(text.slice(0, DATA_UNITS)).size > 16;
}

module.exports = { visibleTexts };
