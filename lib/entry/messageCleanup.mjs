import messageCleanup from './messageCleanup.js';

export const { cleanOrphanedToolCalls, simplifyHistoricalFileReads, simplifyOutdatedTerminalResults } = messageCleanup;
