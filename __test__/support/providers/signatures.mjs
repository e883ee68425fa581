// @ts-check
/**
 * Signatures of reasoning as providers create them: derived from the text, so that a strict endpoint detects changes.
 * Signatures of real sessions can't be verified and are accepted.
 */
import { createHash } from 'node:crypto';

const MARK = 'signed-here:';

/** @param {string} text @returns {string} */
export const signatureOf = (text) => MARK + createHash('sha256').update(text).digest('base64url').slice(0, 22);

/**
 * True if a signature can't belong to the text: it is missing, empty, or was created here for another text.
 * @param {unknown} signature
 * @param {string} text
 */
export function isForged(signature, text) {
  if (typeof signature !== 'string' || signature === '') return true;
  return signature.startsWith(MARK) && signature !== signatureOf(text);
}
