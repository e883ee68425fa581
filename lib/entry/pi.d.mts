export * from './pi.js';
export { palimpsest as default } from './pi.js';
