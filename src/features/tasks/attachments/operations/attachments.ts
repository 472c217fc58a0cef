import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { findComment } from '../../../conversation/comments/model/index.ts'
import { Id } from '../../../identity/people/model/index.ts'
import {
  Attachment,
  AttachmentId,
  type AttachmentRow,
  attachments,
  FileInputs,
  type ReceivedFile,
  receiveFiles,
  toAttachments,
  Uploads,
} from '../../files/model/index.ts'
import {
  type Address,
  address,
  type Located,
  locateTask,
  type Task,
} from '../../tasks/model/index.ts'
import { attachFiles, dropAttachments } from '../model/attach.ts'
import { checkMayDelete, findAttachment } from '../model/store.ts'

const CommentId = Id('Id of a comment')

export const list = operation({
  name: 'attachments.list',
  summary: 'Files of a task and its comments',
  needs: 'tasks:read',
  dependsOn: [{ about: 'task', changes: ['attachment'] }],
  on: {
    rest: 'GET /api/v1/tasks/:task/attachments',
    mcp: 'svc_attachments.list',
    cli: { usage: 'attachments list <task>', example: 'HOM-1' },
    chat: true,
  },
  input: listInput({ ...address, comment_id: t.Optional(CommentId) }, ['createdAt', 'title']),
  output: listOf(Attachment),
  async run({ comment_id, ...input }, ctx) {
    const { task_id: _, ticket_number: __, unique_index: ___, project_id: ____, ...paging } = input
    const { task } = await locateTask(ctx, input)
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `attachments ${task.task_id} ${comment_id}`,
      from: attachments,
      columns: getTableColumns(attachments),
      where: and(
        eq(attachments.team_id, task.team_id),
        eq(attachments.task_id, task.task_id),
        comment_id === undefined ? undefined : eq(attachments.comment_id, comment_id),
        matchesSearch(paging, [attachments.filename]),
      ),
      sorts: {
        createdAt: { key: attachments.created_at },
        title: { key: attachments.filename },
      },
      manualSort: { key: attachments.attachment_id },
      id: 'attachment_id',
    })
    return { items: await toAttachments(ctx, rows as AttachmentRow[]), page }
  },
})

export const get = operation({
  name: 'attachments.get',
  summary: 'One file of a task; its url downloads it',
  needs: 'tasks:read',
  dependsOn: ['attachment'],
  on: {
    rest: 'GET /api/v1/attachments/:attachment_id',
    mcp: 'svc_attachments.get',
    cli: { usage: 'attachments get <attachment_id>', example: '1' },
    chat: true,
  },
  input: t.Object({ attachment_id: AttachmentId }),
  output: Attachment,
  async run({ attachment_id }, ctx) {
    const { row } = await findAttachment(ctx, attachment_id)
    return (await toAttachments(ctx, [row]))[0]!
  },
})

const AttachResult = t.Object({
  task_id: Id('Id of a task'),
  ticket_number: t.String(),
  comment_id: t.Union([CommentId, t.Null()]),
  attachments: t.Array(Attachment),
})
const target = { ...address, comment_id: t.Optional(CommentId) }
type Target = Address & { comment_id?: number }

export const attach = operation({
  name: 'attachments.create',
  summary: 'Attach files to a task or a comment',
  needs: 'tasks:write',
  creates: true,
  // A URL can carry data to another server.
  destroys: ({ files }) => files.some(({ url }) => url !== undefined),
  on: {
    rest: ['POST /api/v1/tasks/:task/attachments', 'POST /api/v1/comments/:comment_id/attachments'],
    mcp: 'svc_attachments.attach',
    cli: { usage: 'attachments attach <task>', example: 'HOM-1 --file README.md' },
    chat: true,
  },
  input: t.Object({ ...target, files: { ...FileInputs, minItems: 1 } }),
  output: AttachResult,
  prepare: ({ files }, request) => receiveFiles(request, files, 'files'),
  run: ({ files: _, ...targetRef }, ctx, received) => attachTo(ctx, targetRef, received),
})

/** For the route that takes form data. The bytes of the files are stored already. */
export const upload = operation({
  name: 'attachments.upload',
  summary: 'Attach uploaded files to a task or a comment',
  needs: 'tasks:write',
  on: {},
  input: t.Object({ ...target, files: Uploads }),
  output: AttachResult,
  run: ({ files, ...targetRef }, ctx) => attachTo(ctx, targetRef, files),
})

export const remove = operation({
  name: 'attachments.delete',
  summary: 'Delete a file from its task or comment, permanently',
  needs: 'tasks:write',
  destroys: true,
  on: {
    rest: 'DELETE /api/v1/attachments/:attachment_id',
    mcp: 'svc_attachments.delete',
    cli: { usage: 'attachments delete <attachment_id>', example: '1' },
    chat: true,
  },
  input: t.Object({ attachment_id: AttachmentId }),
  output: t.Object({ attachment_id: AttachmentId, deleted: t.Boolean() }),
  async run({ attachment_id }, ctx) {
    const { row, task, project } = await findAttachment(ctx, attachment_id)
    await checkMayDelete(ctx, row, project)
    const deleted = (await dropAttachments(ctx, task, { attachment_id })).length > 0
    return { attachment_id, deleted }
  },
})

async function attachTo(ctx: Context, targetRef: Target, received: readonly ReceivedFile[]) {
  const { task, comment_id } = await resolveTarget(ctx, targetRef)
  const rows = await attachFiles(ctx, { ...task, comment_id }, received)
  return {
    task_id: task.task_id,
    ticket_number: task.ticket_number,
    comment_id,
    attachments: await toAttachments(ctx, rows),
  }
}

/** A comment implies its task. If a task is given as well, it must be the same. */
async function resolveTarget(
  ctx: Context,
  { comment_id, ...taskRef }: Target,
): Promise<Pick<Located, 'task'> & { comment_id: number | null }> {
  const hasTask = Object.values(taskRef).some((value) => value !== undefined)
  if (comment_id === undefined && !hasTask)
    throw fault.invalid(
      'ticket_number',
      'required',
      'The target is missing: comment_id, or a task by ticket_number or task_id',
    )
  if (comment_id === undefined)
    return { task: (await locateTask(ctx, taskRef)).task, comment_id: null }
  const task = await taskOfOwnComment(ctx, comment_id)
  if (hasTask && (await locateTask(ctx, taskRef)).task.task_id !== task.task_id)
    throw fault.invalid(
      'comment_id',
      'conflict',
      `Comment ${comment_id} is on another task`,
      comment_id,
      'Leave the task out: comment_id is enough',
    )
  return { task, comment_id }
}

/** Returns the task of a comment. Only the author may attach files to a comment. */
async function taskOfOwnComment(ctx: Context, comment_id: number): Promise<Task> {
  const { task, comment } = await findComment(ctx, comment_id)
  if (comment.author_id === ctx.caller.actor_id) return task
  throw fault.forbidden(
    'Only the author of a comment can attach files to it',
    'Attach them to the task, or to a comment of your own',
  )
}
