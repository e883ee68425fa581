/**
 * `palimpsest/elements`: importing it defines the custom elements. They run in browsers (Chromium 123, Firefox 120, Safari 17.5
 * or newer), ask for no network and no framework, and work under `default-src 'none'; script-src 'self'; style-src 'self'`. Imported
 * where there is no DOM, such as on a server, it defines nothing and does no harm.
 *
 * All of them take the attributes `lang` (`zh…`, else English; without it that of the nearest ancestor) and `theme` (`light`, `dark`,
 * `auto`; without it the page's `color-scheme` holds). Whatever they show is text: never markup, never a link.
 */

import type { PictureMessage, SessionPicture } from './picture.js';

export type * from './picture.js';

/** `auto` is what the system prefers; without the attribute the page's `color-scheme` holds. */
export type ElementTheme = 'light' | 'dark' | 'auto';

/** What all elements have. */
export interface PalimpsestElement extends HTMLElement {
  /** Resolves when what was changed before can be seen. */
  readonly updateComplete: Promise<void>;
}

/** Detail of `point-expand` and `point-collapse`; null where the record doesn't say. */
export interface PointEvent {
  id: string | null;
  kind: 'summary' | 'truncation';
  level: number | null;
  /** How many messages it stands for. */
  originalCount: number | null;
}

/** Detail of `message-activate`: Enter or a double click on a message. */
export interface MessageActivateEvent<Message = unknown> {
  message: Message;
  /** Its place among the messages that it stands with, which are the conversation's own at depth 0. */
  index: number;
  /** How many compressions it is behind. */
  depth: number;
}

/** Detail of `history-error`: the archive has failed. */
export interface HistoryErrorEvent {
  error: unknown;
  sessionId: string;
  /** Of the batch. */
  id: string;
}

/** Where archived originals come from; a `SessionArchive` is one, and so is what a preload script makes of it. */
export interface HistorySource {
  get(sessionId: string, id: string): readonly unknown[] | Promise<readonly unknown[]>;
}

/**
 * `<compression-history>`: a conversation with its compressions and cuts marked; each opens and shows every message that it stands
 * for, level within level. Rows that are out of sight are not in the document, so its length doesn't matter.
 *
 * Attribute `session-id`. Events: `point-expand`, `point-collapse` ({@link PointEvent}), `message-activate` ({@link MessageActivateEvent}), `message-copy`
 * (`{text}`; `preventDefault` leaves the copying to the host), `expand-all`, `collapse-all`, `history-error` ({@link HistoryErrorEvent}).
 *
 * Parts: `toolbar`, `counts`, `search-field`, `search-result`, `expand-all`, `collapse-all`, `scroller`, `message`,
 * `message-user` (`-assistant`, `-tool`, `-system`), `role`, `text`, `call`, `call-name`, `point`, `point-summary`, `point-truncation`, `point-title`,
 * `time`, `figures`, `disclosure`, `end`, `state`, `match`, `actions`. It is as high as its content, at most
 * `--palimpsest-history-height` (80vh).
 */
export declare class CompressionHistory<Message = any> extends HTMLElement implements PalimpsestElement {
  readonly updateComplete: Promise<void>;
  /**
   * The conversation, in any dialect that the package compresses. It is only read. Setting an array that has grown keeps everything
   * where it is, and follows a reader who is at its end.
   */
  messages: readonly Message[];
  /** Where originals in an archive are read from. Only sessions that `sessionId` names are. */
  source: HistorySource | undefined;
  /** The session, or the sessions, that may be read: what a record names could be anybody's. */
  sessionId: string | readonly string[] | undefined;
  /** What the array holds has changed in place. */
  refresh(): void;
  /** Opens every compression; resolves when those in an archive are there too, or have failed. */
  expandAll(): Promise<void>;
  collapseAll(): void;
  /** Marks what matches, whatever the case, in all messages, folded ones too. @returns how many matches there are, at most 10,000 */
  search(query: string): Promise<number>;
}

/** A `ContextLengthExceededError`, its JSON, or the data of the event that a host makes of it. */
export interface ContextLimit {
  message?: string;
  suggestion?: string;
  requestedTokens?: number | null;
  maxTokens?: number | null;
  provider?: string;
  details?: { requested?: number | null; max?: number | null };
}

/**
 * `<context-limit-dialog>`: the conversation is too long for the model, by how much, and the two ways on. Modal: the rest of the page is out
 * of reach, Escape closes it, and the focus goes back to where it was.
 *
 * Attributes: `open`, `busy`, `no-compress` (no such button), `message`, `suggestion`. Events: `new-session` and `compress-now`, with the error as detail, close the dialog
 * unless a listener calls `preventDefault`; `dialog-close`. Parts: `dialog`, `title`, `message`, `suggestion`, `figures`, `buttons`, `compress`,
 * `new-session`.
 */
export declare class ContextLimitDialog extends HTMLElement implements PalimpsestElement {
  readonly updateComplete: Promise<void>;
  /** What it says. Setting it doesn't open the dialog. */
  error: ContextLimit;
  open: boolean;
  /** While the host compresses nothing can be chosen. */
  busy: boolean;
  /** Opens it. */
  show(error?: ContextLimit): void;
  close(): void;
}

/** An event of `runWithProgress`, or the like of it; `progress` in percent, null where nobody knows. */
export interface ToolProgressEvent {
  tool?: string;
  stage?: string;
  message?: string;
  progress?: number | null;
}

/**
 * `<tool-progress>`: how far a tool is, what it is doing and for how long. Attributes: `value` (percent), `message`, `label`. Without a value the
 * bar says that nobody knows. Parts: `track`, `bar`, `message`, `elapsed`.
 */
export declare class ToolProgress extends HTMLElement implements PalimpsestElement {
  readonly updateComplete: Promise<void>;
  /** The newest event; fields that it leaves out stay as they were. Its stage `complete` stops the clock. */
  event: ToolProgressEvent;
  /** When the work began, ms since 1970; of itself the time of the first event. */
  startedAt: number | undefined;
}

/** What `<context-map>` shows of a message that is opened: a message of the page's server, a text, or an object of any dialect. */
export interface LoadedMessage {
  stored: PictureMessage | string | object;
  /** What is sent in its place; left out, the cell's placeholder. */
  sent?: PictureMessage | string | object | null;
}

interface PictureElement extends PalimpsestElement {
  /** What is shown. What isn't a picture is refused in words, in the element. */
  picture: SessionPicture | null | undefined;
  /** A place in `picture.threads`; 0 of itself. */
  thread: number;
  /** A place in the thread's requests; -1 where there are none. Until it is set, and at the latest, it follows a session that grows. */
  get request(): number;
  set request(place: number | null);
}

/** The user has moved to another request or thread; the pages that show a map beside a chart set it there, too. */
export type RequestChangeEvent = CustomEvent<{ thread: number; request: number }>;

/** A cell was opened. `preventDefault` keeps the element's own panel closed. */
export type CellActivateEvent = CustomEvent<{ message: number; part: number | null; thread: number; request: number }>;

/**
 * `<context-map>`: what one request sends, a cell for each message, in order and as large as its tokens. Attributes: `context-window`,
 * `sizes`, `theme`, `lang`. Events: `request-change`, `cell-activate`. Parts: `base`, `slider`, `summary`, `map`, `reading`, `legend`,
 * `detail`, `detail-title`, `close`, `text`, `problem`.
 */
export declare class ContextMap extends HTMLElement implements PictureElement {
  readonly updateComplete: Promise<void>;
  picture: SessionPicture | null | undefined;
  thread: number;
  get request(): number;
  set request(place: number | null);
  /** Tokens of the model's window, where they are known; the map shows where it ends. */
  contextWindow: number | null;
  /** Cells as large as what is sent (of itself), or as what is stored: then what replacing saves can be seen. */
  sizes: 'sent' | 'stored';
  /** What was really sent (the default), or what `ContextView` sends; of a live view nothing else is known. */
  shows: 'sent' | 'view';
  /** Opens a cell of the request that is shown; `cell` is a place among its thread's cells. */
  openCell(cell: number): void;
  /**
   * Gets what a cell is about when it is opened: a message, or, where `part` isn't null, what its message has from that part on.
   * Without it the panel says that the messages aren't here.
   */
  load: ((message: number, part: number | null) => LoadedMessage | Promise<LoadedMessage>) | null;
}

/**
 * `<context-chart>`: tokens of each request by kind, where the cache was lost, and what each policy costs. Attributes: `prices`, `costs`,
 * `theme`, `lang`. Event: `request-change`. Parts: `base`, `tokens`, `slider`, `reading`, `legend`, `marks`, `costs`, `policies`,
 * `table-toggle`, `table`, `problem`.
 */
export declare class ContextChart extends HTMLElement implements PictureElement {
  readonly updateComplete: Promise<void>;
  picture: SessionPicture | null | undefined;
  thread: number;
  get request(): number;
  set request(place: number | null);
  /** The list of prices that is chosen, by its name in the picture; the first of itself. */
  get prices(): string | null;
  set prices(name: string | null | undefined);
  /** Costs of each request (of itself), or summed up. */
  costs: 'each' | 'summed';
}

/** The elements by name. */
export interface PalimpsestElements {
  'compression-history': CompressionHistory;
  'context-chart': ContextChart;
  'context-limit-dialog': ContextLimitDialog;
  'context-map': ContextMap;
  'tool-progress': ToolProgress;
}

/**
 * The elements in JSX. With React 19:
 *
 *     declare module 'react' {
 *       namespace JSX { interface IntrinsicElements extends PalimpsestJsx {} }
 *     }
 */
export type PalimpsestJsx = {
  [Name in keyof PalimpsestElements]: Partial<Omit<PalimpsestElements[Name], keyof HTMLElement>> & {
    [attribute: string]: any;
  };
};

declare global {
  interface HTMLElementTagNameMap extends PalimpsestElements {}
}
