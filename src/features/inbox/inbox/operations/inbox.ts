import { Type as t } from '@sinclair/typebox'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { UserId } from '../../../identity/people/model/index.ts'
import { address, locateTask } from '../../../tasks/tasks/model/index.ts'
import * as lists from '../model/lists.ts'
import {
  MarkResult,
  NotificationId,
  NotificationIds,
  NotificationKind,
  NotificationRow,
  Summary,
} from '../model/schema.ts'
import {
  type Mark,
  mark as markNotifications,
  moveTask as moveTaskToInbox,
} from '../model/store.ts'
import { findTarget } from '../model/target.ts'

/** A notification shows whether the request that it is about is still open. */
const CLOSED_REQUESTS = ['decision.answered', 'decision.cancelled', 'escalation.resolved'] as const

export const list = operation({
  name: 'inbox.list',
  summary: 'Notifications of your inbox, newest first',
  needs: 'profile:read',
  dependsOn: [
    'notification',
    'inbox',
    'task',
    'section',
    'project',
    'member',
    'comment.reaction',
    'comment.deleted',
    ...CLOSED_REQUESTS,
  ],
  on: {
    rest: 'GET /api/v1/notifications',
    mcp: 'svc_inbox.list',
    cli: { usage: 'inbox list', example: '--unread' },
    chat: true,
  },
  input: listInput(
    {
      composition: t.Optional(
        t.Boolean({ description: 'Counts by kind for one board; needs project_id' }),
      ),
      project_id: t.Optional(ProjectId),
      user_id: t.Optional({ ...UserId, description: 'Whose inbox; for owners and admins' }),
      agent_id: t.Optional(
        t.String({
          minLength: 1,
          maxLength: 50,
          description: 'UUID of one of your agents, for its inbox',
        }),
      ),
      unread: t.Optional(t.Boolean()),
      archived: t.Optional(t.Boolean({ description: 'Archived notifications; default false' })),
      important: t.Optional(t.Boolean()),
      kind: t.Optional(
        t.Union([...NotificationKind.anyOf, t.Array(NotificationKind, { maxItems: 20 })], {
          description: 'One or several kinds',
        }),
      ),
    },
    ['createdAt'],
  ),
  output: listOf(NotificationRow),
  run: (input, ctx) => lists.listInbox(ctx, input),
})

export const summary = operation({
  name: 'inbox.summary',
  summary: 'Unread counts, and whether you reached Inbox Zero',
  needs: 'profile:read',
  dependsOn: [
    'notification',
    'inbox',
    'project',
    'member',
    'task.updated',
    'task.left',
    'comment.deleted',
    ...CLOSED_REQUESTS,
  ],
  on: {
    rest: 'GET /api/v1/notifications/summary',
    mcp: 'svc_inbox.summary',
    cli: { usage: 'inbox summary', example: '' },
    chat: true,
  },
  input: t.Object({}),
  output: Summary,
  run: (_, ctx) => lists.summary(ctx),
})

const markOperation = <const Name extends Mark>(name: Name, summary: string) =>
  operation({
    name: `inbox.${name}`,
    summary,
    needs: 'profile:write',
    on: {
      rest: `POST /api/v1/notifications/${name}`,
      mcp: `svc_inbox.${name}`,
      cli: { usage: `inbox ${name} <notification_ids>`, example: '1' },
      chat: true,
    },
    input: t.Object({ notification_ids: NotificationIds }),
    output: MarkResult,
    run: ({ notification_ids }, ctx) => markNotifications(ctx, name, notification_ids),
  })

export const archive = markOperation('archive', 'Archive notifications')
export const unarchive = markOperation('unarchive', 'Move notifications back to the inbox')
export const read = markOperation('read', 'Mark notifications as read')
export const unread = markOperation('unread', 'Mark notifications as unread')

/** All four actions at one address, for the web app and scripts. */
export const mark = operation({
  name: 'inbox.mark',
  summary: 'Read, mark unread, archive or unarchive notifications',
  needs: 'profile:write',
  on: { rest: 'POST /api/v1/notifications' },
  input: t.Object({
    action: t.Union([
      t.Literal('read'),
      t.Literal('unread'),
      t.Literal('archive'),
      t.Literal('unarchive'),
    ]),
    notification_ids: NotificationIds,
  }),
  output: MarkResult,
  run: ({ action, notification_ids }, ctx) => markNotifications(ctx, action, notification_ids),
})

export const moveTask = operation({
  name: 'inbox.move_task',
  summary: 'Move a task to the top of an inbox, as unread',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/inbox/move-task',
    mcp: 'svc_inbox.move_task',
    cli: { usage: 'inbox move <task> --user <user_id>', example: 'HOM-1 --user Cleo' },
    chat: true,
  },
  input: t.Object({
    ...address,
    user_id: t.Optional({ ...UserId, description: 'Yourself; anybody for owners and admins' }),
    agent_id: t.Optional(
      t.String({ minLength: 1, maxLength: 50, description: 'Or the UUID of one of your agents' }),
    ),
  }),
  output: t.Object({
    notification_id: NotificationId,
    task_id: t.Integer(),
    ticket_number: t.String(),
    user_id: t.Optional(UserId),
    agent_id: t.Optional(t.String()),
  }),
  async run({ user_id, agent_id, ...taskRef }, ctx) {
    const located = await locateTask(ctx, taskRef)
    return moveTaskToInbox(
      ctx,
      located,
      await findTarget(ctx, located.project, { user_id, agent_id }),
    )
  },
})
