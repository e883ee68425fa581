// @ts-check
'use strict';

const { checkOptions } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { reportSince } = require('../view/usage.js');
const { Conversations } = require('./conversations.js');

/** By it `createAgent` knows what `createMiddleware` has made. The symbol is shared, so that LangChain need not be loaded. */
const BRAND = Symbol.for('AgentMiddleware');

/**
 * A middleware whose model sees each conversation as a view of it sends it; the agent's state keeps everything.
 * @param {unknown} [options] those of `ContextViews`
 */
function contextMiddleware(options) {
  const conversations = new Conversations(checkOptions(options, OPTIONS.adapter));
  return { [BRAND]: true, name: 'palimpsest', ...conversations.open, wrapModelCall };

  /**
   * @param {any} call
   * @param {(call: any) => any} handler
   */
  async function wrapModelCall(call, handler) {
    const { systemMessage, messages, runtime } = call;
    // LangChain keeps the system prompt beside the messages and sends it in front of them, unless it is empty.
    const system = systemMessage?.text ? [systemMessage] : [];
    const request = await conversations.prepare([...system, ...messages], { signal: runtime?.signal, request: call });
    const answer = await handler({ ...call, messages: request.messages.slice(system.length) });
    request.observe(reportSince(answersIn(answer), 0));
    return answer;
  }
}

/** What the model has answered: a message, or with structured output those that go into the state. @param {any} answer */
function answersIn(answer) {
  return Array.isArray(answer?.messages) ? answer.messages : [answer];
}

module.exports = { contextMiddleware };
