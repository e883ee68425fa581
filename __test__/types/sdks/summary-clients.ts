/** SDK clients as summary models: directly, or with one line of code. Compiled, never run. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { AutoCompressionManager, type CompressionOutcome, ContextView, type LlmClient } from 'palimpsest';

const openai = new OpenAI();
const anthropic = new Anthropic();
const settings = { autoCompressionSummaryModel: 'gpt-4o-mini' };

export const clients: LlmClient[] = [openai, anthropic];
export const manager = new AutoCompressionManager(settings, openai);
new AutoCompressionManager(settings, (request) => openai.chat.completions.create(request));
new AutoCompressionManager(settings, ({ messages: [, user], ...request }) =>
  anthropic.messages.create({ ...request, messages: [{ role: 'user', content: user?.content ?? '' }] }),
);
new AutoCompressionManager(anthropic, console, { config: settings, model: 'claude-haiku-4-5' });
new ContextView({ compression: { config: settings, llmClient: anthropic } });

const messages = [{ role: 'user', content: 'x' }];
void manager.process({ messages }, 200_000);
void manager.process(messages, { maxContextTokens: 200_000, model: 'gpt-5' });
export const outcome: CompressionOutcome | null = manager.outcomeOf(messages);
export const learnt: number | null = manager.noteOverflow(new Error('x'));
