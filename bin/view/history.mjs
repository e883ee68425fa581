// @ts-check
/**
 * A session's compressions, and the conversation in which each can be opened.
 *
 * @typedef {{ id: string | null, kind: 'summary' | 'truncation', level: number | null, atMs: number | null, model: string | null, request: number | null,
 *   messagesBefore: number | null, messagesAfter: number | null, tokensBefore: number | null,
 *   tokensAfter: number | null, tokensSaved: number | null,
 *   originalCount: number | null, durationMs?: number | null }} Point
 * @typedef {{ points: Point[], messages: any[] }} History `messages` in the form that `<compression-history>` takes
 */

export {};
