import type { Format } from '../../content/index.ts'
import type { Library, PassageKind } from '../../kernel/outside.ts'

/** A text that is to be found: a description, a comment or a page. */
export interface Text {
  kind: PassageKind
  /** Number of the task, the comment or the page. */
  id: number
  task_id: number
  project_id: number
  author_id: number
  written_at: Date
  title: string
  text: string
  format: Format
}

/** How far in the change log the texts were taken from; what the mark says is known to who gave it. */
export interface Place {
  seq: number
  mark: string
}

/** What changed: kept as a whole or not at all. A text that was known takes the place of itself. */
export interface Delivery {
  put: readonly Text[]
  /** Of what is in both, the text stays. */
  gone: readonly { kind: PassageKind; id: number }[]
  /** The place it goes on from. Where another one is kept, it is of other texts, and refused. */
  after: Place | undefined
  /** Nothing leaves the place as it is. */
  place: Place | undefined
}

export interface State {
  passages: number
  sources: number
  /** Boards that have texts. */
  boards: number
  /** Of the file; 0 where there is none. */
  bytes: number
  /** Boards that are in memory, and what they take there. */
  loaded: number
  loaded_bytes: number
  /** Passages that have no vector yet, where somebody makes vectors. */
  lacking?: number
  place: Place | undefined
  /** Questions answered, and how long that took in all. */
  asked: number
  seconds: number
}

/** Where the texts are kept that a library finds. */
export interface Shelves extends Pick<Library, 'seek'> {
  /** Nothing where none was told yet, or what was kept was damaged and is forgotten. */
  place(): Promise<Place | undefined>
  /** One that is refused has changed nothing. */
  take(delivery: Delivery): Promise<void>
  forget(): Promise<void>
  state(): Promise<State>
  close(): Promise<void>
}

/** Not now, but soon: whoever asks may try again. */
export class Unready extends Error {
  override name = 'Unready'
}

/** As much of a log as this room writes. */
export interface Log {
  info(about: object, text: string): void
  warn(about: object, text: string): void
  error(about: object, text: string): void
}
