// @ts-check
/** A pi extension that is loaded before ours. In every third call of ours the system prompt is missing, so ours fails. */
let calls = Number(process.env.REQUESTS ?? 0);

/** @param {{ on(event: 'context', handler: (event: object, context: { getSystemPrompt(): string }) => void): void }} pi */
export default (pi) => {
  pi.on('context', (_, context) => {
    if (++calls % 3 > 0) return;
    context.getSystemPrompt = () => {
      throw new Error('every third call fails');
    };
  });
};
