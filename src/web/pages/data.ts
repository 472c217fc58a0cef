import { useQuery } from '@tanstack/react-query'
import { cache, useAsk } from '../data/cache.ts'
import { ask, type Input, type Output, Refused, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, record, refuseUndo, say } from '../frame/toasts.tsx'
import type { Source } from '../task/over.ts'
import { isClash } from '../task/text.ts'

export type Page = Output<'pages.get'>
export type PageRow = Output<'pages.list'>['items'][number]
export type Version = Output<'pages.versions'>['items'][number]
export type Status = NonNullable<Input<'pages.list'>['status']>
type Changes = Omit<Input<'pages.update'>, 'page_id' | 'id'>

export const refused = (error: unknown) => complain(wordsOf(error))
export const isUnknown = (error: Error) =>
  error instanceof Refused && (error.status === 403 || error.status === 404)

/** A page is called by its number, or by a name that nobody guesses. */
export const refOf = (text: string) => (/^\d+$/.test(text) ? Number(text) : text)
export const wholeOf = (page_id: number | string) => ({ page_id, format: 'html' }) as const

export const usePage = (page_id: number | string) => useAsk('pages.get', wholeOf(page_id))

const MOST = 50

/** All pages of a task, in the order in which they were made. */
export const useTaskPages = (task_id: number, status: Status = 'Normal', enabled = true) =>
  useQuery({
    queryKey: ['pages.list', { task_id, status }],
    queryFn: ({ signal }) => all(task_id, status, signal),
    enabled: enabled && task_id > 0,
  })

async function all(task_id: number, status: Status, signal: AbortSignal): Promise<PageRow[]> {
  const found: PageRow[] = []
  let cursor: string | null | undefined
  do {
    const input = { task_id, status, sort: 'createdAt:asc', limit: MOST, ...(cursor && { cursor }) }
    const { items, page } = await ask('pages.list', input, { signal })
    found.push(...items)
    cursor = page.next_cursor
  } while (cursor)
  return found
}

const isAbout = (name: string, data: unknown, input: unknown, page_id: number) => {
  const { page_id: asked } = (input ?? {}) as { page_id?: unknown }
  const { page_id: found } = (data ?? {}) as { page_id?: unknown }
  return name.startsWith('pages.') && (asked === page_id || found === page_id)
}

/** Reads again what is shown of a page, and of the pages around it. */
export async function readPage({ page_id, task_id }: Pick<Page, 'page_id' | 'task_id'>) {
  void cache.invalidateQueries({ queryKey: ['pages.list', { task_id }] })
  await cache.invalidateQueries({
    predicate: ({ queryKey: [name, input], state: { data } }) =>
      isAbout(String(name), data, input, page_id),
  })
}

/** Shows a change of a page, and answers how it is taken back. */
export function patchPage({ page_id, task_id }: Page, change: Partial<Page>): () => void {
  for (const [key, page] of cache.getQueriesData<Page>({ queryKey: ['pages.get'] }))
    if (page?.page_id === page_id && page.current !== false)
      cache.setQueryData(key, { ...page, ...change })
  const inList = { queryKey: ['pages.list', { task_id }] }
  cache.setQueriesData<PageRow[]>(inList, (rows) =>
    rows?.map((one) => (one.page_id === page_id ? { ...one, ...change } : one)),
  )
  return () => void readPage({ page_id, task_id })
}

/** A change that is shown at once, and taken back in the server's words where that refuses. */
export async function changePage(page: Page, change: Changes, shown: Partial<Page>) {
  const back = patchPage(page, shown)
  try {
    const receipt = await send('pages.update', { page_id: page.page_id, ...change })
    await readPage(page)
    return receipt
  } catch (error) {
    back()
    refused(error)
    return undefined
  }
}

/** Gives a page another title, with the way back. */
export async function renamePage(page: Page, title: string, words?: string): Promise<boolean> {
  const receipt = await changePage(page, { title }, { title })
  if (!receipt) return false
  const { page_id, title: before } = page
  const undo = async () => {
    const now = await ask('pages.get', wholeOf(page_id))
    if (now.title !== receipt.title) return refuseUndo('title of the page')
    return (await changePage(now, { title: before }, { title: before })) !== undefined
  }
  record({ what: `title of “${receipt.title}”`, undo }, words)
  return true
}

/** The text as it is written, with the version to write over; of a canvas its document. */
export async function sourceOf({ page_id, canvas }: Page): Promise<Source> {
  const { content, version } = await ask('pages.get', { page_id, format: 'markdown' })
  if (!canvas) return { text: content, version }
  const { html } = await ask('pages.canvas', { page_id, version })
  return { text: html, version }
}

/** Writes a text over a version; answers the text that stands there where it is another. */
export async function savePage(page: Page, content: string, if_version: number, note: string) {
  const { page_id, canvas } = page
  const before = await sourceOf(page)
  try {
    await send('pages.update', {
      ...{ page_id, content, if_version, ...(note.trim() && { note: note.trim() }) },
      ...(canvas && { canvas }),
    })
    record({
      what: `text of “${page.title}”`,
      undo: () => textBack(page, before, content),
    })
  } catch (error) {
    if (isClash(error)) return sourceOf(page)
    throw error
  }
  await readPage(page)
  return undefined
}

/** Gives a page the text back that a save replaced, where nobody wrote another since. */
async function textBack(page: Page, before: Source, saved: string): Promise<boolean> {
  const { page_id, canvas } = page
  const now = await sourceOf(page)
  if (now.text.trim() !== saved.trim()) return refuseUndo(`text of “${page.title}”`)
  if (page.content_type === 'html' && !canvas) {
    const { items } = await ask('pages.versions', { page_id, limit: 50 })
    await restorePage(page, items.find(({ version }) => version === before.version)?.version_id)
    return true
  }
  await send('pages.update', {
    ...{ page_id, content: before.text, if_version: now.version },
    ...(canvas && { canvas }),
  })
  await readPage(page)
  return true
}

/** Makes a version the text of the page again; of an archived page its newest one brings it back. */
export async function restorePage(page: Pick<Page, 'page_id' | 'task_id'>, version_id?: number) {
  const { page_id } = page
  const newest = async () =>
    (await ask('pages.versions', { page_id, limit: 1 })).items[0]!.version_id
  const receipt = await send('pages.restore', {
    ...{ page_id, version_id: version_id ?? (await newest()) },
  })
  await readPage(page)
  return receipt
}

/** Puts a page away with all that is nested in it, and leads back where that was not meant. */
export async function archivePage(page: Pick<Page, 'page_id' | 'task_id' | 'title'>) {
  try {
    const { archived } = await send('pages.archive', { page_id: page.page_id })
    await readPage(page)
    const more = archived > 1 ? ` and ${archived - 1} in it` : ''
    say(`Archived “${page.title}”${more}`, () => void bringBack(page))
    return true
  } catch (error) {
    refused(error)
    return false
  }
}

export const bringBack = (page: Pick<Page, 'page_id' | 'task_id'>) =>
  restorePage(page).then(() => true, refused)

/** How many words a text has that is read, and the minutes that takes. */
export function lengthOf(html: string): { words: number; minutes: number } {
  const text = html.replace(/<[^>]*>/g, ' ').replace(/&\w+;/g, ' ')
  const words = text.match(/[\p{L}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*/gu)?.length ?? 0
  return { words, minutes: Math.max(1, Math.round(words / WORDS_A_MINUTE)) }
}
const WORDS_A_MINUTE = 220
