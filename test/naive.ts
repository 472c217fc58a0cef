import type { Sorting } from '../src/features/tasks/index.ts'
import { type Fact, STAGES } from './crowd.ts'

/** Sorting said once more in the plainest way, to hold the real one against. */
export type Value = string | number | null

const sizes = ['none', '', 'XS', 'S', 'M', 'L', 'XL']
const time = (moment: string | null) => (moment === null ? null : Date.parse(moment))
const least = (names: string[]) => names.toSorted()[0] ?? null
const folded = (text: string | undefined) => text?.toLowerCase() ?? null
/** A day is over when it ends in Berlin. */
export const due = ({ due_date }: Fact) =>
  due_date?.length === 10 ? Date.parse(`${due_date}T22:59:59.999Z`) : time(due_date)

/** What each mode sorts by, said once more in the plainest way. */
export const PLAIN: Record<string, (task: Fact, now: number) => Value> = {
  Priority: ({ priority }) => priority || null,
  DueDate: due,
  Size: ({ size }) => sizes.indexOf(size) || null,
  CreatedAt: ({ created_at }) => time(created_at),
  UpdatedAt: ({ updated_at }) => time(updated_at),
  SectionChangedAt: ({ moved }) => time(moved),
  LastCommentAt: ({ commented }) => time(commented),
  Assignee: ({ held }) => least(held),
  Title: ({ title }) => title.toLowerCase(),
  TicketNumber: ({ unique_index }) => unique_index,
  TimeInColumn: ({ moved }, now) => now - time(moved)!,
  TimeOnBoard: ({ created_at }, now) => now - time(created_at)!,
  TimeWithoutComment: ({ commented, created_at }, now) => now - time(commented ?? created_at)!,
  'cf:Points': ({ custom }) => custom.Points ?? null,
  'cf:note': ({ custom }) => folded(custom.Note),
  'cf:Stage': ({ custom }) => (custom.Stage ? STAGES.indexOf(custom.Stage) : null),
  'cf:Ends': ({ custom }) => custom.Ends ?? null,
  'cf:Ready': ({ custom }) => (custom.Ready === undefined ? null : String(custom.Ready)),
}

/** Those without a value come last, whichever way. */
export function compare(a: Value, b: Value, { order }: Sorting): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return (a < b ? -1 : 1) * (order === 'Ascending' ? 1 : -1)
}
