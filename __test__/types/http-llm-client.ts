import {
  type HttpLlmAnswer,
  HttpLlmClient,
  type HttpLlmRequest,
  LlmHttpError,
  type LlmHttpErrorCode,
} from 'palimpsest';
import { expectTrue, type Same } from './expect.js';
import type { ChatMessage } from './hosts.js';

declare const messages: ChatMessage[];
declare const signal: {
  aborted: boolean;
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
};

const client = new HttpLlmClient({ baseUrl: 'http://127.0.0.1:11434/v1' });
new HttpLlmClient({
  baseUrl: 'https://api.anthropic.com',
  apiKey: null,
  style: 'anthropic',
  headers: { 'x-team': 'a', 'x-none': undefined },
  proxy: false,
  totalTimeoutMs: 30_000,
  caCertificates: ['pem'] as const,
  temperature: false,
});
// The request that AutoCompressionManager passes to a client.
const answer = client.chat({ model: 'm', messages, maxTokens: 5, max_tokens: 5, temperature: 0.1, signal });
expectTrue<Same<typeof answer, Promise<HttpLlmAnswer>>>();
expectTrue<
  Same<
    Awaited<typeof answer>['usage'],
    { promptTokens: number; cachedTokens: number | null; completionTokens: number } | null
  >
>();
expectTrue<Same<Parameters<typeof client.call>, [request: HttpLlmRequest]>>();

// @ts-expect-error `baseUrl` is required
new HttpLlmClient({ apiKey: 'k' });
// @ts-expect-error no such style
new HttpLlmClient({ baseUrl: 'x', style: 'gemini' });
// @ts-expect-error `messages` is required
client.chat({ model: 'm' });

declare const error: unknown;
if (error instanceof LlmHttpError) {
  expectTrue<Same<typeof error.code, LlmHttpErrorCode>>();
  expectTrue<Same<typeof error.retryAfterMs, number | undefined>>();
}
