/** R13: the types of `palimpsest/anthropic` fit those of Anthropic's client. */
import Anthropic, { type Middleware } from '@anthropic-ai/sdk';
import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages';
import type { MessageCreateParamsStreaming, MessageParam } from '@anthropic-ai/sdk/resources/messages';
import { ContextView, ContextViews } from 'palimpsest';
import { type AnthropicOptions, middleware, prepareParams } from 'palimpsest/anthropic';
import { expectTrue, type Same } from '../expect.js';

declare const messages: MessageParam[];
declare const beta: BetaMessageParam[];

const ours: Middleware = middleware({ cacheControl: '1h', maxViews: 8, price: 'anthropic' });
const client = new Anthropic({ middleware: [ours, middleware()] });
void client.messages.create({ model: 'claude', max_tokens: 9, messages }, { middleware: [middleware()] });

async function plainCalls(streaming: MessageCreateParamsStreaming) {
  const params = { model: 'claude', max_tokens: 9, messages };
  const prepared = await prepareParams(params, { view: new ContextView(), cacheControl: true });
  expectTrue<Same<typeof prepared, typeof params>>();
  void client.messages.create(prepared);
  void client.messages.stream(
    await prepareParams({ ...params, system: 'You are an agent.' }, { view: new ContextViews() }),
  );
  void client.beta.messages.create(await prepareParams({ model: 'claude', max_tokens: 9, messages: beta }));
  const stream = await client.messages.create(
    await prepareParams(streaming, { now: 0, signal: AbortSignal.timeout(9) }),
  );
  stream.controller.abort();
}
void plainCalls;

const options: AnthropicOptions = { budgetTokens: 100_000, cacheControl: false };
middleware(options);

// @ts-expect-error no such lifetime
middleware({ cacheControl: '2h' });
// @ts-expect-error no such price list
middleware({ price: 'cheap' });
// @ts-expect-error `messages` is required
void prepareParams({ model: 'claude' });
