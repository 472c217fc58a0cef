import type { Context } from '../../kernel/caller.ts'
import { cleanedIn } from '../tasks/index.ts'
import { replacing, save, saveRow } from './change.ts'
import { misfit, treeOf } from './rules.ts'
import { countPages, type Page, type Paged, pagesOf } from './store.ts'
import { textOf } from './texts.ts'
import { textAt, type Version } from './versions.ts'
import { tell } from './write.ts'

/** Puts a page away with all that is nested in it; answers those that were not away yet. */
export async function archivePage(ctx: Context, { page, task }: Paged): Promise<Page[]> {
  if (page.archived_at) return []
  const all = await pagesOf(ctx.tx, task)
  const live = all.filter(({ archived_at }) => !archived_at)
  const archived: Page[] = []
  for (const one of treeOf(live, page.page_id)) {
    archived.push(await saveRow(ctx, { ...one, archived_at: ctx.now }))
    tell(ctx, 'archived', task, one)
  }
  await countPages(ctx.tx, task)
  return archived
}

/**
 * Makes a text that the page had its text again, as a new version; what is archived comes back, and
 * with it what was archived together with it.
 */
export async function restorePage(
  ctx: Context,
  { page, task }: Paged,
  version: Version,
): Promise<{ page: Page; changed: string[] }> {
  const { content_type, canvas, title } = version
  const now = await textOf(ctx.tx, page)
  const was = await textAt(ctx.tx, { page, text: now }, version.version)
  // HTML may be older than the rules that it is cleaned by; the others are cleaned to be shown.
  const isKept = canvas || content_type === 'markdown'
  const text = isKept ? was : cleanedIn(ctx, was, content_type, 'content').text
  const piece = { text, content_type, canvas }
  const { isNew, set, back, write } = await replacing(ctx, page, piece)
  const wanted = { ...page, ...set, title }
  const changed = [
    ...(isNew ? ['content'] : []),
    ...(['title', 'content_type', 'canvas'] as const).filter((name) => wanted[name] !== page[name]),
  ]
  if (isNew) await write()
  const note = `Restored version ${version.version}`
  const saved = changed.length ? await save(ctx, page, wanted, { back, changed, note }) : page
  const isBack = page.archived_at !== null
  const alive = isBack ? await bringBack(ctx, { page: saved, task }) : saved
  if (!changed.length && !isBack) return { page, changed }
  const told = isBack ? [...changed, 'archived_at'] : changed
  tell(ctx, 'restored', task, alive, { from_version: version.version, changed: told })
  return { page: alive, changed: told }
}

async function bringBack(ctx: Context, { page, task }: Pick<Paged, 'page' | 'task'>) {
  const all = await pagesOf(ctx.tx, task)
  const away = all.filter((one) => one.archived_at?.getTime() === page.archived_at?.getTime())
  const tree = treeOf(away, page.page_id)
  const parent_page_id = placeFor(page, tree, all)
  const alive = await saveRow(ctx, { ...page, parent_page_id, archived_at: null })
  for (const one of tree.slice(1)) {
    const back = await saveRow(ctx, { ...one, archived_at: null })
    tell(ctx, 'restored', task, back, { changed: ['archived_at'] })
  }
  await countPages(ctx.tx, task)
  return alive
}

/** Where a page was, if that is still there and not too deep by now; else at the top. */
function placeFor({ page_id, parent_page_id: parent }: Page, tree: Page[], all: Page[]) {
  const live = all.filter(({ archived_at }) => !archived_at)
  if (parent === null || !live.some((one) => one.page_id === parent)) return null
  return misfit([...live, ...tree], page_id, parent) ? null : parent
}
