// @ts-check
'use strict';

/** Converts messages into the flat columns of texts and numbers that the core reads before it compresses. */

const { layouts, lengthOf } = require('../layouts.js');
const { readContents, readContent } = require('../messages/message-content.js');
const native = require('../native.js');
const { ignoreRejection } = require('../callbacks.js');
const { safely } = require('../plain-data.js');
const { compressionOf, countIn, isPinnedCopy, recordIdsIn } = require('./record.js');

const { System, User, Assistant, Tool, Other } = native.SaidRole;
/** @type {Readonly<Record<string, number>>} */
const ROLES = { system: System, user: User, assistant: Assistant, tool: Tool };
const { Failed, Thinking, Pinned, Summary, Truncation, PinnedCopy, Joined, Compaction, Sealed } = native.SaidFlag;
const MESSAGE = layouts.saidMessage;
const MESSAGE_NUMBERS = lengthOf(MESSAGE);

/** @typedef {((message: any) => unknown) | null} Pin the application's choice of what to keep */
/** @typedef {import('../messages/choice.js').Forced} Forced */
/** @typedef {InstanceType<typeof import('../messages/message-content.js').MessageContent>} MessageContent */

/** An unreadable field counts as missing. @param {readonly any[]} messages @param {(index: number) => number} tokensOf @param {Pin} pin @param {Forced} [forced] */
function columnsOf(messages, tokensOf, pin, forced) {
  /** @type {string[]} */ const texts = [];
  const numbers = new Float64Array(messages.length * MESSAGE_NUMBERS);
  const ids = recordIdsIn(messages);
  readContents(messages, forced).forEach((content, index) => {
    const { role, calls, answers } = content;
    const offset = index * MESSAGE_NUMBERS;
    numbers[offset + MESSAGE.role] = ROLES[role] ?? Other;
    numbers[offset + MESSAGE.flags] = flagsOf(content, messages[index], pin, ids);
    numbers[offset + MESSAGE.level] = Math.floor(countIn(compressionOf(messages[index]), 'level', 0));
    numbers[offset + MESSAGE.tokens] = tokensOf(index);
    numbers[offset + MESSAGE.calls] = calls.length;
    numbers[offset + MESSAGE.answers] = answers.length;
    numbers[offset + MESSAGE.unitsBesideResults] =
      answers.length > 0 && role === 'user' ? content.unitsOutsideResults : 0;
    // Pushed one by one: 40,000 calls of one message would overflow the stack as arguments.
    texts.push(content.texts.join('\n'));
    for (const call of calls) for (const part of call) texts.push(part);
    for (const answer of answers) texts.push(answer);
  });
  return { texts, numbers };
}

/** @param {MessageContent} content @param {any} message @param {Pin} pin @param {ReadonlySet<unknown>} ids of records */
function flagsOf({ isFailed, hasThinking, needsPrevious, isCompaction, isSealed }, message, pin, ids) {
  let flags = (isFailed ? Failed : 0) | (hasThinking ? Thinking : 0) | (needsPrevious ? Joined : 0);
  flags |= (isCompaction ? Compaction : 0) | (isSealed ? Sealed : 0);
  const record = compressionOf(message);
  if (record !== undefined) flags |= record.kind === 'truncation' ? Truncation : Summary;
  else if (isPinnedCopy(message, ids)) flags |= PinnedCopy;
  // The application's `pin` may throw. A promise counts as false, because nothing awaits it here.
  const isPinned = safely(() => pin?.(message));
  if (isPinned && safely(() => ignoreRejection(isPinned)) === false) flags |= Pinned;
  return flags;
}

/** @param {readonly any[]} messages @param {Forced} [forced] */
const pairingsOf = (messages, forced) =>
  readContents(messages, forced).map(({ calls, answers }) => ({ declares: calls.map(([id]) => id), answers }));
/** @param {any} message @param {Forced} [forced] */
const textOf = (message, forced) => readContent(message, forced).texts.join('\n');

module.exports = { columnsOf, pairingsOf, textOf };
