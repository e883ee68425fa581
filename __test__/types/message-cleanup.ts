import * as full from 'palimpsest';
import {
  cleanOrphanedToolCalls,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
} from 'palimpsest/messageCleanup';
import { expectTrue, type Same } from './expect.js';
import type { ChatMessage, Message } from './hosts.js';

/** The signature of the agents' own functions, which drop-in functions replace by a change of the import. */
type Reference = (messages: ChatMessage[]) => void;
const functions: Reference[] = [
  cleanOrphanedToolCalls,
  simplifyOutdatedTerminalResults,
  simplifyHistoricalFileReads,
  // The functions with options have it, too.
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
// @ts-expect-error the drop-in signature has no options
simplifyOutdatedTerminalResults(api, { keepRecent: 5 });
// @ts-expect-error the array is written to
simplifyHistoricalFileReads(chat as readonly ChatMessage[]);
// @ts-expect-error a string is not a message
cleanOrphanedToolCalls(['text']);
