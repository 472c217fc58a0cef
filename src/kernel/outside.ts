import type { FieldCode } from './fault.ts'

/** Bytes on their way into the store of files: written down, but not yet kept. */
export interface Draft {
  sha256: string
  size: number
  /** What they begin with, as many as are asked for. */
  head(bytes: number): Promise<Uint8Array>
  /** Resolves when they are safe, whatever happens to this process. */
  keep(): Promise<void>
  /** Must be called of every draft, kept or not. */
  discard(): Promise<void>
}

export interface Stored {
  sha256: string
  size: number
  /** When somebody last asked to keep them. */
  kept_at: Date
}

/** Where the bytes of attachments are. Equal bytes are kept once, under their SHA-256. */
export interface FileStore {
  /** In a word or two, for whoever runs the server. */
  readonly place: string
  draft(bytes: AsyncIterable<Uint8Array>): Promise<Draft>
  /** The bytes from `from` up to but not including `to`; nothing where they are gone. */
  read(sha256: string, from?: number, to?: number): Promise<Blob | ReadableStream | undefined>
  all(): AsyncIterable<Stored>
  /** Takes away what was last kept before that moment; true where it did. */
  remove(sha256: string, before: Date): Promise<boolean>
  /** Removes what crashes left half written; `isShared` where other machines write there as well. */
  removeStale(isShared: boolean): Promise<number>
  /** Refuses, in words for whoever runs the server, where nothing can be kept. */
  check(): Promise<void>
}

/** Why something could not be fetched, for whoever named its address. */
export class Unfetched extends Error {
  constructor(
    readonly code: FieldCode,
    message: string,
    readonly hint?: string,
    /** Of an answer that was a refusal. */
    readonly status?: number,
  ) {
    super(message)
  }
}

/** A server that keeps repositories, and how its addresses are made. */
export interface CodeHost {
  origin: string
  layout: 'github' | 'gitlab'
}

export interface Wanted {
  /** More than this is refused. */
  bytes: number
  /** Ends it, whatever it is waiting for. */
  signal: AbortSignal
}

/** A public address, read without letting its owner reach what only this machine can. */
export type Fetch = (url: string, wanted: Wanted) => AsyncIterable<Uint8Array>

export interface Posting {
  headers: Record<string, string>
  body: string
  /** Ends it, whatever it is waiting for. */
  signal: AbortSignal
}

/** Sends to addresses that others named, without letting them reach what only this machine can. */
export interface Post {
  /** Refuses what could never be sent to. */
  check(url: string): Promise<void>
  /** The status of the answer, whatever it is; a redirect is an answer. */
  send(url: string, posting: Posting): Promise<number>
}

/** Slow work on texts. The result depends on the name and the arguments alone. */
export interface TextTask {
  name: string
  args: readonly (string | undefined)[]
  /** The field that a fault names. */
  field: string
}

/** Does slow work on texts in threads of its own. */
export interface TextWork {
  /** The result, where it is known already. */
  known(task: TextTask): unknown
  /** Throws for a credential that used up its processor time. */
  checkBudget(credential: string): void
  /** Refuses what takes too long, and a credential that used up its processor time. */
  run(credential: string, task: TextTask): Promise<unknown>
}

/** What a passage is from. */
export type PassageKind = 'description' | 'comment' | 'page'

/** A piece of a text that answers a question. */
export interface Passage {
  kind: PassageKind
  /** Number of the task, the comment or the page. */
  id: number
  task_id: number
  project_id: number
  /** What stands above it: the title of the text, then its headings, the outermost first. */
  headings: string[]
  text: string
  score: number
}

export interface Question {
  text: string
  /** Boards to look on; what lies elsewhere has no part in the answer. */
  projects: readonly number[]
  kinds?: readonly PassageKind[]
  tasks?: readonly number[]
  authors?: readonly number[]
  since?: Date
  /** A task whose own texts are no answer. */
  beside?: number
  /** How many passages, at most 200. */
  limit: number
}

/** Finds passages by what they are about. It lags behind the database: whoever asks looks again. */
export interface Library {
  seek(question: Question): Promise<Passage[]>
  /** Some of what was written longer than a moment ago is not in it yet. */
  isBuilding(): boolean
}

/** One address that mail can go to, and nothing that a mail program reads as more than that. */
export const ADDRESS = '^[^\\s<>"(),:;@\\\\[\\]]+@[^\\s<>"(),:;@\\\\[\\]]+$'

/** What goes to one person by mail. Everything in it is data: whoever sends it, encodes it. */
export interface Letter {
  to: { name?: string; address: string }
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

/** Why a letter did not go out, for whoever waits for it. */
export class Unsent extends Error {
  constructor(
    message: string,
    /** Nobody is there under that address, so that trying again is of no use. */
    readonly isRefused = false,
  ) {
    super(message)
  }
}

export interface Mail {
  /** False where whoever runs the server named no mail server; then nothing can be sent. */
  readonly available: boolean
  /** What the mail server said when it took the letter. */
  send(letter: Letter): Promise<string>
  /** Refuses, in words for whoever runs the server, where nothing could be sent. */
  check(): Promise<void>
  close(): void
}
