/** R15: each adapter accepts a store, and a `conversationId` of the SDK's request. */
import type { ContextViews } from 'palimpsest';
import * as aiSdk from 'palimpsest/ai-sdk';
import * as anthropic from 'palimpsest/anthropic';
import * as langchain from 'palimpsest/langchain';
import * as agents from 'palimpsest/openai-agents';
import type { PostgresStore } from 'palimpsest/postgres';

declare const store: PostgresStore;
const named = { store, storeTimeoutMs: 500, conversationId: 'c' };

for (const ours of [
  aiSdk.middleware(named),
  anthropic.middleware(named),
  langchain.contextMiddleware(named),
  agents.modelInputFilter(named),
]) {
  void (ours.views satisfies ContextViews);
}
aiSdk.middleware({ store, conversationId: (params) => String(params.providerOptions?.agent?.chat) });
anthropic.middleware({ store, conversationId: () => undefined });
langchain.contextMiddleware({ store, conversationId: ({ runtime }) => runtime.configurable?.thread_id });
agents.modelInputFilter({ store, conversationId: () => 'c', onEvent: (event) => event.type });

// @ts-expect-error a path is not a store
aiSdk.middleware({ store: 'state.db', conversationId: 'c' });
// @ts-expect-error a path is not a store
anthropic.middleware({ store: 'state.db', conversationId: 'c' });
// @ts-expect-error a path is not a store
langchain.contextMiddleware({ store: 'state.db', conversationId: 'c' });
// @ts-expect-error a path is not a store
agents.modelInputFilter({ store: 'state.db', conversationId: 'c' });
