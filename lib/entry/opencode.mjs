import opencode from './opencode.js';

export const { palimpsest } = opencode;
