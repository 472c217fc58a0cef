import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { DATE_FORMAT } from '../../../../kernel/openapi-formats.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { MAX_MINUTES } from './rules.ts'

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

export const EntryId = Id('Id of a time entry')
export const TaskIdentifier = t.Union([Id('Id of a task'), t.String({ maxLength: 100 })], {
  description: 'Task id or key such as OPS-12; with project_id its number on that board',
})
export const aboutTask = { task_identifier: TaskIdentifier, project_id: t.Optional(ProjectId) }
export const maybeTask = { ...aboutTask, task_identifier: t.Optional(TaskIdentifier) }
export const BoardRef = t.Union([ProjectId, t.String({ maxLength: 20 })], {
  description: 'Id of a board',
})
export const UserRef = t.Union([Id('Id of a person or agent'), t.String({ maxLength: 20 })], {
  description: 'Id of a person or agent, or me',
})
export const Note = orNull(
  t.String({ maxLength: 10_000, description: 'Trimmed, and truncated to 500 characters' }),
)
export const Minutes = t.Integer({ minimum: 1, maximum: MAX_MINUTES })
export const Day = t.String({ maxLength: 40, description: 'YYYY-MM-DD', ...DATE_FORMAT })
export const Offset = t.Integer({
  minimum: -840,
  maximum: 840,
  description: 'Minutes west of UTC; default your time zone',
})

export const STATES = ['running', 'paused', 'stopped', 'logged'] as const
export const TimeEntry = t.Object(
  {
    entry_id: EntryId,
    task_id: Id('Id of a task'),
    ticket_number: t.String(),
    title: t.String({ description: 'Title of the task' }),
    project_id: ProjectId,
    actor: Actor,
    state: t.Union(STATES.map((state) => t.Literal(state))),
    seconds: t.Integer({ description: 'Without pauses; for a running timer, until now' }),
    minutes: t.Integer({ description: 'Rounded' }),
    started_at: orNull(Timestamp),
    paused_at: orNull(Timestamp),
    ended_at: orNull(Timestamp),
    date: orNull(t.String({ description: 'Day of logged time' })),
    note: orNull(t.String()),
    created_at: Timestamp,
  },
  {
    columns: [
      'entry_id',
      'ticket_number',
      'title',
      'actor.name',
      'state',
      'minutes',
      'started_at',
      'date',
      'note',
    ],
    omits: {
      task_id: 'ticket_number names the task',
      project_id: 'ticket_number begins with the key of the board',
      seconds: 'minutes says it, rounded',
    },
  },
)
export type TimeEntry = Static<typeof TimeEntry>

export const Status = t.Object({
  task_id: Id('Id of a task'),
  ticket_number: t.String(),
  state: t.Union([t.Literal('running'), t.Literal('paused'), t.Literal('none')]),
  timer: orNull(TimeEntry),
})

export const DeleteResult = t.Object({ entry_id: EntryId, ticket_number: t.String() })

export const GROUPS = ['person', 'task', 'label', 'day'] as const
export type Group = (typeof GROUPS)[number]
export const Report = t.Object(
  {
    from: Timestamp,
    to: Timestamp,
    group_by: t.Union(GROUPS.map((group) => t.Literal(group))),
    total_seconds: t.Integer(),
    total_minutes: t.Integer({ description: 'Rounded' }),
    rows: t.Optional(
      t.Array(
        t.Object({
          key: t.String({ description: 'Id of the person or label, key of the task, or the day' }),
          name: t.String(),
          seconds: t.Integer(),
          minutes: t.Integer(),
          entries: t.Integer(),
        }),
      ),
    ),
    rows_left_off: t.Integer({ description: 'Rows beyond the first 1,000; CSV has all' }),
    csv: t.Optional(t.String({ description: 'All rows, if format is csv' })),
  },
  { download: { field: 'csv', type: 'text/csv', filename: 'time.csv' } },
)
