import * as full from 'palimpsest';
import {
  cleanOrphanedToolCalls,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
} from 'palimpsest/messageCleanup';
import { expectTrue, type Same } from './expect.js';
import type { ChatMessage, Message } from './hosts.js';

/** The signatures of the `messageCleanup.ts` that hosts have: the swap of the import is all there is to do. */
type Reference = (messages: ChatMessage[]) => void;
const functions: Reference[] = [
  cleanOrphanedToolCalls,
  simplifyOutdatedTerminalResults,
  simplifyHistoricalFileReads,
  // The functions with options and a report fit, too.
  full.cleanOrphanedToolCalls,
  full.simplifyOutdatedTerminalResults,
  full.simplifyHistoricalFileReads,
];

declare const chat: ChatMessage[];
declare const electron: Message[];
const api = [...chat];
for (const clean of functions) clean(api);
cleanOrphanedToolCalls(electron);
expectTrue<Same<ReturnType<typeof simplifyOutdatedTerminalResults<ChatMessage>>, void>>();
// @ts-expect-error the reference takes no options
simplifyOutdatedTerminalResults(api, { keepRecent: 5 });
// @ts-expect-error works in place
simplifyHistoricalFileReads(chat as readonly ChatMessage[]);
// @ts-expect-error messages only
cleanOrphanedToolCalls(['text']);
