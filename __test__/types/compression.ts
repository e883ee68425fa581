import {
  AutoCompressionManager,
  type CompressedMessage,
  type CompressionEvent,
  type CompressionFields,
  type CompressionRecord,
  type CompressionResult,
  type CompressionStats,
  ContextView,
  type DamagedHistoryCode,
  DamagedHistoryError,
  defaultSummaryPrompt,
  expandHistory,
  HttpLlmClient,
  type Logger,
  SessionArchive,
  type SummaryPrompt,
  type SummaryRequest,
  stripForApi,
} from 'palimpsest';
import { expectTrue, type Same } from './expect.js';
import type { ChatMessage, Message, RequestMessage, SpelledOutMessage, StoredMessage } from './hosts.js';

declare const logger: Logger;

// An agent server: a configuration service with `get`, a client with `call`, an OpenAI completion, its own logger.
declare const configService: { get(key: string): unknown; set(key: string, value: unknown): void };
declare const serverClient: {
  call(request: {
    model: string;
    messages: { role: string; content: string }[];
    max_tokens: number;
    temperature: number;
  }): Promise<{ choices: { message: { content: string | null } }[] }>;
};
const manager = new AutoCompressionManager(configService, serverClient, logger);
const processed = manager.process([] as (ChatMessage & { promptTokens?: number })[]);
expectTrue<Same<typeof processed, Promise<void>>>();

// A terminal agent: settings as properties, a function as client, every option.
declare const pinned: WeakSet<object>;
const archive = new SessionArchive('history.db');
new AutoCompressionManager(
  { autoCompressionSummaryModel: 'fast', maxContextTokens: 200_000, autoCompressionThreshold: undefined },
  async ({ model, messages, maxTokens, temperature, signal }: SummaryRequest) => {
    expectTrue<Same<[typeof model, typeof maxTokens, typeof temperature], [string, number, number]>>();
    signal.addEventListener('abort', () => undefined);
    return messages.map(({ content }) => content).join('\n');
  },
  null,
  {
    model: 'gpt-4o',
    tools: () => [{ type: 'function' }],
    language: 'en',
    prompt: { ...defaultSummaryPrompt('en'), system: 'Summarise.' },
    pin: (message: ChatMessage) => pinned.has(message),
    archive,
    sessionId: 'session-1',
    onEvent: (event) => expectTrue<Same<typeof event, CompressionEvent>>(),
    logFields: { agentId: 'a' },
  },
);

// An Electron agent: nested settings, and the built-in client.
declare const electronHistory: Message[];
declare const electronMessage: Message;
new AutoCompressionManager(
  { conversation: { autoCompression: { summaryModel: 'fast', contextLimit: { maxTokens: 64_000 } } } },
  new HttpLlmClient({ baseUrl: 'http://127.0.0.1:11434/v1' }),
).process(electronHistory);
new AutoCompressionManager({ 'conversation.autoCompression': { enabled: false } }, { chat: () => 'text' });

// Settings as sections of an application's configuration, and both kinds of loggers.
new AutoCompressionManager({ enabled: true, summaryModel: 'fast', contextLimit: { maxTokens: 64_000 } }, serverClient);
new AutoCompressionManager({ autoCompression: false, contextLimit: { hardLimitThreshold: 0.9 } }, serverClient);
new AutoCompressionManager({ conversation: { autoCompression: true, contextLimit: { maxTokens: 1 } } }, serverClient);
declare const serverLogger: Record<'debug' | 'info' | 'warn' | 'error', (message: string, data?: unknown) => void>;
declare const fieldsFirst: Record<'debug' | 'info' | 'warn' | 'error', (fields: object, text?: string) => void>;
new AutoCompressionManager(configService, serverClient, serverLogger, { logFields: {} });
new AutoCompressionManager(configService, serverClient, fieldsFirst, { logStyle: 'fields-first' });
new AutoCompressionManager(configService, serverClient, { ...fieldsFirst, bindings: () => ({}) });
// @ts-expect-error a logger that takes fields first needs `logStyle`
new AutoCompressionManager(configService, serverClient, fieldsFirst);
// @ts-expect-error `maxTokens` is a number
new AutoCompressionManager({ contextLimit: { maxTokens: '64k' } }, serverClient);
new AutoCompressionManager(configService, async ({ messages, signal, abortSignal }: SummaryRequest) => {
  expectTrue<Same<typeof abortSignal, typeof signal>>();
  return { content: messages.map(({ content }) => content).join(''), model: 'fast-2' };
});

// A typed configuration, other responses, and applications that write `undefined`.
interface Settings {
  maxContextTokens: number;
  theme: string;
}
declare const typedConfig: { get<K extends keyof Settings>(key: K): Settings[K] };
new AutoCompressionManager(typedConfig, async () => ({
  content: [{ type: 'text', text: 's' }],
  stop_reason: 'end_turn',
}));
new AutoCompressionManager(
  (key) => key,
  async () => ({
    choices: [{ message: { content: 's', refusal: null }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1 },
  }),
  undefined,
  { language: undefined, archive: undefined },
);

// @ts-expect-error the configuration is required
new AutoCompressionManager();
// @ts-expect-error the client is required
new AutoCompressionManager(configService);
// @ts-expect-error a client has `chat` or `call`
new AutoCompressionManager(configService, { complete: () => 'text' });
// @ts-expect-error a threshold is a number
new AutoCompressionManager({ autoCompressionThreshold: '80%' }, serverClient);
// @ts-expect-error no supported response
new AutoCompressionManager(configService, () => ({ candidates: [] }));
// @ts-expect-error no supported response
new AutoCompressionManager(configService, () => 42);
// @ts-expect-error no such language
new AutoCompressionManager(configService, serverClient, null, { language: 'fr' });
// @ts-expect-error an archive has `append`
new AutoCompressionManager(configService, serverClient, null, { archive: {} });
// @ts-expect-error process writes to the array
manager.process([] as readonly ChatMessage[]);

declare const signal: NonNullable<SummaryRequest['signal']>;
const byHand = manager.compress(electronHistory, { summary: 's', instructions: null, signal, now: 0 });
expectTrue<Same<typeof byHand, Promise<CompressionResult>>>();

const stats: CompressionStats = manager.stats();
expectTrue<Same<(typeof stats)['compressed'], number>>();
stats['refused.not_smaller'] satisfies number | undefined;

const stop = manager.onEvent((event) => {
  if (event.type === 'compressed') expectTrue<Same<typeof event.tokens_after, number>>();
  if (event.type === 'truncated') expectTrue<Same<typeof event.level, 'warn'>>();
  if (event.type === 'setting_unreadable') expectTrue<Same<typeof event.came, string>>();
  // @ts-expect-error only some events have `tokens_after`
  event.tokens_after;
});
expectTrue<Same<typeof stop, () => void>>();

// The application's own type is returned.
declare const stored: (ChatMessage & CompressionFields<ChatMessage>)[];
manager.process(stored);
const whole = expandHistory(stored);
expectTrue<Same<typeof whole, (ChatMessage & CompressionFields<ChatMessage>)[]>>();
const fetched = expandHistory(electronHistory, { archive, sessionId: 'session-1' });
expectTrue<Same<typeof fetched, Promise<Message[]>>>();
declare const archiveIfAny: SessionArchive | undefined;
const either = expandHistory(electronHistory, { archive: archiveIfAny, sessionId: ['session-1', 'session-0'] });
expectTrue<Same<typeof either, Message[] | Promise<Message[]>>>();
// @ts-expect-error an archive has `get`
expandHistory(stored, { archive: { append: archive.append }, sessionId: 'session-1' });

for (const message of stored) {
  const record = message.compression;
  if (message.isCompressed && record !== undefined) {
    expectTrue<Same<typeof record, CompressionRecord<ChatMessage>>>();
    record.originalMessages satisfies ChatMessage[] | undefined;
  }
}
declare const compressed: CompressedMessage<ChatMessage>;
compressed satisfies ChatMessage;

const sent = [stripForApi(stored), stripForApi([] as RequestMessage[], { keep: ['metadata'] })] as const;
expectTrue<Same<(typeof sent)[0], typeof stored>>();
expectTrue<Same<(typeof sent)[1], RequestMessage[]>>();
stripForApi([electronMessage]) satisfies Message[];
stripForApi([] as readonly StoredMessage[]) satisfies StoredMessage[];
manager.process([] as SpelledOutMessage[]);
// @ts-expect-error `keep` is a list
stripForApi(stored, { keep: 'metadata' });

expectTrue<Same<ReturnType<typeof defaultSummaryPrompt>, SummaryPrompt>>();
// @ts-expect-error no such language
defaultSummaryPrompt('fr');

declare const error: unknown;
if (error instanceof DamagedHistoryError) {
  expectTrue<Same<typeof error.code, DamagedHistoryCode>>();
  error.messages satisfies ChatMessage[];
}

/** The parameter of a client is inferred for each form of client. */
new AutoCompressionManager({}, { call: async (request) => ({ content: String(request.messages.length) }) });
new AutoCompressionManager({}, { chat: async (request) => ({ content: String(request.messages.length) }) });
new AutoCompressionManager({}, async (request) => ({ content: String(request.messages.length) }));
new ContextView({ compression: { config: {}, llmClient: { call: async (request) => request.model } } });
