export * from './pi.js';
