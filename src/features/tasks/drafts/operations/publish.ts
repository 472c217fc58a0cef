import { Type as t } from '@sinclair/typebox'
import { fault } from '../../../../kernel/fault.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import { addComment } from '../../../conversation/comments/model/index.ts'
import { Mentions } from '../../../conversation/mentions/model/index.ts'
import { cleanStoredText } from '../../descriptions/model/index.ts'
import { updateTask } from '../../edits/model/index.ts'
import { locateTask } from '../../tasks/model/index.ts'
import { DraftId, PublishReceipt } from '../model/schema.ts'
import { deleteDraft, emitDraftChange, findDraft, receiptOf } from '../model/store.ts'

export const publish = operation({
  name: 'drafts.publish',
  summary: 'Publish a draft as the description of its task, or as a comment on it',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/drafts/:draft_id/publish',
    mcp: 'svc_drafts.publish',
    cli: { usage: 'drafts publish <draft_id>', example: '1' },
    chat: true,
  },
  input: t.Object({
    draft_id: DraftId,
    if_version: t.Optional(
      t.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'description_version you read; only for a description draft',
      }),
    ),
    mentions: t.Optional(Mentions),
    ...leaseInput,
  }),
  output: PublishReceipt,
  guard: {
    by: 'lease',
    async tasks({ draft_id }, ctx) {
      const { draft, task } = await findDraft(ctx, draft_id)
      return draft.draft_type === 'description' ? [task.task_id] : []
    },
  },
  async run({ draft_id, if_version, mentions }, ctx) {
    const { draft, task } = await findDraft(ctx, draft_id)
    if (draft.draft_type === 'comment' && if_version !== undefined)
      throw versionOnComment(if_version)
    const located = await locateTask(ctx, { task_id: task.task_id })
    await deleteDraft(ctx, draft_id)
    const receipt = receiptOf(draft, located.task)
    emitDraftChange(ctx, 'published', receipt)
    const described = cleanStoredText(ctx, draft.text, 'html', 'text')
    if (draft.draft_type === 'comment') {
      const { comment_id } = await addComment(ctx, located, { text: described.text, mentions })
      return { ...receipt, comment_id }
    }
    const changes = { described, if_version, mentions }
    const { description_version } = await updateTask(ctx, located, changes)
    return { ...receipt, description_version }
  },
})

const versionOnComment = (if_version: number) =>
  fault.invalid(
    'if_version',
    'conflict',
    'if_version is only for description drafts, and this draft is a comment',
    if_version,
    'Leave if_version out',
  )
