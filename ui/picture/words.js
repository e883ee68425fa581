// @ts-check
/**
 * Texts of `<context-map>` and `<context-chart>` in the element's language.
 *
 * @import { Language } from '../base/language.js'
 * @import { Problem } from './read-picture.js'
 * @typedef {typeof EN} Words
 */
import { PICTURE_VERSION } from './read-picture.js';
import { EN } from './words-en.js';
import { ZH } from './words-zh.js';

/** @param {Language} language @returns {Words} */
export function wordsOf(language) {
  return language === 'zh' ? ZH : EN;
}

/** Plural name of a kind of content. A later version may add kinds. @param {Words} words @param {string} kind */
export function kindName(words, kind) {
  return Object.hasOwn(words.kinds, kind) ? words.kinds[/** @type {keyof Words['kinds']} */ (kind)] : kind;
}

/** Singular name of a kind of content. @param {Words} words @param {string} kind */
export function cellKindName(words, kind) {
  return Object.hasOwn(words.cellKinds, kind) ? words.cellKinds[/** @type {keyof Words['cellKinds']} */ (kind)] : kind;
}

/** Why a picture can't be drawn. @param {Words} words @param {Problem} problem */
export function problemSentence(words, { reason, where }) {
  if (reason === 'missing') return words.noPicture;
  return reason === 'version' ? words.otherVersion(where, PICTURE_VERSION) : words.wrongShape(where);
}
