// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { callsOf } = require('./chat.js');

/** Names that indicate calls or results in messages of unknown forms. */
const TELLING = /call|tool|function|result|output|observation|action/i;
const CHAT_ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);
/** Maximum count of parts to scan. */
const MAX_PARTS = 32;

/**
 * True if an unreadable message may hold calls or results; then nothing in its turn counts as an orphan. An application's own note, with an unknown
 * role and a text, holds none. Never throws.
 * @param {any} message
 * @param {import('./form.js').Form | null} form its detected form
 */
function mayHoldCalls(message, form) {
  if (form !== 'other') return form !== null;
  if (message === null || typeof message !== 'object') return false;
  try {
    const { role, content, parts } = message;
    const list = isList(content) ? content : isList(parts) ? parts : [content];
    const isKnown = CHAT_ROLES.has(role);
    // Chat's own calls are read, whatever else the message has.
    if (isKnown && callsOf(message) !== undefined) return false;
    return (!isKnown && tells(message)) || list.slice(0, MAX_PARTS).some(tells);
  } catch {
    return false;
  }
}

/** @param {any} held a message or a part of one */
function tells(held) {
  if (held === null || typeof held !== 'object') return false;
  const names = [held.role, held.type, held.kind, ...Object.keys(held)];
  return names.some((name) => typeof name === 'string' && TELLING.test(name));
}

module.exports = { mayHoldCalls };
