import { Type as t } from '@sinclair/typebox'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { cleanText, convertTexts } from '../../../tasks/descriptions/model/index.ts'
import { receiveFiles } from '../../../tasks/files/model/index.ts'
import { address, locateTask } from '../../../tasks/tasks/model/index.ts'
import { react as addReaction, reactionsOf, unreact as removeReaction } from '../model/reactions.ts'
import { receiptOf, toCommentRecords } from '../model/records.ts'
import {
  AsFormat,
  CommentId,
  CommentReceipt,
  CommentRecord,
  contentFields,
  Emoji,
  Reactions,
  replyFields,
  TimelineRow,
} from '../model/schema.ts'
import { checkAuthor, checkMayDelete, findComment } from '../model/store.ts'
import { listComments, listTimeline } from '../model/timeline.ts'
import { addComment, deleteComment, editComment } from '../model/write.ts'

export const list = operation({
  name: 'comments.list',
  summary: 'Comments of a task, optionally with its activity',
  needs: 'tasks:read',
  dependsOn: [{ about: 'task' }],
  on: {
    rest: 'GET /api/v1/tasks/:task/comments',
    mcp: 'svc_comments.list',
    cli: { usage: 'comments list <task>', example: 'HOM-1 --include-activity' },
    chat: true,
  },
  input: listInput(
    {
      ...address,
      include_activity: t.Optional(
        t.Boolean({ description: 'Adds moves, labels, assignments and other changes' }),
      ),
      format: AsFormat,
    },
    ['createdAt'],
  ),
  output: listOf(TimelineRow),
  async run({ format, ...input }, ctx) {
    const { task } = await locateTask(ctx, input)
    const { items, page } = await (input.include_activity ? listTimeline : listComments)(
      ctx,
      task,
      input,
    )
    return { items: convertTexts(ctx, items, format, 'text'), page }
  },
})

export const get = operation({
  name: 'comments.get',
  summary: 'One comment',
  needs: 'tasks:read',
  dependsOn: ['comment'],
  on: {
    rest: 'GET /api/v1/comments/:comment_id',
    cli: { usage: 'comments get <comment_id>', example: '1 --format markdown' },
  },
  input: t.Object({ comment_id: CommentId, format: AsFormat }),
  output: CommentRecord,
  async run({ comment_id, format }, ctx) {
    const { task, comment } = await findComment(ctx, comment_id)
    const shown = await toCommentRecords(ctx, task, [comment])
    return convertTexts(ctx, shown, format, 'text')[0]!
  },
})

export const add = operation({
  name: 'comments.add',
  summary: 'Comment on a task, or reply to a comment',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/tasks/:task/comments',
    mcp: 'svc_comments.add',
    cli: {
      usage: 'comments add <task> <text>',
      example: "HOM-1 'Two colours are enough.' --content-type markdown",
    },
    chat: true,
  },
  input: t.Object({ ...address, ...contentFields, ...replyFields }),
  output: CommentReceipt,
  async prepare({ text, content_type, attachments }, request) {
    const content = await cleanText(request, text, content_type, 'text')
    return { content, received: await receiveFiles(request, attachments, 'attachments') }
  },
  async run(input, ctx, { content: { text, type }, received }) {
    const { task_id, ticket_number, unique_index, project_id, attachments: _, ...rest } = input
    const taskRef = { task_id, ticket_number, unique_index, project_id }
    const located = await locateTask(ctx, taskRef)
    const comment = await addComment(ctx, located, { ...rest, text, content_type: type, received })
    return receiptOf(ctx, located.task, comment)
  },
})

export const update = operation({
  name: 'comments.update',
  summary: 'Edit one of your comments',
  needs: 'tasks:write',
  on: {
    rest: 'PATCH /api/v1/comments/:comment_id',
    mcp: 'svc_comments.update',
    cli: { usage: 'comments update <comment_id> <text>', example: "1 'Three colours, please.'" },
    chat: true,
  },
  input: t.Object({ comment_id: CommentId, ...contentFields }),
  output: CommentReceipt,
  prepare: ({ text, content_type }, request) => cleanText(request, text, content_type, 'text'),
  async run({ comment_id, ...rest }, ctx, { text, type }) {
    const found = await findComment(ctx, comment_id)
    checkAuthor(ctx, found.comment)
    const content = { ...rest, text, content_type: type }
    return receiptOf(ctx, found.task, await editComment(ctx, found, content))
  },
})

export const remove = operation({
  name: 'comments.delete',
  summary: 'Delete a comment permanently',
  needs: 'tasks:write',
  destroys: true,
  on: {
    rest: 'DELETE /api/v1/comments/:comment_id',
    mcp: 'svc_comments.delete',
    cli: { usage: 'comments delete <comment_id>', example: '1' },
    chat: true,
  },
  input: t.Object({ comment_id: CommentId }),
  output: t.Object({ comment_id: CommentId, deleted: t.Literal(true) }),
  async run({ comment_id }, ctx) {
    const found = await findComment(ctx, comment_id)
    await checkMayDelete(ctx, found)
    await deleteComment(ctx, found)
    return { comment_id, deleted: true as const }
  },
})

const ReactionResult = t.Object({ comment_id: CommentId, reactions: Reactions })
const reactionInput = t.Object({ comment_id: CommentId, emoji: Emoji })

export const react = operation({
  name: 'comments.react',
  summary: 'React to a comment with an emoji',
  needs: 'tasks:write',
  on: {
    rest: 'PUT /api/v1/comments/:comment_id/reactions/:emoji',
    cli: { usage: 'comments react <comment_id> <emoji>', example: '1 👍' },
  },
  input: reactionInput,
  output: ReactionResult,
  async run({ comment_id, emoji }, ctx) {
    const found = await findComment(ctx, comment_id)
    await addReaction(ctx, found, emoji)
    const reactions = await reactionsOf(ctx, found.task.team_id, [comment_id])
    return { comment_id, reactions: reactions.get(comment_id) ?? [] }
  },
})

export const unreact = operation({
  name: 'comments.unreact',
  summary: 'Remove one of your reactions from a comment',
  needs: 'tasks:write',
  on: {
    rest: 'DELETE /api/v1/comments/:comment_id/reactions/:emoji',
    cli: { usage: 'comments unreact <comment_id> <emoji>', example: '1 👍' },
  },
  input: reactionInput,
  output: ReactionResult,
  async run({ comment_id, emoji }, ctx) {
    const found = await findComment(ctx, comment_id)
    await removeReaction(ctx, found, emoji)
    const reactions = await reactionsOf(ctx, found.task.team_id, [comment_id])
    return { comment_id, reactions: reactions.get(comment_id) ?? [] }
  },
})
