// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { callsOf } = require('./chat.js');
const { CHAT_ROLES } = require('./form.js');

/** Words in the names of roles, types and fields that indicate calls or results. */
const CALL_WORDS = /call|tool|function|result|output|observation|action/i;
/** Maximum count of parts to scan. */
const MAX_PARTS = 32;

/**
 * True if a message of no supported dialect may hold calls or results; then nothing in its turn counts as an orphan. An application's own note, with an unknown
 * role and a text, holds none. Never throws.
 * @param {any} message
 * @param {import('./form.js').Form | null} form its detected form: null for a chat message, `other` for none that is known
 */
function mayHoldCalls(message, form) {
  if (form !== 'other') return form !== null;
  if (message === null || typeof message !== 'object') return false;
  try {
    const { role, content, parts } = message;
    const list = isList(content) ? content : isList(parts) ? parts : [content];
    const isChatRole = CHAT_ROLES.has(role);
    // Calls in the fields of Chat Completions are understood.
    if (isChatRole && callsOf(message) !== undefined) return false;
    return (!isChatRole && hasCallWords(message)) || list.slice(0, MAX_PARTS).some(hasCallWords);
  } catch {
    // A getter threw: the message's fields count as absent.
    return false;
  }
}

/** @param {any} value a message or a part of one */
function hasCallWords(value) {
  if (value === null || typeof value !== 'object') return false;
  const names = [value.role, value.type, value.kind, ...Object.keys(value)];
  return names.some((name) => typeof name === 'string' && CALL_WORDS.test(name));
}

module.exports = { mayHoldCalls };
