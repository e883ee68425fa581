// @ts-check
'use strict';

const { reportsIn } = require('../messages/message-fields.js');

/** Fields in which applications store the model name of a provider's response. */
const FIELDS = ['model', 'modelId', 'model_name', 'modelVersion'];
/** Number of newest messages to search: an application that stores names has an assistant message among them. */
const MAX_SEARCHED = 64;

/** The model named by the newest assistant message. @param {readonly any[]} messages @returns {string | undefined} */
function modelNamedIn(messages) {
  const last = messages.length - 1;
  for (let index = last; index >= 0 && index > last - MAX_SEARCHED; index--) {
    const name = nameOn(messages[index]);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** @param {any} message @returns {string | undefined} */
function nameOn(message) {
  try {
    if (message?.role === 'user' || message?.role === 'tool' || message?.role === 'system') return undefined;
    const holders = [message, ...reportsIn(message)];
    const names = holders.flatMap((fields) => FIELDS.map((field) => fields?.[field]));
    return names.find((name) => typeof name === 'string' && name !== '');
  } catch {
    return undefined;
  }
}

module.exports = { modelNamedIn };
