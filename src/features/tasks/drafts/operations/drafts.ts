import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, inArray } from 'drizzle-orm'
import { storableHtml } from '../../../../content/storable.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { listInput, listOf, requestedFields } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { address, locateTask, onVisibleTask } from '../../tasks/model/index.ts'
import {
  DraftId,
  DraftReceipt,
  DraftRecord,
  DraftRow,
  DraftText,
  DraftType,
} from '../model/schema.ts'
import {
  deleteDraft,
  draftNotFound,
  emitDraftChange,
  findDraft,
  ownDraft,
  receiptOf,
  toDraftRows,
} from '../model/store.ts'
import { drafts } from '../model/tables.ts'

const { text, ...withoutText } = getTableColumns(drafts)

export const list = operation({
  name: 'drafts.list',
  summary: 'Your drafts, last updated first; the field text has the full text',
  needs: 'tasks:read',
  dependsOn: ['draft'],
  on: {
    rest: 'GET /api/v1/drafts',
    mcp: 'svc_drafts.list',
    cli: { usage: 'drafts list', example: '--ticket-number HOM-1' },
    chat: true,
  },
  input: listInput({ ...address, draft_type: t.Optional(DraftType) }, ['updatedAt', 'createdAt']),
  output: listOf(DraftRow),
  async run(input, ctx) {
    const { task_id, ticket_number, unique_index, project_id, draft_type, ...paging } = input
    const taskRef = { task_id, ticket_number, unique_index, project_id }
    const hasTask = Object.values(taskRef).some((value) => value !== undefined)
    const task = hasTask ? (await locateTask(ctx, taskRef)).task : undefined
    const withText = requestedFields(input, DraftRow)?.includes('text')
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `drafts ${task?.task_id} ${draft_type}`,
      from: drafts,
      columns: withText ? { ...withoutText, text } : withoutText,
      where: and(
        inArray(drafts.team_id, [...ctx.caller.teams.keys()]),
        eq(drafts.author_id, ctx.caller.actor_id),
        onVisibleTask(ctx, drafts.task_id),
        task && eq(drafts.task_id, task.task_id),
        draft_type && eq(drafts.draft_type, draft_type),
        matchesSearch(input, [text]),
      ),
      sorts: { updatedAt: { key: drafts.updated_at }, createdAt: { key: drafts.created_at } },
      id: 'draft_id',
    })
    return { items: await toDraftRows(ctx.tx, rows), page }
  },
})

export const get = operation({
  name: 'drafts.get',
  summary: 'One of your drafts with its text',
  needs: 'tasks:read',
  dependsOn: ['draft'],
  on: {
    rest: 'GET /api/v1/drafts/:draft_id',
    cli: { usage: 'drafts get <draft_id>', example: '1' },
  },
  input: t.Object({ draft_id: DraftId }),
  output: DraftRecord,
  async run({ draft_id }, ctx) {
    const { draft } = await findDraft(ctx, draft_id)
    const [row] = await toDraftRows(ctx.tx, [draft])
    return { ...row!, text: draft.text }
  },
})

export const create = operation({
  name: 'drafts.create',
  summary: 'Draft a comment or a description that only you see until you publish it',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/drafts',
    mcp: 'svc_drafts.create',
    cli: {
      usage: 'drafts create <ticket_number> <text>',
      example: "HOM-1 '<p>Shall we use two colours?</p>' --draft-type comment",
    },
    chat: true,
  },
  input: t.Object({
    ...address,
    text: DraftText,
    draft_type: t.Optional({ ...DraftType, description: 'Default description' }),
  }),
  output: DraftReceipt,
  prepare: ({ text }, request) => storableHtml(request, text, undefined, 'text'),
  async run({ text: _, draft_type = 'description', ...taskRef }, ctx, text) {
    const { task } = await locateTask(ctx, taskRef)
    const { team_id, task_id } = task
    const [draft] = await ctx.tx
      .insert(drafts)
      .values({
        team_id,
        task_id,
        draft_type,
        text,
        author_id: ctx.caller.actor_id,
        created_at: ctx.now,
        updated_at: ctx.now,
      })
      .returning()
    return emitAndReturn(ctx, 'created', receiptOf(draft!, task))
  },
})

export const update = operation({
  name: 'drafts.update',
  summary: 'Update one of your drafts',
  needs: 'tasks:write',
  on: {
    rest: 'PATCH /api/v1/drafts/:draft_id',
    mcp: 'svc_drafts.update',
    cli: {
      usage: 'drafts update <draft_id> <text>',
      example: "1 '<p>Two colours are enough.</p>'",
    },
    chat: true,
  },
  input: t.Object({ draft_id: DraftId, text: DraftText }),
  output: DraftReceipt,
  prepare: ({ text }, request) => storableHtml(request, text, undefined, 'text'),
  async run({ draft_id }, ctx, text) {
    const { draft, task } = await findDraft(ctx, draft_id)
    if (draft.text === text) return receiptOf(draft, task)
    const updated = await ctx.tx
      .update(drafts)
      .set({ text, updated_at: ctx.now })
      .where(ownDraft(ctx, draft_id))
      .returning({ draft_id: drafts.draft_id })
    if (!updated.length) throw draftNotFound(draft_id)
    return emitAndReturn(ctx, 'updated', receiptOf(draft, task))
  },
})

export const remove = operation({
  name: 'drafts.delete',
  summary: 'Delete one of your drafts',
  needs: 'tasks:write',
  destroys: true,
  on: {
    rest: 'DELETE /api/v1/drafts/:draft_id',
    mcp: 'svc_drafts.delete',
    cli: { usage: 'drafts delete <draft_id>', example: '1' },
    chat: true,
  },
  input: t.Object({ draft_id: DraftId }),
  output: DraftReceipt,
  async run({ draft_id }, ctx) {
    const { draft, task } = await findDraft(ctx, draft_id)
    await deleteDraft(ctx, draft_id)
    return emitAndReturn(ctx, 'deleted', receiptOf(draft, task))
  },
})

function emitAndReturn(
  ctx: Context,
  action: 'created' | 'updated' | 'deleted',
  receipt: DraftReceipt,
) {
  emitDraftChange(ctx, action, receipt)
  return receipt
}
