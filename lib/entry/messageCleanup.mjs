import messageCleanup from './messageCleanup.js';

export const {
  cleanOrphanedToolCalls,
  sanitizeToolResultForHistory,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
} = messageCleanup;
