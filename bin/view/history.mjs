// @ts-check
/**
 * A session's compressions, and the conversation in which each can be opened.
 *
 * @typedef {{ id: string, kind: 'summary' | 'truncation', level: number, atMs: number | null, model: string | null, request: number | null,
 *   messagesBefore: number | null, messagesAfter: number | null, tokensBefore: number | null,
 *   tokensAfter: number | null, tokensSaved: number | null,
 *   originalCount: number }} Point
 * @typedef {{ points: Point[], messages: any[] }} History `messages` in the form that `<compression-history>` takes
 */

export {};
