// Reference for duplicates: keeps one result for each call, and one call per id in a message.

const ADDED_RESULT = /^Error: (?:此工具调用已中断|this tool call was interrupted)/;

const isId = (id) => typeof id === 'string' && id !== '';
const callsOf = (message) =>
  message?.role === 'assistant' && Array.isArray(message.tool_calls) ? message.tool_calls : [];

/** The turn number of each message. A turn is the assistant messages and the results directly after them; system messages don't end it. */
export function turnsOf(messages) {
  let turn = 0;
  let previousRole;
  return Array.from(messages, (message) => {
    const role = message?.role;
    if (role === 'system' || role === 'developer') return turn;
    // A message with an unknown role may be a result.
    const continuesTurn = role === 'tool' || role === 'Tool' || (role === 'assistant' && previousRole === 'assistant');
    if (!continuesTurn) turn++;
    previousRole = role;
    return turn;
  });
}

/** Modifies `messages` in place. `declaredBy` returns the index of the message with a result's call; `turns` are those of the original messages. */
export function dropDuplicates(messages, declaredBy, turns) {
  const answers = new Map();
  messages.forEach((message, index) => {
    const by = declaredBy(index);
    if (by === undefined) return;
    const key = `${by} ${message.tool_call_id}`;
    answers.set(key, [...(answers.get(key) ?? []), { index, by }]);
  });
  const removed = new Set();
  const keptNth = new Map();
  for (const [key, all] of answers) {
    const rank = ({ index, by }) =>
      (ADDED_RESULT.test(String(messages[index].content)) ? 0 : 2) + (index > by && turns[index] === turns[by] ? 1 : 0);
    let kept = 0;
    all.forEach((answer, nth) => {
      if (rank(answer) >= rank(all[kept])) kept = nth;
    });
    keptNth.set(key, kept);
    all.forEach(({ index }, nth) => {
      if (nth !== kept) removed.add(index);
    });
  }
  const kept = [];
  messages.forEach((message, index) => {
    if (!removed.has(index)) kept.push(withoutRepeated(message, index, answers, keptNth));
  });
  messages.length = 0;
  for (const message of kept) messages.push(message);
}

function withoutRepeated(message, index, answers, keptNth) {
  const calls = callsOf(message);
  const byId = new Map();
  calls.forEach((call, at) => {
    if (isId(call?.id)) byId.set(call.id, [...(byId.get(call.id) ?? []), at]);
  });
  const removed = new Set();
  for (const [id, places] of byId) {
    const key = `${index} ${id}`;
    const isEach = answers.get(key)?.length === places.length;
    const kept = isEach ? keptNth.get(key) : places.length - 1;
    places.forEach((at, nth) => {
      if (nth !== kept) removed.add(at);
    });
  }
  return removed.size === 0 ? message : { ...message, tool_calls: calls.filter((_, at) => !removed.has(at)) };
}
