import { Type as t } from '@sinclair/typebox'
import { cleanInTransaction } from '../../../../content/index.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { operation } from '../../../../kernel/operation.ts'
import { changesBetween } from '../../../../kernel/text-changes/index.ts'
import { projectById } from '../../../boards/projects/model/index.ts'
import { actorsNamedIn, type Mention } from '../../../conversation/mentions/model/index.ts'
import { boardActors } from '../../../identity/members/model/index.ts'
import { changePage, loadPageWithText } from '../../../pages/pages/model/index.ts'
import type { CleanString } from '../../descriptions/model/index.ts'
import { updateTask } from '../../edits/model/index.ts'
import { type Located, lockTask } from '../../tasks/model/index.ts'
import {
  markdownOf,
  parseUnsaved,
  pruneChanges,
  setUnsaved,
  type TextChange,
  type TextRef,
  textsByAuthor,
  unsavedChanges,
} from '../model/index.ts'

const MAX_ID = 2_147_483_647

/**
 * Saves the unsaved changes of the caller as a version. No request can name it: the access of the
 * author was checked when the changes were accepted.
 */
export const save = operation({
  name: 'shared_texts.save',
  summary: 'Save the changes of one author as a version',
  needs: 'tasks:write',
  on: {},
  input: t.Object({
    kind: t.Union([t.Literal('task'), t.Literal('page')]),
    team_id: t.Integer({ minimum: 1, maximum: MAX_ID }),
    text_id: t.Integer({ minimum: 1, maximum: MAX_ID }),
  }),
  output: t.Object({
    next_author: t.Optional(t.Integer({ description: 'The author to save next' })),
  }),
  async run(ref, ctx) {
    const stored = await loadStored(ctx, ref)
    const rows = await unsavedChanges(ctx.tx, ref)
    const before = markdownOf(ctx, stored)
    const [first, ...others] = textsByAuthor(before, rows.map(parseUnsaved))
    if (first?.author_id !== ctx.caller.actor_id) return { next_author: first?.author_id }
    await divide(ctx, rows, first, others)
    const isUnchanged = first.text === before && stored.type === 'markdown'
    if (!isUnchanged) await write(ctx, stored, first.text)
    await pruneChanges(ctx.tx, ref, ctx.now)
    return { next_author: others[0]?.author_id }
  },
})

type AuthorText = ReturnType<typeof textsByAuthor>[number]

/** Marks the changes of the first author as saved. Each other author gets a single change. */
async function divide(
  { tx }: Context,
  rows: readonly TextChange[],
  first: AuthorText,
  others: readonly AuthorText[],
) {
  const rest = new Map<TextChange, ReturnType<typeof changesBetween>>()
  for (const [index, { author_id, text }] of others.entries()) {
    const before = others[index - 1] ?? first
    const last = rows.findLast((row) => row.author_id === author_id)!
    rest.set(last, changesBetween(before.text, text))
  }
  for (const row of rows) await setUnsaved(tx, row, rest.get(row) ?? null)
}

type Stored = Located & {
  text: string
  type: 'html' | 'markdown'
  page_id: number | undefined
}

async function loadStored(ctx: Context, { kind, text_id }: TextRef): Promise<Stored> {
  const { tx } = ctx
  const task_id = kind === 'task' ? text_id : (await loadPageWithText(tx, text_id)).page.task_id
  const task = await lockTask(tx, task_id)
  const project = (await projectById(tx, task.project_id))!
  if (kind === 'task') {
    const { description, content_type: type } = task
    return { task, project, text: description ?? '', type, page_id: undefined }
  }
  const { page, text } = await loadPageWithText(tx, text_id)
  return { task, project, text, type: page.content_type, page_id: page.page_id }
}

/** Writes a version as `tasks.update` and `pages.update` do. A text may become empty. */
async function write(ctx: Context, stored: Stored, text: string): Promise<void> {
  const { task, project, page_id } = stored
  // Markdown stays as it was written, but must be convertible to HTML.
  if (text.trim()) cleanInTransaction(ctx, text, 'markdown')
  if (page_id === undefined) {
    const described = { text: text as CleanString, type: 'markdown', isShared: true } as const
    const mentions = await mentionsIn(ctx, stored, text)
    await updateTask(ctx, { task, project }, { described, mentions })
    return
  }
  const { page } = await loadPageWithText(ctx.tx, page_id)
  const content = { text, content_type: 'markdown', canvas: false, isShared: true } as const
  await changePage(ctx, { task, project, page }, {}, { content })
}

/** The actors named in the text. */
async function mentionsIn(ctx: Context, { project }: Stored, text: string): Promise<Mention[]> {
  if (!text.includes('@')) return []
  const named = actorsNamedIn(text, await boardActors(ctx, project))
  return named.map(({ kind, actor_id, agent_id, name }) =>
    kind === 'person'
      ? { user_id: actor_id, display_name: name }
      : { agent_id: agent_id!, display_name: name },
  )
}
