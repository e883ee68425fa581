// @ts-check
/**
 * @typedef {{ id: string | null, kind: 'summary' | 'truncation', level: number | null, atMs: number | null, model: string | null, request: number | null,
 *   messagesBefore: number | null, messagesAfter: number | null, tokensBefore: number | null,
 *   tokensAfter: number | null, tokensSaved: number | null,
 *   originalCount: number | null, durationMs?: number | null }} Point
 * @typedef {{ points: Point[], messages: any[] }} History `messages`: for `<compression-history>`
 */

export {};
