// @ts-check
/** The APIs that the provider speaks. */
import * as openaiChat from './wire/openai-chat.mjs';

/** @type {readonly import('./provider.mjs').Wire[]} */
export const WIRES = [openaiChat];
