import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import type { PageRow } from '../../entities/page/data.ts'
import { originState } from '../../entities/page/origin.ts'
import type { Task } from '../../entities/task/data.ts'
import { useMe } from '../../entities/user/me.ts'
import { t } from '../../messages/t.ts'

interface Props {
  task: Pick<Task, 'project_id' | 'ticket_number'> & { title?: string | undefined }
  /** The pages that this one is nested in, the outermost first. */
  path: readonly PageRow[]
  /** The actions on the page. */
  children?: ReactNode
}

/** The breadcrumbs of a page. */
export function PageHeader({ task: { project_id, ticket_number, title }, path, children }: Props) {
  const board = useMe()?.boards.find((one) => one.project_id === project_id)
  return (
    <header className="sheet-head">
      <nav aria-label={t('pages.breadcrumb')}>
        <ol>
          {board && (
            <li className="ancestor">
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
              <Link href={`/p/${page.page_id}`} state={originState()} dir="auto">
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

/** Loads the task of a page, because the page has only some of its fields. */
export function usePageTask(task_id: number) {
  const { data, isFetched, failureCount } = useOperation(
    ...(['tasks.get', { task_id, format: 'html' }] as const),
    { enabled: task_id > 0 },
  )
  return { task: data as Task | undefined, isFetched, failureCount }
}
