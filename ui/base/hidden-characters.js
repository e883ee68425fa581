// @ts-check
/** Makes the CommonJS module of `lib` available to the elements: characters that hide text, and their names. */
import hidden from '../../lib/history/hidden-characters.js';

export const { HIDDEN, nameOfHidden } = hidden;
