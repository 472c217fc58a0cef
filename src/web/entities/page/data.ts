import { useQuery } from '@tanstack/react-query'
import { cache, useOperation } from '../../data/cache.ts'
import { callOperation, type Input, type Output } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { ApiError } from '../../kit/errors.ts'
import { recordUndo, refuseUndo, showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { isVersionConflict } from '../editor/description-text.ts'
import type { Source } from '../editor/versioned-edit.ts'

export type Page = Output<'pages.get'>
export type PageRow = Output<'pages.list'>['items'][number]
export type Version = Output<'pages.versions'>['items'][number]
export type Status = NonNullable<Input<'pages.list'>['status']>
type Changes = Omit<Input<'pages.update'>, 'page_id' | 'id'>

export const isUnknown = (error: Error) =>
  error instanceof ApiError && (error.status === 403 || error.status === 404)

/** A page is identified by its id or by its unguessable public id. */
export const parsePageId = (text: string) => (/^\d+$/.test(text) ? Number(text) : text)
export const pageQuery = (page_id: number | string) => ({ page_id, format: 'html' }) as const

export const usePage = (page_id: number | string) => useOperation('pages.get', pageQuery(page_id))

const PAGE_SIZE = 50

/** All pages of a task, oldest first. */
export const useTaskPages = (task_id: number, status: Status = 'Normal', enabled = true) =>
  useQuery({
    queryKey: ['pages.list', { task_id, status }],
    queryFn: ({ signal }) => fetchTaskPages(task_id, status, signal),
    enabled: enabled && task_id > 0,
  })

async function fetchTaskPages(
  task_id: number,
  status: Status,
  signal: AbortSignal,
): Promise<PageRow[]> {
  const pages: PageRow[] = []
  let cursor: string | null | undefined
  do {
    const input = {
      task_id,
      status,
      sort: 'createdAt:asc',
      limit: PAGE_SIZE,
      ...(cursor && { cursor }),
    }
    const { items, page } = await callOperation('pages.list', input, { signal })
    pages.push(...items)
    cursor = page.next_cursor
  } while (cursor)
  return pages
}

const concernsPage = (name: string, data: unknown, input: unknown, page_id: number) => {
  const { page_id: requestedId } = (input ?? {}) as { page_id?: unknown }
  const { page_id: loadedId } = (data ?? {}) as { page_id?: unknown }
  return name.startsWith('pages.') && (requestedId === page_id || loadedId === page_id)
}

/** Reloads the queries of a page and the list of its task's pages. */
export async function reloadPage({ page_id, task_id }: Pick<Page, 'page_id' | 'task_id'>) {
  void cache.invalidateQueries({ queryKey: ['pages.list', { task_id }] })
  await cache.invalidateQueries({
    predicate: ({ queryKey: [name, input], state: { data } }) =>
      concernsPage(String(name), data, input, page_id),
  })
}

/** Changes the cached page and returns a function that reloads it. */
export function patchPage({ page_id, task_id }: Page, change: Partial<Page>): () => void {
  for (const [key, page] of cache.getQueriesData<Page>({ queryKey: ['pages.get'] }))
    if (page?.page_id === page_id && page.current !== false)
      cache.setQueryData(key, { ...page, ...change })
  const inList = { queryKey: ['pages.list', { task_id }] }
  cache.setQueriesData<PageRow[]>(inList, (rows) =>
    rows?.map((one) => (one.page_id === page_id ? { ...one, ...change } : one)),
  )
  return () => void reloadPage({ page_id, task_id })
}

/** Changes a page optimistically; reverts and shows the error if the server refuses. */
export async function changePage(page: Page, change: Changes, patch: Partial<Page>) {
  const revert = patchPage(page, patch)
  try {
    const receipt = await sendWrite('pages.update', { page_id: page.page_id, ...change })
    await reloadPage(page)
    return receipt
  } catch (error) {
    revert()
    showError(error)
    return undefined
  }
}

/** Renames a page, with undo. */
export async function renamePage(page: Page, title: string, message?: string): Promise<boolean> {
  const receipt = await changePage(page, { title }, { title })
  if (!receipt) return false
  const { page_id, title: before } = page
  const undo = async () => {
    const current = await callOperation('pages.get', pageQuery(page_id))
    if (current.title !== receipt.title) return refuseUndo(t('page.title_of_the_page'))
    return (await changePage(current, { title: before }, { title: before })) !== undefined
  }
  recordUndo({ what: t('page.title_of_title', { title: receipt.title }), undo }, message)
  return true
}

/** The Markdown of a page, or the HTML of a canvas, with the version to save over. */
export async function fetchSource({ page_id, canvas }: Page): Promise<Source> {
  const { content, version } = await callOperation('pages.get', { page_id, format: 'markdown' })
  if (!canvas) return { text: content, version }
  const { html } = await callOperation('pages.canvas', { page_id, version })
  return { text: html, version }
}

/** Saves a text over a version. Returns the current text if the version is outdated. */
export async function savePage(page: Page, content: string, if_version: number, note: string) {
  const { page_id, canvas } = page
  const before = await fetchSource(page)
  try {
    await sendWrite('pages.update', {
      ...{ page_id, content, if_version, ...(note.trim() && { note: note.trim() }) },
      ...(canvas && { canvas }),
    })
    recordUndo({
      what: t('page.text_of_title', { title: page.title }),
      undo: () => undoSave(page, before, content),
    })
  } catch (error) {
    if (isVersionConflict(error)) return fetchSource(page)
    throw error
  }
  await reloadPage(page)
  return undefined
}

/** Undoes a save, unless the text was changed since. */
async function undoSave(page: Page, before: Source, savedText: string): Promise<boolean> {
  const { page_id, canvas } = page
  const current = await fetchSource(page)
  if (current.text.trim() !== savedText.trim())
    return refuseUndo(t('page.text_of_title', { title: page.title }))
  if (page.content_type === 'html' && !canvas) {
    const { items } = await callOperation('pages.versions', { page_id, limit: 50 })
    await restorePage(page, items.find(({ version }) => version === before.version)?.version_id)
    return true
  }
  await sendWrite('pages.update', {
    ...{ page_id, content: before.text, if_version: current.version },
    ...(canvas && { canvas }),
  })
  await reloadPage(page)
  return true
}

/** Restores a version. Restoring the newest version unarchives an archived page. */
export async function restorePage(page: Pick<Page, 'page_id' | 'task_id'>, version_id?: number) {
  const { page_id } = page
  const newest = async () =>
    (await callOperation('pages.versions', { page_id, limit: 1 })).items[0]!.version_id
  const receipt = await sendWrite('pages.restore', {
    ...{ page_id, version_id: version_id ?? (await newest()) },
  })
  await reloadPage(page)
  return receipt
}

/** Archives a page with the pages nested in it, with undo. */
export async function archivePage(page: Pick<Page, 'page_id' | 'task_id' | 'title'>) {
  try {
    const { archived } = await sendWrite('pages.archive', { page_id: page.page_id })
    await reloadPage(page)
    showToast(
      t('page.archived', { title: page.title, nested: archived - 1 }),
      () => void unarchivePage(page),
    )
    return true
  } catch (error) {
    showError(error)
    return false
  }
}

export const unarchivePage = (page: Pick<Page, 'page_id' | 'task_id'>) =>
  restorePage(page).then(() => true, showError)

/** The number of words and the reading time of a text. */
export function readingLength(html: string): { words: number; minutes: number } {
  const text = html.replace(/<[^>]*>/g, ' ').replace(/&\w+;/g, ' ')
  const words = text.match(/[\p{L}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*/gu)?.length ?? 0
  return { words, minutes: Math.max(1, Math.round(words / WORDS_A_MINUTE)) }
}
const WORDS_A_MINUTE = 220
