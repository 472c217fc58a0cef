import { cache } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'

export type CommentsPage = Output<'comments.list'>
export type Row = CommentsPage['items'][number]
export type TaskComment = Output<'comments.get'> & { kind: 'comment' }

export const commentsQuery = (task_id: number, include_activity: boolean) =>
  ({ task_id, include_activity, format: 'html', sort_order: 'desc', limit: 50 }) as const

/** Every cached page of a task's comments. */
const pagesOf = (task_id: number) => ({
  predicate: ({ queryKey: [name, input] }: { queryKey: readonly unknown[] }) =>
    name === 'comments.list' && (input as { task_id?: number }).task_id === task_id,
})

export const reloadComments = (task_id: number) => void cache.invalidateQueries(pagesOf(task_id))

/** Changes every cached page of a task's comments. Returns a function that reloads them. */
export function patchComments(task_id: number, change: (rows: Row[], isFirst: boolean) => Row[]) {
  const filters = pagesOf(task_id)
  for (const [queryKey, page] of cache.getQueriesData<CommentsPage>(filters)) {
    if (!page) continue
    const isFirst = (queryKey[1] as { cursor?: string }).cursor === undefined
    // A response from before the change would overwrite it.
    void cache.cancelQueries({ queryKey, exact: true })
    cache.setQueryData<CommentsPage>(queryKey, { ...page, items: change(page.items, isFirst) })
  }
  return () => reloadComments(task_id)
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
