export * from './anthropic.js';
