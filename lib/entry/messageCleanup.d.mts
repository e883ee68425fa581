export * from './messageCleanup.js';
