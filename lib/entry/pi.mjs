import pi from './pi.js';

export const { palimpsest } = pi;
