import type { FieldCode } from './fault.ts'

/** Bytes on their way into the file store: written, but not yet part of it. */
export interface FileDraft {
  sha256: string
  size: number
  /** The first bytes of the file. */
  head(bytes: number): Promise<Uint8Array>
  /** Resolves once the bytes survive a crash of this process. */
  save(): Promise<void>
  /** Must be called on every draft, saved or not. */
  discard(): Promise<void>
}

export interface StoredFile {
  sha256: string
  size: number
  /** When the file was last saved. */
  kept_at: Date
}

/** Stores the bytes of attachments. Equal bytes are stored once, under their SHA-256. */
export interface FileStore {
  /** Where the files are, in a word or two, for operators. */
  readonly location: string
  draft(bytes: AsyncIterable<Uint8Array>): Promise<FileDraft>
  /** The bytes from `from` up to but not including `to`; undefined if the file is gone. */
  read(sha256: string, from?: number, to?: number): Promise<Blob | ReadableStream | undefined>
  list(): AsyncIterable<StoredFile>
  /** Deletes the file if it was last saved before that moment; returns whether it did. */
  remove(sha256: string, before: Date): Promise<boolean>
  /** Removes files that crashes left half written; `isShared` if other machines write there too. */
  removeStale(isShared: boolean): Promise<number>
  /** Throws an error with words for operators if nothing can be stored. */
  check(): Promise<void>
}

/** Why an address could not be fetched, in words for the person who entered it. */
export class FetchError extends Error {
  constructor(
    readonly code: FieldCode,
    message: string,
    readonly hint?: string,
    /** The HTTP status, if the server answered with an error. */
    readonly status?: number,
  ) {
    super(message)
  }
}

/** A server that hosts repositories, and the layout of its URLs. */
export interface CodeHost {
  origin: string
  layout: 'github' | 'gitlab'
}

export interface FetchLimits {
  /** Larger responses are rejected. */
  bytes: number
  /** Aborts the request at any stage. */
  signal: AbortSignal
  /** False refuses redirects, for addresses that identify who they belong to. */
  redirects?: false
  /** Called with the headers of the response, before its body. */
  onHeaders?(headers: Readonly<Record<string, string | string[] | undefined>>): void
}

/** Reads a public address. The address cannot make this machine call its private network. */
export type Fetch = (url: string, limits: FetchLimits) => AsyncIterable<Uint8Array>

export interface PostRequest {
  headers: Record<string, string>
  body: string | Uint8Array
  /** Aborts the request at any stage. */
  signal: AbortSignal
}

export interface PostResponse {
  status: number
  /** The beginning of the body. It can be incomplete. */
  text: string
  /** The header Retry-After. */
  retryAfter: string | undefined
}

/**
 * Posts to addresses that users entered. They cannot make this machine call its private network.
 */
export interface Post {
  /** Throws for an address that can never be posted to. */
  check(url: string): Promise<void>
  /** Resolves with the HTTP status, whatever it is. Redirects are not followed. */
  send(url: string, request: PostRequest): Promise<number>
  /** As `send`, for protocols that explain errors in the response. */
  exchange(url: string, request: PostRequest): Promise<PostResponse>
}

/** A request to the API of another server, whose address a user entered. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Record<string, string>
  body?: string
  /** Larger responses are rejected. */
  bytes: number
  /** Aborts the request at any stage. */
  signal: AbortSignal
}

export interface ApiResponse {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

/**
 * Calls an API and resolves with its response, whatever its status. The address cannot make this
 * machine call its private network. Redirects are not followed.
 */
export type CallApi = (url: string, request: ApiRequest) => Promise<ApiResponse>

/** Slow work on texts. The result depends only on the name and the arguments. */
export interface TextTask {
  name: string
  args: readonly (string | undefined)[]
  /** The field that errors name. */
  field: string
}

/** Runs text tasks in worker threads. */
export interface TextTasks {
  /** The result, if it is cached. */
  cachedResult(task: TextTask): unknown
  /** Throws if the credential used up its processor time. */
  checkBudget(credential: string): void
  /** Throws if the task takes too long, or if the credential used up its processor time. */
  run(credential: string, task: TextTask): Promise<unknown>
}

/** The kind of text that a passage is part of. */
export type PassageKind = 'description' | 'comment' | 'page' | 'file'

/** A piece of a text that may answer a question. */
export interface Passage {
  kind: PassageKind
  /** Id of the task, the comment, the page or the attachment. */
  id: number
  task_id: number
  project_id: number
  /** The title of the text, then the headings above the passage, the outermost first. */
  headings: string[]
  text: string
  score: number
}

export interface PassageQuery {
  text: string
  /** Boards to search; passages of other boards are never part of the result. */
  projects: readonly number[]
  kinds?: readonly PassageKind[]
  tasks?: readonly number[]
  authors?: readonly number[]
  since?: Date
  /** A task whose own texts are excluded. */
  beside?: number
  /** Words that the passages must not contain. */
  without?: readonly string[]
  /** The text is from a search box: words may have typos, and the last one may be incomplete. */
  isTyped?: boolean
  /** Scores say how similar a passage is to the text, from 0 to 1; the order does not change. */
  isComparable?: boolean
  /** Drops less similar passages. Such a question is answered with the least work. */
  minScore?: number
  /** At most 200. */
  limit: number
}

/** Text that is being typed, to find the titles of tasks and pages. */
export interface TitleQuery {
  text: string
  /** Titles on other boards never influence the result. */
  projects: readonly number[]
  kinds: readonly TitleRef['kind'][]
  /** The number of titles of each kind; at most 200. */
  limit: number
}

export interface TitleRef {
  kind: 'task' | 'page'
  id: number
}

/** Tasks of a board that may be duplicates of each other. */
export interface DuplicateQuery {
  project_id: number
  tasks: readonly number[]
  minScore: number
}

/** Two tasks with similar titles and descriptions; the score is from 0 to 1. */
export interface SimilarPair {
  task_id: number
  similar_id: number
  score: number
}

/**
 * Finds passages by meaning. It lags behind the database, so callers must check what it returns.
 */
export interface SearchIndex {
  search(query: PassageQuery): Promise<Passage[]>
  /** Finds titles, best first. */
  find(query: TitleQuery): Promise<TitleRef[]>
  /** Best first. */
  duplicates(query: DuplicateQuery): Promise<SimilarPair[]>
  /** Whether the index is still behind by more than the usual moment. */
  isBuilding(): boolean
}

/** A single email address, without anything that a mail program could read as more than one. */
export const EMAIL_ADDRESS_PATTERN = '^[^\\s<>"(),:;@\\\\[\\]]+@[^\\s<>"(),:;@\\\\[\\]]+$'

/** An email to one person. Its fields are plain data; the transport encodes them. */
export interface EmailMessage {
  to: { name?: string; address: string }
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

/** Why an email was not sent, in words for the person who waits for it. */
export class MailError extends Error {
  constructor(
    message: string,
    /** The recipient was rejected, so a retry is of no use. */
    readonly isPermanent = false,
  ) {
    super(message)
  }
}

export interface MailTransport {
  /** False if the operator configured no mail server; then nothing can be sent. */
  readonly available: boolean
  /** Resolves with the response of the mail server that accepted the email. */
  send(email: EmailMessage): Promise<string>
  /** Throws an error with words for operators if nothing could be sent. */
  check(): Promise<void>
  close(): void
}

/** A short message to the open streams of a board. It is never stored. */
export interface Signal {
  type: string
  project_id: number
  data: Record<string, unknown>
}

/** Delivers signals to all servers of a database. */
export interface Signals {
  /** With `retain`, the last signal of that key is remembered for a while. */
  publish(signal: Signal, retain?: { key: string; ms: number }): void
  /** The remembered signals of a board. */
  retained(project_id: number): Signal[]
  subscribe(listener: (signal: Signal) => void): () => void
}
