import { type Static, Type as t } from '@sinclair/typebox'
import { listInput } from '../../../../kernel/list.ts'
import { DATE_FORMAT } from '../../../../kernel/openapi-formats.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Id, Timestamp } from '../../../identity/people/model/index.ts'
import { taskFilters } from '../../../search/filters/model/index.ts'
import { TaskRow } from '../../../tasks/records/model/index.ts'
import { TaskId } from '../../../tasks/tasks/model/index.ts'
import { WHATS } from './rules.ts'

export const MAX_FEEDS = 20
export const MAX_DAYS = 400
export const MAX_SERIES = 10_000

export const FeedId = t.String({
  minLength: 1,
  maxLength: 50,
  description: 'UUID of one of your calendar feeds',
})
const What = t.Union(
  WHATS.map((one) => t.Literal(one)),
  { description: 'mine (default): assigned to you; all: every task of the boards' },
)
const Boards = t.Array(Id('Id of a board'), {
  maxItems: 100,
  description: 'Only tasks of these boards; empty: of all boards you can see',
})

export const draft = {
  title: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 200,
      pattern: '\\S',
      description: 'Name of the calendar; has a default',
    }),
  ),
  what: t.Optional(What),
  project_ids: t.Optional(Boards),
}
const Draft = t.Object(draft)
export type Draft = Static<typeof Draft>

const feed = {
  feed_id: FeedId,
  title: t.String(),
  what: What,
  project_ids: t.Array(ProjectId),
  created_at: Timestamp,
  expires_at: t.Union([Timestamp, t.Null()], {
    description: 'Expires with the key or token that created it; null: valid until deleted',
  }),
}
export const Feed = t.Object(
  { ...feed, last_read_at: t.Union([Timestamp, t.Null()]) },
  { columns: ['feed_id', 'title', 'what', 'last_read_at'] },
)
export type Feed = Static<typeof Feed>

export const NewFeed = t.Object(
  { ...feed, url: t.String({ description: 'Address for calendar apps; shown only once' }) },
  { secret: true },
)

/** A task in a calendar feed. */
export const Entry = t.Object({
  task_id: TaskId,
  ticket_number: t.String(),
  title: t.String(),
  text: t.String(),
  url: t.String(),
  labels: t.Array(t.String()),
  priority: t.Integer(),
  updated_at: Timestamp,
  due_date: t.String(),
  repeat: t.Union([
    t.Object({
      rule: t.String(),
      begins: t.String(),
      time_zone: t.String(),
      alone: t.Array(t.String()),
      also: t.Array(t.String()),
      without: t.Array(t.String()),
    }),
    t.Null(),
  ]),
})
export type Entry = Static<typeof Entry>

const Day = (description: string) =>
  t.String({ minLength: 1, maxLength: 40, description, ...DATE_FORMAT })

export const rangeInput = {
  from: Day('First day, YYYY-MM-DD'),
  to: Day(`Last day, YYYY-MM-DD; at most ${MAX_DAYS} days in all`),
  project_ids: t.Optional(Boards),
  assigned_to: taskFilters.assigned_to,
  include_done: t.Optional(t.Boolean({ description: 'Completed tasks too; default false' })),
  ...t.Pick(listInput({}), ['cursor', 'fields', 'limit']).properties,
}
const RangeInput = t.Object(rangeInput)
export type RangeInput = Static<typeof RangeInput>

export const CalendarItem = t.Object(
  {
    ...TaskRow.properties,
    date: t.String({ description: 'Day or moment at which it is due' }),
    at: { ...Timestamp, description: 'The moment after which it is overdue' },
    occurrence: t.Boolean({
      description: 'True: a future occurrence, created once the one before is done',
    }),
  },
  { columns: [...(TaskRow.columns as string[]), 'date', 'at', 'occurrence'], omits: TaskRow.omits },
)
export type CalendarItem = Static<typeof CalendarItem>
