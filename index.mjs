import palimpsest from './index.js';

export const {
  cleanOrphanedToolCalls,
  createSession,
  prepareMessages,
  setLogger,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
  simplifyTextSearchResults,
  simplifyToolResults,
  TokenCalibration,
  TokenCounter,
  version,
} = palimpsest;
