/** R11.1: functions accept and return the SDKs' own types. */
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import type { Content } from '@google/genai';
import type { BaseMessage } from '@langchain/core/messages';
import type { AgentInputItem } from '@openai/agents';
import type { ModelMessage } from 'ai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import {
  ContextView,
  cleanOrphanedToolCalls,
  prepareMessages,
  simplifyOutdatedTerminalResults,
  simplifyToolResults,
  stripForApi,
} from 'palimpsest';
import { expectTrue, type Same } from '../expect.js';

declare const chat: ChatCompletionMessageParam[];
declare const anthropic: MessageParam[];
declare const aiSdk: ModelMessage[];
declare const responses: ResponseInputItem[];
declare const agents: AgentInputItem[];
declare const gemini: Content[];
declare const langchain: BaseMessage[];

const fromChat = prepareMessages(chat).messages;
expectTrue<Same<typeof fromChat, ChatCompletionMessageParam[]>>();
const fromAnthropic = prepareMessages(anthropic, { orphans: 'answer' }).messages;
expectTrue<Same<typeof fromAnthropic, MessageParam[]>>();
const fromAiSdk = prepareMessages(aiSdk, { orphans: 'remove' }).messages;
expectTrue<Same<typeof fromAiSdk, ModelMessage[]>>();
const fromResponses = prepareMessages(responses).messages;
expectTrue<Same<typeof fromResponses, ResponseInputItem[]>>();
const fromAgents = prepareMessages(agents).messages;
expectTrue<Same<typeof fromAgents, AgentInputItem[]>>();
const fromGemini = new ContextView().project(gemini).messages;
expectTrue<Same<typeof fromGemini, Content[]>>();
const fromLangchain = new ContextView({ orphans: 'answer' }).project(langchain).messages;
expectTrue<Same<typeof fromLangchain, BaseMessage[]>>();

cleanOrphanedToolCalls(anthropic);
cleanOrphanedToolCalls(responses);
simplifyOutdatedTerminalResults(gemini);
simplifyToolResults(langchain, []);
const sent = stripForApi(responses);
expectTrue<Same<typeof sent, ResponseInputItem[]>>();
const sentToGemini = stripForApi(gemini);
expectTrue<Same<typeof sentToGemini, Content[]>>();
// @ts-expect-error no such value
prepareMessages(aiSdk, { orphans: 'ask' });
