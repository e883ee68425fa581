/** R13: the types of `palimpsest/mastra` fit those of `@mastra/core`. */
import { Agent } from '@mastra/core/agent';
import type {
  InputProcessor,
  OutputProcessor,
  ProcessLLMRequestArgs,
  ProcessOutputResultArgs,
  Processor,
} from '@mastra/core/processors';
import { ContextProcessor, type ContextProcessorOptions } from 'palimpsest/mastra';
import type { PostgresStore } from 'palimpsest/postgres';
import { expectTrue, type Same } from '../../expect.js';

const processor = new ContextProcessor({ price: 'anthropic', cacheControl: true, maxViews: 8 });
const plain: Processor<'palimpsest'> = processor;
void plain;
const input: InputProcessor = processor;
const output: OutputProcessor = processor;
new Agent({
  ...{ id: 'reader', name: 'reader', instructions: 'You read.', model: 'openai/gpt-5' },
  inputProcessors: [processor, input],
  outputProcessors: [processor, output],
});

declare const request: ProcessLLMRequestArgs;
declare const run: ProcessOutputResultArgs;
const sent = processor.processLLMRequest(request);
expectTrue<Same<typeof sent, Promise<{ prompt: ProcessLLMRequestArgs['prompt'] }>>>();
const kept = processor.processOutputResult(run);
expectTrue<Same<typeof kept, ProcessOutputResultArgs['messageList']>>();

const options: ContextProcessorOptions = { budgetTokens: 100_000, compressWhenCold: 0.5 };
new ContextProcessor(options);
// @ts-expect-error no such price list
new ContextProcessor({ price: 'cheap' });
// @ts-expect-error no such lifetime
new ContextProcessor({ cacheControl: 'ephemeral' });
// @ts-expect-error another id
const other: Processor<'token-limiter'> = processor;
void other;

declare const store: PostgresStore;
new ContextProcessor({ store, storeTimeoutMs: 500, conversationId: () => 'c' });
// @ts-expect-error a path is not a store
new ContextProcessor({ store: 'state.db', conversationId: 'c' });
