// @ts-check
/** The APIs that the mock provider supports. */
import * as anthropicMessages from './wire/anthropic-messages.mjs';
import * as gemini from './wire/gemini.mjs';
import * as openaiChat from './wire/openai-chat.mjs';
import * as openaiResponses from './wire/openai-responses.mjs';

/** @type {readonly import('./provider.mjs').Wire[]} */
export const WIRES = [openaiChat, openaiResponses, anthropicMessages, gemini];
