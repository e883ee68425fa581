/** R13: the types of `palimpsest/ai-sdk` fit those of `ai`. */
import { generateText, type LanguageModelMiddleware, type ModelMessage, streamText, tool, wrapLanguageModel } from 'ai';
import { type AiSdkOptions, middleware, prepareStep } from 'palimpsest/ai-sdk';
import { z } from 'zod';
import { expectTrue, type Same } from '../expect.js';

declare const model: Parameters<typeof wrapLanguageModel>[0]['model'];
declare const messages: ModelMessage[];

const tools = { read: tool({ inputSchema: z.object({ path: z.string() }), execute: async ({ path }) => path }) };
const ours = middleware({ price: 'openai', maxViews: 8, cacheControl: true });
void (ours satisfies LanguageModelMiddleware);
expectTrue<Same<keyof ReturnType<typeof ours.ledger>, 'requests' | 'cost' | 'costLeftAlone' | 'range'>>();
wrapLanguageModel({ model, middleware: ours });
wrapLanguageModel({ model, middleware: [ours, middleware()] });

void generateText({ model, messages, prepareStep: prepareStep({ tools: 'codex' }) });
void generateText({ model, messages, tools, prepareStep: prepareStep() });
streamText({ model, messages, tools, prepareStep: prepareStep({ orphans: 'remove' }) });

const options: AiSdkOptions = { budgetTokens: 100_000, compressWhenCold: 0.5 };
middleware(options);

// @ts-expect-error no such price list
middleware({ price: 'cheap' });
// @ts-expect-error no such lifetime
prepareStep({ cacheControl: 'ephemeral' });
