// @ts-check
'use strict';

const { OWN_FIELDS } = require('./own-field-names.js');

/** In UTF-16 units. Shorter strings, such as names, ids and numbers, stay in the JSON text; longer ones are counted without JSON escapes. */
const SHORT_UNITS = 64;
/** In UTF-16 units. Shorter strings are not checked for base64: they cost little and may be words. */
const DATA_UNITS = 1024;
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

/**
 * The texts in a value of unknown form: its long strings, and its JSON text without them. Base64, data URLs and bytes are left out. Their count is
 * slightly above the provider's count for the value. Never throws; what can't be read is left out. O(value).
 * @param {unknown} value
 * @returns {string[]} empty if there is no text
 */
function visibleTexts(value) {
  /** @type {string[]} */
  const texts = [];
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

module.exports = { visibleTexts };
