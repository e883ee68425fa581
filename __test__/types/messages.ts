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

/** R0.7: a host's own type goes in and comes out, from each function that gives messages back. */
function comesOut<T extends MessageLike>(messages: readonly T[]): T[] {
  return prepareMessages(messages).messages;
}

declare const chat: ChatMessage[];
expectTrue<Same<ReturnType<typeof comesOut<ChatMessage>>, ChatMessage[]>>();
const prepared = prepareMessages(chat);
expectTrue<Same<typeof prepared, PreparedMessages<ChatMessage>>>();
expectTrue<Same<typeof prepared.messages, ChatMessage[]>>();
const inSession = new ContextView().project(chat);
expectTrue<Same<typeof inSession.messages, ChatMessage[]>>();
prepared.messages[0]?.reasoning?.encrypted_content?.toUpperCase();
// @ts-expect-error the host's type has no such field, so neither has what comes out
prepared.messages[0]?.unheardOf;

/** The loop of the terminal agent. */
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

/** The other hosts. */
declare const electron: Message[];
declare const spelledOut: SpelledOutMessage[];
declare const request: RequestMessage[];
declare const instances: StoredMessage[];
declare const loose: any[];
expectTrue<Same<ReturnType<typeof comesOut<Message>>, Message[]>>();
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

/** Who writes slots must be allowed to; who only reads takes whatever can be read. */
declare const readonlyChat: readonly ChatMessage[];
const fromReadonly = prepareMessages(readonlyChat).messages;
expectTrue<Same<typeof fromReadonly, ChatMessage[]>>();
new ContextView().project(readonlyChat);
// @ts-expect-error works in place
cleanOrphanedToolCalls(readonlyChat);
// @ts-expect-error works in place
simplifyOutdatedTerminalResults(readonlyChat);
// @ts-expect-error works in place
simplifyHistoricalFileReads(readonlyChat);
// @ts-expect-error works in place
simplifyTextSearchResults(readonlyChat);
// @ts-expect-error works in place
simplifyToolResults(readonlyChat, []);

/** camelCase, whatever of the two spellings of a call, and times that are no numbers. */
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
// @ts-expect-error there is no such form
fromCamelCase.report.unrecognisedForms.ai_sdk;
// @ts-expect-error declared calls are a list
cleanOrphanedToolCalls([{ role: 'assistant', toolCalls: { id: 'a' } }]);
// @ts-expect-error an id is a string
cleanOrphanedToolCalls([{ role: 'tool', toolCallId: 7 }]);

/** What is no array of messages. */
declare const dated: { role: string; timestamp: { seconds: number } }[];
// @ts-expect-error results with such a time would silently never grow old
prepareMessages(dated);
// @ts-expect-error one message is not a conversation
cleanOrphanedToolCalls({ role: 'user', content: '' });
// @ts-expect-error messages without a role
prepareMessages([{ content: 'whose?' }]);
// @ts-expect-error only arrays, not everything iterable
prepareMessages(new Set(chat));
// @ts-expect-error a conversation must be given
prepareMessages();
