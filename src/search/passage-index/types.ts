import type { Format } from '../../content/index.ts'
import type { PassageKind, SearchIndex } from '../../kernel/services.ts'

/** A text to index: a description, a comment, a page or an attached file. */
export interface SearchableText {
  kind: PassageKind
  /** Id of the task, the comment, the page or the attachment. */
  id: number
  task_id: number
  project_id: number
  author_id: number
  written_at: Date
  title: string
  /** Undefined for a file: the index keeps the text that it has, or the text is read later. */
  text: string | undefined
  format: Format
}

/** How much of the change log is indexed. `mark` is opaque to the index. */
export interface LogPosition {
  seq: number
  mark: string
}

/** An update of the index, applied completely or not at all. Known texts are replaced. */
export interface IndexUpdate {
  put: readonly SearchableText[]
  /** Texts to remove. A text that is also in `put` stays. */
  deleted: readonly { kind: PassageKind; id: number }[]
  /** The position the update continues from. It is refused if the index is at another one. */
  from: LogPosition | undefined
  /** The position after the update; undefined leaves it unchanged. */
  position: LogPosition | undefined
  /** Part of a scan of all texts: more of them follow at once. */
  isScan?: boolean
}

/** What searching takes. */
export interface SearchLoad {
  /** Boards in memory, and the bytes they take. */
  loaded: number
  loaded_bytes: number
  /** Number of answered questions, and their total time. */
  asked: number
  seconds: number
}

export interface IndexState extends SearchLoad {
  passages: number
  sources: number
  /** Boards that have texts. */
  boards: number
  /** Size of the file; 0 without one. */
  bytes: number
  /** Passages without a vector; only if an embeddings endpoint is configured. */
  lacking?: number
  place: LogPosition | undefined
}

/** A board that changed in the file, and the numbers of its changed texts. */
export interface BoardChange {
  project: number
  sources: readonly number[]
}

/** The index of the passages of all texts. */
export interface PassageIndex extends Pick<SearchIndex, 'search' | 'find' | 'duplicates'> {
  /** Undefined if the index is empty, or was damaged and cleared. */
  position(): Promise<LogPosition | undefined>
  /** A refused update changes nothing. */
  apply(update: IndexUpdate): Promise<void>
  clear(): Promise<void>
  /** Ids of files whose text was not read yet, in order. */
  unreadFiles(): Promise<number[]>
  /** Records that a file is about to be read. The second time, it no longer counts as unread. */
  recordAttempt(id: number): Promise<void>
  state(): Promise<IndexState>
  close(): Promise<void>
}

/** The index is temporarily unavailable; the caller may retry. */
export class Unready extends Error {
  override name = 'Unready'
}

/** The part of the logger that the index uses. */
export interface IndexLog {
  info(about: object, text: string): void
  warn(about: object, text: string): void
  error(about: object, text: string): void
}
