export * from './opencode.js';
