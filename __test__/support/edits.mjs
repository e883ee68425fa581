// @ts-check
/** Changes that applications make to their stored messages between two requests. */
import fc from 'fast-check';
import { content } from './contents.mjs';
import { MINUTE, Recorder, round } from './histories.mjs';

const { constant, constantFrom, oneof, record } = fc;
const place = fc.nat({ max: 999 });

const call = record({
  id: constantFrom('call_0', 'c_0', 'c_1', 'c_2', 'c_3', 'new'),
  function: constantFrom(
    { name: 'Bash', arguments: '{}' },
    { name: 'filesystem-read', arguments: '{"filePath":"src/a.ts"}' },
    { name: 'ace-text_search' },
    undefined,
  ),
});

const append = record({ kind: constant('append'), round });

/** Edits of the array that don't modify message objects. */
const immutableEdit = oneof(
  { weight: 16, arbitrary: append },
  { weight: 4, arbitrary: record({ kind: constantFrom('remove', 'clone', 'repeat', 'swap'), place }) },
  { weight: 1, arbitrary: record({ kind: constant('truncate'), place }) },
  { weight: 1, arbitrary: record({ kind: constant('insert'), place, round }) },
  { weight: 1, arbitrary: record({ kind: constant('switch') }) },
);

const inPlaceEdit = oneof(
  record({ kind: constantFrom('extra', 'renameTool', 'dropCalls', 'reArgue'), place }),
  record({ kind: constant('setContent'), place, content }),
  record({ kind: constant('setStatus'), place, status: constantFrom('error', undefined, 'success') }),
  record({ kind: constant('setTimestamp'), place, minutes: fc.integer({ min: -30, max: 30 }) }),
  record({ kind: constant('setCallId'), place, id: constantFrom('c_0', 'c_1', 'call_0', undefined) }),
  record({ kind: constant('pushCall'), place, call }),
  record({ kind: constant('spoilCopy'), place, content }),
);

const minutesLater = oneof(
  { weight: 5, arbitrary: constantFrom(0, 1, 15, 16) },
  { weight: 1, arbitrary: fc.integer({ min: -60, max: 90 }) },
);

/** @param {fc.Arbitrary<any>} edit */
const turnsOf = (edit) =>
  fc.array(record({ edits: fc.array(edit, { maxLength: 5, size: 'max' }), minutesLater, option: fc.nat({ max: 7 }) }), {
    minLength: 2,
    maxLength: 14,
    size: 'max',
  });

/** Turns of an application that may make any change. */
export const turns = turnsOf(oneof({ weight: 3, arbitrary: immutableEdit }, { weight: 2, arbitrary: inPlaceEdit }));

/** Two conversations of one application: the second started as a branch of the first and shares message objects with it. */
export class Application {
  #system = { role: 'system', content: 'You are an agent.' };
  #branches = [
    { stored: [this.#system], recorder: new Recorder('c') },
    { stored: [this.#system], recorder: new Recorder('d') },
  ];
  #current = 0;
  /** @type {any[]} copies returned in the latest turn */
  copies = [];

  get stored() {
    return this.#branches[this.#current].stored;
  }

  set stored(messages) {
    this.#branches[this.#current].stored = messages;
  }

  get now() {
    return this.#branches[this.#current].recorder.now;
  }

  /** Remembers the returned messages, so that a later edit can modify them. @param {readonly any[]} messages */
  received(messages) {
    const originals = new Set(this.stored);
    this.copies = messages.filter((message) => message && typeof message === 'object' && !originals.has(message));
  }

  /** @param {any} edit */
  apply(edit) {
    const { recorder } = this.#branches[this.#current];
    if (edit.kind === 'switch') this.#switch();
    else if (edit.kind === 'append') this.stored.push(...recorder.record(edit.round));
    else if (this.stored.length > 0) this.#change(edit, edit.place % this.stored.length, recorder);
  }

  #switch() {
    const from = this.#branches[this.#current];
    this.#current = 1 - this.#current;
    const to = this.#branches[this.#current];
    if (to.stored.length === 1) to.stored.push(...from.stored.slice(1));
  }

  #change(edit, index, recorder) {
    const { stored } = this;
    if (edit.kind === 'truncate') this.stored = stored.slice(0, index);
    else if (edit.kind === 'remove') stored.splice(index, 1);
    else if (edit.kind === 'repeat') stored.push(stored[index]);
    else if (edit.kind === 'insert') stored.splice(index, 0, ...recorder.record(edit.round));
    else if (edit.kind === 'clone') stored[index] = structuredClone(stored[index]);
    else if (edit.kind === 'swap') [stored[0], stored[index]] = [stored[index], stored[0]];
    else if (edit.kind === 'spoilCopy') this.#spoil(edit);
    else if (stored[index] && typeof stored[index] === 'object') write(stored[index], edit);
  }

  #spoil(edit) {
    const copy = this.copies[edit.place % this.copies.length];
    if (copy) Object.assign(copy, { content: edit.content, messageStatus: 'error', spoilt: true });
  }
}

/** Modifies a stored message in place, like applications that show progress or correct a result. */
function write(message, edit) {
  if (edit.kind === 'extra') message.editorContext = { file: `f${edit.place}` };
  else if (edit.kind === 'setContent') message.content = structuredClone(edit.content);
  else if (edit.kind === 'setStatus') message.messageStatus = edit.status;
  else if (edit.kind === 'setTimestamp') message.timestamp = (message.timestamp ?? 0) + edit.minutes * MINUTE;
  else if (edit.kind === 'setCallId' && message.role === 'tool') message.tool_call_id = edit.id;
  else if (Array.isArray(message.tool_calls)) writeCalls(message, edit);
}

function writeCalls(message, edit) {
  const first = message.tool_calls.find((entry) => entry?.function);
  if (edit.kind === 'pushCall') message.tool_calls.push(structuredClone(edit.call));
  else if (edit.kind === 'dropCalls') delete message.tool_calls;
  else if (first && edit.kind === 'renameTool') first.function.name = edit.place % 2 ? 'filesystem-read' : 'Bash';
  else if (first && edit.kind === 'reArgue') first.function.arguments = `{"filePath":"src/${edit.place % 3}.ts"}`;
}
