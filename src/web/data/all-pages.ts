import { callOperation, type Input, type OperationName, type Output } from './client.ts'

/** Lists to choose from, or that are shown in full: all of their pages are loaded at once. */
const COMPLETE_LISTS: ReadonlySet<OperationName> = new Set<OperationName>([
  'attachments.list',
  'custom_fields.list',
  'evidence.list',
  'labels.list',
  'leases.list',
  'placeholders.list',
  'projects.members',
  'relations.list',
  'sections.list',
  'teams.members',
  'views.list',
])
/** The most pages that are loaded for one list. */
const MAX_PAGES = 20

interface Page {
  items: readonly unknown[]
  page: { next_cursor: string | null; has_more: boolean }
}

/** The result of an operation. Of a list in `COMPLETE_LISTS`, all pages together. */
export async function callWithAllPages<N extends OperationName>(
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<Output<N>> {
  const options = signal && { signal }
  const first = await callOperation(name, input, options)
  if (!COMPLETE_LISTS.has(name) || 'cursor' in input || 'search' in input) return first
  let { items, page } = first as unknown as Page
  for (let pages = 1; page.next_cursor !== null && pages < MAX_PAGES; pages++) {
    const nextInput = { ...input, cursor: page.next_cursor }
    const next = (await callOperation(name, nextInput, options)) as unknown as Page
    items = [...items, ...next.items]
    page = next.page
  }
  return { ...first, items, page }
}
