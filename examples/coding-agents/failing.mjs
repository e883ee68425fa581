// @ts-check
/** An extension of pi's that is loaded ahead of ours: every third call of ours finds no system prompt, and fails. */
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
