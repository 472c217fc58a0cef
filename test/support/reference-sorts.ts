import type { Sorting } from '../../src/features/search/filters/model/index.ts'
import { STAGES, type TaskFacts } from './many-tasks.ts'

/** A sort value in the simple implementation that the real one is compared with. */
export type SortValue = string | number | null

const sizes = ['none', '', 'XS', 'S', 'M', 'L', 'XL']
const toMs = (text: string | null) => (text === null ? null : Date.parse(text))
const firstByName = (names: string[]) => names.toSorted()[0] ?? null
const lowerCase = (text: string | undefined) => text?.toLowerCase() ?? null
/** A task that is due on a day is due at the end of the day in Berlin. */
export const dueMs = ({ due_date }: TaskFacts) =>
  due_date?.length === 10 ? Date.parse(`${due_date}T22:59:59.999Z`) : toMs(due_date)

/** The sort value of each sort mode. */
export const SORT_KEYS: Record<string, (task: TaskFacts, now: number) => SortValue> = {
  Priority: ({ priority }) => priority || null,
  DueDate: dueMs,
  Size: ({ size }) => sizes.indexOf(size) || null,
  CreatedAt: ({ created_at }) => toMs(created_at),
  UpdatedAt: ({ updated_at }) => toMs(updated_at),
  SectionChangedAt: ({ sectionChangedAt }) => toMs(sectionChangedAt),
  LastCommentAt: ({ lastCommentAt }) => toMs(lastCommentAt),
  Assignee: ({ assigneeNames }) => firstByName(assigneeNames),
  Title: ({ title }) => title.toLowerCase(),
  TicketNumber: ({ unique_index }) => unique_index,
  TimeInColumn: ({ sectionChangedAt }, now) => now - toMs(sectionChangedAt)!,
  TimeOnBoard: ({ created_at }, now) => now - toMs(created_at)!,
  TimeWithoutComment: ({ lastCommentAt, created_at }, now) =>
    now - toMs(lastCommentAt ?? created_at)!,
  'cf:Points': ({ customFields }) => customFields.Points ?? null,
  'cf:note': ({ customFields }) => lowerCase(customFields.Note),
  'cf:Stage': ({ customFields }) =>
    customFields.Stage ? STAGES.indexOf(customFields.Stage) : null,
  'cf:Ends': ({ customFields }) => customFields.Ends ?? null,
  'cf:Ready': ({ customFields }) =>
    customFields.Ready === undefined ? null : String(customFields.Ready),
}

/** Tasks without a value come last in both orders. */
export function compare(a: SortValue, b: SortValue, { order }: Sorting): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return (a < b ? -1 : 1) * (order === 'Ascending' ? 1 : -1)
}
