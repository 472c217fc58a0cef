import { cache } from '../data/cache.ts'
import type { Output } from '../data/client.ts'

export type Talked = Output<'comments.list'>
export type Row = Talked['items'][number]
export type Said = Output<'comments.get'> & { kind: 'comment' }

export const talkOf = (task_id: number, include_activity: boolean) =>
  ({ task_id, include_activity, format: 'html', sort_order: 'desc', limit: 50 }) as const

/** Shows a change of what was said, wherever it is shown, and answers how it is taken back. */
export function patchTalk(task_id: number, change: (rows: Row[], isFirst: boolean) => Row[]) {
  const mine = {
    predicate: ({ queryKey: [name, input] }: { queryKey: readonly unknown[] }) =>
      name === 'comments.list' && (input as { task_id?: number }).task_id === task_id,
  }
  for (const [key, talked] of cache.getQueriesData<Talked>(mine)) {
    const isFirst = (key[1] as { cursor?: string }).cursor === undefined
    if (talked) cache.setQueryData<Talked>(key, { ...talked, items: change(talked.items, isFirst) })
  }
  return () => void cache.invalidateQueries(mine)
}

/** What was said but this, which was not taken. */
export const without = (said: Said) => (rows: Row[]) =>
  rows.filter(({ comment_id }) => comment_id !== said.comment_id)

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`).replace(/\n/g, '<br>')

/** How a comment looks until the server has it. */
export const asTyped = (text: string) =>
  text
    .split(/\n{2,}/)
    .map((part) => `<p>${escaped(part)}</p>`)
    .join('')
