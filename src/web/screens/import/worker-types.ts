import type { Preview } from '../../../import/api.ts'
import type { Mapping } from '../../../import/mapping.ts'
import type { Plan } from '../../../import/plan.ts'
import type { Progress, SendSummary } from '../../../import/send.ts'
import type { CsvColumn } from '../../../import/sources/csv/columns.ts'

/** A file that somebody chose. Its path is relative to the chosen folder. */
export interface PickedFile {
  path: string
  file: File
}

export interface Choice {
  team_id: number
  files: readonly PickedFile[]
  /** The name of the source, if it is not to be detected. */
  source?: string
}

/** What was read, and what is proposed. */
export interface Reading {
  plan: Plan
  preview: Preview
  mapping: Mapping
  /** The columns of CSV files. */
  columns?: readonly CsvColumn[]
}

type Operation = 'preview' | 'start' | 'write' | 'attach' | 'finish'

/** What the worker does for the page. */
export type WorkerFunctions = {
  read(choice: Choice): Promise<Reading>
  /** Reads the same files with the columns of the edits. The mapping has the edits that still fit. */
  readAgain(input: { edits: Mapping; team_id: number }): Promise<{
    reading: Reading
    mapping: Mapping
  }>
  /** Sends the files that were read. */
  send(input: { plan: Plan; mapping: Mapping; team_id: number }): Promise<SendSummary>
  setPaused(isPaused: boolean): void
  stop(input: null): void
}

/** What the page does for the worker: requests, because it knows the session. */
export type PageFunctions = {
  call(request: { name: `imports.${Operation}`; input: object }): Promise<unknown>
  /** The number of records so far. */
  reading(records: number): void
  sending(progress: Progress): void
}
