import { cache } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'

export type CommentsPage = Output<'comments.list'>
export type Row = CommentsPage['items'][number]
export type TaskComment = Output<'comments.get'> & { kind: 'comment' }

export const commentsQuery = (task_id: number, include_activity: boolean) =>
  ({ task_id, include_activity, format: 'html', sort_order: 'desc', limit: 50 }) as const

/** Changes every cached page of a task's comments. Returns a function that reloads them. */
export function patchComments(task_id: number, change: (rows: Row[], isFirst: boolean) => Row[]) {
  const filters = {
    predicate: ({ queryKey: [name, input] }: { queryKey: readonly unknown[] }) =>
      name === 'comments.list' && (input as { task_id?: number }).task_id === task_id,
  }
  for (const [key, page] of cache.getQueriesData<CommentsPage>(filters)) {
    const isFirst = (key[1] as { cursor?: string }).cursor === undefined
    if (page) cache.setQueryData<CommentsPage>(key, { ...page, items: change(page.items, isFirst) })
  }
  return () => void cache.invalidateQueries(filters)
}

/** Removes a comment that the server refused. */
export const withoutComment = (comment: TaskComment) => (rows: Row[]) =>
  rows.filter(({ comment_id }) => comment_id !== comment.comment_id)

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`).replace(/\n/g, '<br>')

/** How a comment is shown until the server has rendered it. */
export const draftHtml = (text: string) =>
  text
    .split(/\n{2,}/)
    .map((part) => `<p>${escapeHtml(part)}</p>`)
    .join('')
