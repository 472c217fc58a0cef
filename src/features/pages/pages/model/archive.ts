import type { Context } from '../../../../kernel/caller.ts'
import { cleanStoredText } from '../../../tasks/descriptions/model/index.ts'
import { replaceText, save, saveRow } from './change.ts'
import { nestingProblem, treeOf } from './rules.ts'
import { type LocatedPage, type Page, pagesOf, updatePageCount } from './store.ts'
import { textOf } from './texts.ts'
import { textAt, type Version } from './versions.ts'
import { emitPageChange } from './write.ts'

/** Archives a page with all pages nested in it. Returns those that were not archived before. */
export async function archivePage(ctx: Context, { page, task }: LocatedPage): Promise<Page[]> {
  if (page.archived_at) return []
  const taskPages = await pagesOf(ctx.tx, task)
  const live = taskPages.filter(({ archived_at }) => !archived_at)
  const archived: Page[] = []
  for (const child of treeOf(live, page.page_id)) {
    archived.push(await saveRow(ctx, { ...child, archived_at: ctx.now }))
    emitPageChange(ctx, 'archived', task, child)
  }
  await updatePageCount(ctx.tx, task)
  return archived
}

/**
 * Restores the text of an earlier version as a new version. If the page is archived, it comes back,
 * together with the nested pages that were archived by the same call.
 */
export async function restorePage(
  ctx: Context,
  { page, task }: LocatedPage,
  version: Version,
): Promise<{ page: Page; changed: string[] }> {
  const { content_type, canvas, title } = version
  const currentText = await textOf(ctx.tx, page)
  const oldText = await textAt(ctx.tx, { page, text: currentText }, version.version)
  // Stored HTML may be older than the cleaning rules. Canvases and markdown are cleaned when shown.
  const isVerbatim = canvas || content_type === 'markdown'
  const text = isVerbatim ? oldText : cleanStoredText(ctx, oldText, content_type, 'content').text
  const content = { text, content_type, canvas }
  const { isTextChanged, set, back, write } = await replaceText(ctx, page, content)
  const next = { ...page, ...set, title }
  const changed = [
    ...(isTextChanged ? ['content'] : []),
    ...(['title', 'content_type', 'canvas'] as const).filter((name) => next[name] !== page[name]),
  ]
  if (isTextChanged) await write()
  const note = `Restored version ${version.version}`
  const saved = changed.length ? await save(ctx, page, next, { back, changed, note }) : page
  const wasArchived = page.archived_at !== null
  const restored = wasArchived ? await unarchive(ctx, { page: saved, task }) : saved
  if (!changed.length && !wasArchived) return { page, changed }
  const changedFields = wasArchived ? [...changed, 'archived_at'] : changed
  emitPageChange(ctx, 'restored', task, restored, {
    from_version: version.version,
    changed: changedFields,
  })
  return { page: restored, changed: changedFields }
}

async function unarchive(ctx: Context, { page, task }: Pick<LocatedPage, 'page' | 'task'>) {
  const taskPages = await pagesOf(ctx.tx, task)
  const archivedTogether = taskPages.filter(
    (other) => other.archived_at?.getTime() === page.archived_at?.getTime(),
  )
  const tree = treeOf(archivedTogether, page.page_id)
  const parent_page_id = parentAfterRestore(page, tree, taskPages)
  const restored = await saveRow(ctx, { ...page, parent_page_id, archived_at: null })
  for (const child of tree.slice(1)) {
    const row = await saveRow(ctx, { ...child, archived_at: null })
    emitPageChange(ctx, 'restored', task, row, { changed: ['archived_at'] })
  }
  await updatePageCount(ctx.tx, task)
  return restored
}

/** Keeps the parent if it is not archived and the nesting is still allowed; null otherwise. */
function parentAfterRestore(
  { page_id, parent_page_id: parent }: Page,
  tree: Page[],
  taskPages: Page[],
) {
  const live = taskPages.filter(({ archived_at }) => !archived_at)
  if (parent === null || !live.some((other) => other.page_id === parent)) return null
  return nestingProblem([...live, ...tree], page_id, parent) ? null : parent
}
