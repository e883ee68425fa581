// @ts-check
/**
 * Signatures as providers put them on reasoning: made of the text, so that a strict endpoint sees that somebody changed
 * it. Those of real sessions can't be checked and are taken.
 */
import { createHash } from 'node:crypto';

const MARK = 'signed-here:';

/** @param {string} text @returns {string} */
export const signatureOf = (text) => MARK + createHash('sha256').update(text).digest('base64url').slice(0, 22);

/**
 * Whether a signature can't be the text's: it is missing, empty, or made here of another text.
 * @param {unknown} signature
 * @param {string} text
 */
export function isForged(signature, text) {
  if (typeof signature !== 'string' || signature === '') return true;
  return signature.startsWith(MARK) && signature !== signatureOf(text);
}
