// @ts-check
import hidden from '../../lib/history/hidden-characters.js';

export const { HIDDEN, nameOfHidden } = hidden;
