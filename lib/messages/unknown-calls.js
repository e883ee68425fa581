// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { callsOf } = require('./chat.js');

/** Names by which messages of forms that nobody here knows may hold calls or results. */
const TELLING = /call|tool|function|result|output|observation|action/i;
const CHAT_ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);
/** So many parts are looked at. */
const MOST_PARTS = 32;

/**
 * Whether a message that can't be read may hold calls or results: then none of its turn is an orphan for want of them. A note of a
 * host's own, with a role that nobody knows and a text, holds none. Never throws.
 * @param {any} message
 * @param {import('./form.js').Form | null} form that it looks like
 */
function mayHoldCalls(message, form) {
  if (form !== 'other') return form !== null;
  if (message === null || typeof message !== 'object') return false;
  try {
    const { role, content, parts } = message;
    const list = isList(content) ? content : isList(parts) ? parts : [content];
    const isKnown = CHAT_ROLES.has(role);
    // A call of chat's own is read, whatever stands beside it.
    if (isKnown && callsOf(message) !== undefined) return false;
    return (!isKnown && tells(message)) || list.slice(0, MOST_PARTS).some(tells);
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
