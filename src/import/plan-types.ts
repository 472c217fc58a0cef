import type { CustomField, Person, RecordKind } from './record.ts'

/** What an import would do. It is plain JSON. */
export interface Plan {
  source: { name: string; title: string; columns?: Readonly<Record<string, string>> }
  origin: { id: string; title: string }
  counts: Record<RecordKind, number>
  /** A few tasks, spread over the files. */
  samples: SampleTask[]
  /** With the number of tasks, comments and so on that name the person. */
  people: (Person & { uses: number })[]
  boards: BoardPlan[]
  priorities: PriorityPlan[]
  /** What Corkboard cannot hold, with the number of values. */
  lost: Loss[]
  /** Fields of the files that the source does not know, with the number of values. */
  unknown: { field: string; count: number }[]
}

export interface BoardPlan {
  id: string
  title: string
  key?: string
  tasks: number
  /** The number of tasks, comments, time entries and files. */
  records: number
  files: number
  labels: number
  columns: { title: string; done?: boolean; tasks: number }[]
  fields: FieldPlan[]
}

export interface FieldPlan extends CustomField {
  /** The number of values. */
  values: number
  /** The types that hold all of the values. */
  fits: CustomField['type'][]
}

export interface PriorityPlan {
  /** As the source has it; numbers are ours already. */
  from: string | number
  tasks: number
  /** From 1 urgent to 4 low, or 0 none. */
  priority: number
  /** Whether the word is known. Otherwise the priority is 0. */
  known: boolean
}

export interface SampleTask {
  id: string
  key?: string
  title: string
  board: string
  column: string
  priority?: string | number
  due_date?: string
  assignees: string[]
  labels: string[]
  comments: number
}

export interface Loss {
  what: string
  why: string
  count: number
}
