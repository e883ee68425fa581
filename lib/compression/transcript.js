// @ts-check
'use strict';

const { isList } = require('../lists.js');
const {
  argumentsOf,
  callIdOf,
  calleeOf,
  callsOf,
  isMarkedFailed,
  legacyCallOf,
  nameOf,
  resultIdOf,
} = require('../messages/chat.js');
const { compressionOf, countIn, isPinnedCopy } = require('./record.js');

/** In the order of the core's `Role`. */
const ROLES = ['system', 'user', 'assistant', 'tool'];
/** Bits of a message's flags, as `src/compression/transcript.rs` reads them. */
const FAILED = 1;
const THINKING = 2;
const PINNED = 4;
const MADE = { summary: 8, truncation: 16, pinned: 24 };

/** Parts and fields that a provider wants back as they were. */
const THINKING_PARTS = new Set(['thinking', 'redacted_thinking', 'reasoning']);
const THINKING_FIELDS = [
  'thinking',
  'thinking_blocks',
  'redacted_thinking',
  'reasoning_content',
  'reasoningContent',
  'reasoning',
  'reasoning_details',
  'signature',
  'thoughtSignature',
  'thought_signature',
];

/**
 * A conversation in the form in which the core decides on it: all texts in one array, all numbers in another.
 * @typedef {{ texts: string[], numbers: Float64Array }} Transcript
 */

/**
 * What one message says, gathered from OpenAI's and Anthropic's form.
 * `beside`: units of text that is in no tool result.
 * @typedef {{
 *   texts: string[], calls: [string, string, string][], answers: string[], flags: number, beside: number,
 * }} Said
 */

/**
 * Reads the messages for the core. Never throws: what can't be read isn't there.
 * @param {readonly any[]} messages
 * @param {(index: number) => number} tokensOf
 * @param {((message: any) => unknown) | null} pin the host's own choice of what to keep
 * @returns {Transcript}
 */
function readTranscript(messages, tokensOf, pin) {
  const texts = [];
  const numbers = [];
  for (let index = 0; index < messages.length; index++) {
    const said = sayOf(messages[index], pin);
    numbers.push(
      roleOf(messages[index]),
      said.flags,
      levelOf(messages[index]),
      tokensOf(index),
      said.calls.length,
      said.answers.length,
      said.answers.length > 0 && messages[index]?.role === 'user' ? said.beside : 0,
    );
    // One by one: as arguments of one call, those of a message with 40,000 calls don't fit on the stack.
    texts.push(said.texts.join('\n'));
    for (const call of said.calls) for (const part of call) texts.push(part);
    for (const answer of said.answers) texts.push(answer);
  }
  return { texts, numbers: Float64Array.from(numbers) };
}

/** @param {any} message */
function roleOf(message) {
  try {
    const role = message.role === 'developer' ? 'system' : message.role;
    const code = ROLES.indexOf(role);
    return code === -1 ? ROLES.length : code;
  } catch {
    return ROLES.length;
  }
}

/** @param {any} message */
function levelOf(message) {
  return Math.floor(countIn(compressionOf(message), 'level', 0));
}

/**
 * @param {any} message
 * @param {((message: any) => unknown) | null} pin
 * @returns {Said}
 */
function sayOf(message, pin) {
  /** @type {Said} */
  const said = { texts: [], calls: [], answers: [], flags: 0, beside: 0 };
  try {
    readMessage(message, said);
    said.flags |= flagsOf(message);
    if (pin?.(message)) said.flags |= PINNED;
  } catch {
    // A getter, a proxy or the host's own `pin` throws.
  }
  return said;
}

/** @param {any} message */
function flagsOf(message) {
  let flags = isMarkedFailed(message) || message.is_error === true ? FAILED : 0;
  if (THINKING_FIELDS.some((field) => message[field] !== undefined && message[field] !== null)) flags |= THINKING;
  const record = compressionOf(message);
  if (record !== undefined) flags |= MADE[record.kind === 'truncation' ? 'truncation' : 'summary'];
  else if (isPinnedCopy(message)) flags |= MADE.pinned;
  return flags;
}

/** @param {any} message @param {Said} said */
function readMessage(message, said) {
  readContent(message.content, said);
  if (typeof message.refusal === 'string') said.texts.push(message.refusal);
  for (const call of callsOf(message) ?? [])
    if (call !== null && typeof call === 'object') said.calls.push(callOf(call));
  const legacy = legacyCallOf(message);
  if (legacy !== null && typeof legacy === 'object') said.calls.push(callOf(legacy));
  if (message.role !== 'tool') return;
  const id = resultIdOf(message);
  if (typeof id === 'string') said.answers.push(id);
  // The Electron agent's own form: results as JSON in `content`, and once more as objects. The content says it all.
}

/** @param {any} call @returns {[string, string, string]} */
function callOf(call) {
  const callee = calleeOf(call);
  return [text(callIdOf(call)), text(nameOf(callee)), argumentsOf(callee) ?? ''];
}

/** @param {unknown} content @param {Said} said */
function readContent(content, said) {
  if (typeof content === 'string') said.texts.push(content);
  else if (isList(content)) for (const part of content) readPart(part, said);
}

/** @param {any} part @param {Said} said */
function readPart(part, said) {
  if (typeof part === 'string') pushText(part, said);
  if (part === null || typeof part !== 'object') return;
  const { type } = part;
  if (THINKING_PARTS.has(type)) said.flags |= THINKING;
  else if (type === 'tool_use') said.calls.push([text(part.id), text(part.name), json(part.input)]);
  else if (type === 'tool_result') {
    if (typeof part.tool_use_id === 'string') said.answers.push(part.tool_use_id);
    if (part.is_error === true) said.flags |= FAILED;
    const { beside } = said;
    readContent(part.content, said);
    said.beside = beside;
  } else if (typeof part.text === 'string') pushText(part.text, said);
  else if (typeof type === 'string') said.texts.push(`[${type}]`);
}

/** @param {string} text @param {Said} said */
function pushText(text, said) {
  said.texts.push(text);
  said.beside += text.trim().length;
}

/** @param {unknown} value */
function text(value) {
  return typeof value === 'string' ? value : '';
}

/** @param {unknown} value */
function json(value) {
  return JSON.stringify(value) ?? '';
}

/** The ids of the calls that a message declares and answers. @param {any} message */
function pairingOf(message) {
  const { calls, answers } = sayOf(message, null);
  return { declares: calls.map(([id]) => id), answers };
}

module.exports = { THINKING_PARTS, pairingOf, readTranscript };
