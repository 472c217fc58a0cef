import { ask, type Input, type Name, type Output } from './client.ts'

/** Lists that one chooses from, or that are shown to their end: they come in one piece. */
const WHOLE: ReadonlySet<Name> = new Set<Name>([
  'attachments.list',
  'custom_fields.list',
  'evidence.list',
  'labels.list',
  'leases.list',
  'projects.members',
  'relations.list',
  'sections.list',
  'teams.members',
  'views.list',
])
/** More than these are not gathered at once. */
const MOST_PAGES = 20

interface Rows {
  items: readonly unknown[]
  page: { next_cursor: string | null; has_more: boolean }
}

/** What an operation answers; a list that is to be whole with all of its pages. */
export async function askWhole<N extends Name>(
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<Output<N>> {
  const options = signal && { signal }
  const first = await ask(name, input, options)
  if (!WHOLE.has(name) || 'cursor' in input || 'search' in input) return first
  let { items, page } = first as unknown as Rows
  for (let pages = 1; page.next_cursor !== null && pages < MOST_PAGES; pages++) {
    const more = { ...input, cursor: page.next_cursor }
    const next = (await ask(name, more, options)) as unknown as Rows
    items = [...items, ...next.items]
    page = next.page
  }
  return { ...first, items, page }
}
