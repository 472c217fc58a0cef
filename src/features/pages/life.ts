import type { Context } from '../../kernel/caller.ts'
import { cleaned } from '../tasks/index.ts'
import { replacing, save, saveRow } from './change.ts'
import type { Written } from './contents.ts'
import { treeOf } from './rules.ts'
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
  { content, differ }: Written,
): Promise<{ page: Page; changed: string[] }> {
  const { content_type, canvas, title } = version
  const now = await textOf(ctx.tx, page)
  const was = await textAt(ctx.tx, { page, text: now }, version.version)
  // It may be older than the rules that texts are cleaned by.
  const text = canvas ? was : cleaned(content, was, content_type, 'content')
  const { isNew, set, back, write } = await replacing(
    ctx,
    page,
    { text, content_type, canvas },
    { differ },
  )
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
  const above = all.find(({ page_id }) => page_id === page.parent_page_id)
  const parent_page_id = above && !above.archived_at ? above.page_id : null
  const alive = await saveRow(ctx, { ...page, parent_page_id, archived_at: null })
  const away = all.filter((one) => one.archived_at?.getTime() === page.archived_at?.getTime())
  for (const one of treeOf(away, page.page_id).slice(1)) {
    const back = await saveRow(ctx, { ...one, archived_at: null })
    tell(ctx, 'restored', task, back, { changed: ['archived_at'] })
  }
  await countPages(ctx.tx, task)
  return alive
}
