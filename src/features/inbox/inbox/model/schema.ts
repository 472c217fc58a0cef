import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { KINDS } from '../../notifications/model/index.ts'

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

export const NotificationId = Id('Id of a notification')
export const NotificationIds = t.Array(NotificationId, {
  minItems: 1,
  maxItems: 100,
  description: 'Ids of your own notifications, not of tasks',
})
export const NotificationKind = t.Union(KINDS.map((kind) => t.Literal(kind)))

const notification = {
  notification_id: NotificationId,
  important: t.Boolean({ absent: false }),
  folder: orNull(t.Literal('Archive', { description: 'Null: the Inbox' })),
  priority: t.Integer({ absent: 0, description: 'Its own, not that of the task: 0=None to 4=Low' }),
  task: t.Object({
    task_id: Id('Id of a task'),
    ticket_number: t.String(),
    title: t.String(),
    project_id: ProjectId,
    section: t.String({ description: 'Title of its column' }),
    done: t.Boolean({ description: 'Its column counts as done' }),
  }),
  actor: Actor,
  comment_id: t.Optional(Id('Id of a comment')),
  decision_request_id: t.Optional(Id('Id of a decision request')),
  escalation_id: t.Optional(Id('Id of an escalation')),
  run_id: t.Optional(Id('Id of a run')),
  snippet: orNull(t.String()),
  created_at: Timestamp,
  read_at: orNull(Timestamp),
  archived_at: orNull(Timestamp),
}

/** A notification or, with `composition`, the counts of one kind. */
export const NotificationRow = t.Object(
  {
    kind: NotificationKind,
    ...t.Partial(t.Object(notification)).properties,
    total: t.Optional(t.Integer({ description: 'With composition: how many of this kind' })),
    unread: t.Optional(t.Integer({ description: 'With composition: how many of them unread' })),
  },
  {
    columns: [
      'notification_id',
      'kind',
      'important',
      'task.ticket_number',
      'task.title',
      'actor.name',
      'comment_id',
      'decision_request_id',
      'escalation_id',
      'run_id',
      'snippet',
      'created_at',
      'read_at',
      'total',
      'unread',
    ],
    omits: {
      'task.task_id': 'ticket_number names the task',
      'task.project_id': 'ticket_number begins with the key of the board',
    },
  },
)
export type NotificationRow = Static<typeof NotificationRow>

export const MarkResult = t.Object({
  notification_ids: t.Array(NotificationId),
  changed: t.Array(NotificationId, { description: 'Notifications that this call changed' }),
})

export const Summary = t.Object({
  unread: t.Integer(),
  important: t.Integer({ description: 'Unread and important' }),
  total: t.Integer({ description: 'Not archived; counted up to 10,000' }),
  inbox_zero: t.Boolean({
    description: 'True: all notifications left are of tasks in done columns',
  }),
})
