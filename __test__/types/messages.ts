import {
  type CleanupReport,
  ContextView,
  cleanOrphanedToolCalls,
  type MessageLike,
  type PreparedMessages,
  prepareMessages,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
  simplifyTextSearchResults,
  simplifyToolResults,
  stripForApi,
} from 'palimpsest';
import { expectTrue, type Same } from './expect.js';
import type { ChatMessage, Message, RequestMessage, SpelledOutMessage, StoredMessage } from './hosts.js';

/** R0.7: each function that returns messages returns the application's own type. */
function returnsOwnType<T extends MessageLike>(messages: readonly T[]): T[] {
  return prepareMessages(messages).messages;
}

declare const chat: ChatMessage[];
expectTrue<Same<ReturnType<typeof returnsOwnType<ChatMessage>>, ChatMessage[]>>();
const prepared = prepareMessages(chat);
expectTrue<Same<typeof prepared, PreparedMessages<ChatMessage>>>();
expectTrue<Same<typeof prepared.messages, ChatMessage[]>>();
const inSession = new ContextView().project(chat);
expectTrue<Same<typeof inSession.messages, ChatMessage[]>>();
prepared.messages[0]?.reasoning?.encrypted_content?.toUpperCase();
// @ts-expect-error the application's type has no such field
prepared.messages[0]?.unheardOf;

/** A terminal agent. */
const api = [...chat];
const reports: CleanupReport[] = [
  cleanOrphanedToolCalls(api),
  simplifyOutdatedTerminalResults(api),
  simplifyHistoricalFileReads(api),
  simplifyTextSearchResults(api),
  simplifyToolResults(api, []),
];
expectTrue<Same<typeof api, ChatMessage[]>>();
expectTrue<Same<(typeof reports)[number], CleanupReport>>();

/** The other applications. */
declare const electron: Message[];
declare const spelledOut: SpelledOutMessage[];
declare const request: RequestMessage[];
declare const instances: StoredMessage[];
declare const loose: any[];
expectTrue<Same<ReturnType<typeof returnsOwnType<Message>>, Message[]>>();
cleanOrphanedToolCalls(electron);
simplifyOutdatedTerminalResults(electron);
prepareMessages(electron).messages[0]?.toolResults?.[0]?.metadata;
cleanOrphanedToolCalls(spelledOut);
const fromSpelledOut = prepareMessages(spelledOut).messages;
expectTrue<Same<typeof fromSpelledOut, SpelledOutMessage[]>>();
cleanOrphanedToolCalls(request);
const fromRequest = prepareMessages(request).messages;
expectTrue<Same<typeof fromRequest, RequestMessage[]>>();
simplifyHistoricalFileReads(instances);
prepareMessages(instances).messages[0]?.save();
cleanOrphanedToolCalls(loose);
prepareMessages([{ role: 'user', content: 'written in place', unknownToThePackage: true }]);

/** Functions that write to the array refuse a readonly one; the others accept it. */
declare const readonlyChat: readonly ChatMessage[];
const fromReadonly = prepareMessages(readonlyChat).messages;
expectTrue<Same<typeof fromReadonly, ChatMessage[]>>();
new ContextView().project(readonlyChat);
// @ts-expect-error the array is written to
cleanOrphanedToolCalls(readonlyChat);
// @ts-expect-error the array is written to
simplifyOutdatedTerminalResults(readonlyChat);
// @ts-expect-error the array is written to
simplifyHistoricalFileReads(readonlyChat);
// @ts-expect-error the array is written to
simplifyTextSearchResults(readonlyChat);
// @ts-expect-error the array is written to
simplifyToolResults(readonlyChat, []);

/** Names in camelCase, both spellings of a call, and timestamps that are not numbers. */
interface CamelCaseMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  toolCalls?: { id: string; name: string; arguments: Record<string, unknown> }[];
  toolCallId?: string;
  createdAt: Date;
  timestamp?: string;
}
declare const camelCase: CamelCaseMessage[];
const fromCamelCase = prepareMessages(camelCase, { unknownAge: 'old' });
expectTrue<Same<typeof fromCamelCase.messages, CamelCaseMessage[]>>();
cleanOrphanedToolCalls(camelCase);
const sent = stripForApi(camelCase);
expectTrue<Same<typeof sent, CamelCaseMessage[]>>();
declare const sdkCalls: { role: 'assistant'; toolCalls: { toolCallId: string; toolName: string; args: object }[] }[];
simplifyOutdatedTerminalResults(sdkCalls);
declare const ollama: { role: string; tool_calls: { function: { name: string; arguments: object } }[] }[];
simplifyHistoricalFileReads(ollama);
fromCamelCase.report.unrecognisedForms['ai-sdk']?.toFixed();
expectTrue<Same<typeof fromCamelCase.report.timestamps, { readonly unknown: number; readonly seconds: number }>>();
// @ts-expect-error no such form
fromCamelCase.report.unrecognisedForms.ai_sdk;
// @ts-expect-error `toolCalls` is a list
cleanOrphanedToolCalls([{ role: 'assistant', toolCalls: { id: 'a' } }]);
// @ts-expect-error `toolCallId` is a string
cleanOrphanedToolCalls([{ role: 'tool', toolCallId: 7 }]);

/** Values that are no array of messages. */
declare const dated: { role: string; timestamp: { seconds: number } }[];
// @ts-expect-error a result with such a timestamp would never become outdated
prepareMessages(dated);
// @ts-expect-error one message is not an array
cleanOrphanedToolCalls({ role: 'user', content: '' });
// @ts-expect-error `role` is required
prepareMessages([{ content: 'whose?' }]);
// @ts-expect-error a Set is not an array
prepareMessages(new Set(chat));
// @ts-expect-error the messages are required
prepareMessages();
