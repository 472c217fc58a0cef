import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useAsk } from '../data/cache.ts'
import { type Task, useMe } from '../task/data.ts'
import type { PageRow } from './data.ts'
import { from } from './from.ts'

interface Props {
  task: Pick<Task, 'project_id' | 'ticket_number'> & { title?: string | undefined }
  /** The pages that this one is in, the outermost first. */
  path: readonly PageRow[]
  /** What can be done here. */
  children?: ReactNode
}

/** The way from the board over the task to this page. */
export function Head({ task: { project_id, ticket_number, title }, path, children }: Props) {
  const board = useMe()?.boards.find((one) => one.project_id === project_id)
  return (
    <header className="sheet-head">
      <nav aria-label="Where this page is">
        <ol>
          {board && (
            <li className="far">
              <Link href={`/projects/${project_id}`}>{board.title}</Link>
            </li>
          )}
          <li>
            <Link href={`/t/${ticket_number}`}>
              <span className="key">{ticket_number}</span> {title}
            </Link>
          </li>
          {path.map((page) => (
            <li key={page.page_id}>
              <Link href={`/p/${page.page_id}`} state={from()} dir="auto">
                {page.title}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      <span className="end">{children}</span>
    </header>
  )
}

/** The task of a page, which has more to say than the page knows of it. */
export function useTaskOf(task_id: number) {
  const { data, isFetched, failureCount } = useAsk(
    ...(['tasks.get', { task_id, format: 'html' }] as const),
    { enabled: task_id > 0 },
  )
  return { task: data as Task | undefined, isFetched, failureCount }
}
