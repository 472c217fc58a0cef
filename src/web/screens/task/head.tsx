import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Presence } from '../../entities/presence/presence.tsx'
import type { Task } from '../../entities/task/data.ts'
import { useMe } from '../../entities/user/me.ts'
import { Icon } from '../../kit/icon.tsx'
import { showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'

interface Props {
  task: Task
  /** Buttons of the panel: close, open as page. A page has none. */
  children?: ReactNode
  menu: ReactNode
}

/** The header of a task: its board, its key and its menu. */
export function TaskHeader({ task, children, menu }: Props) {
  const { task_id, ticket_number, project_id } = task
  const board = useMe()?.boards.find((one) => one.project_id === project_id)
  return (
    <header className="task-head">
      {board && (
        <Link href={`/projects/${project_id}`} className="crumb">
          {board.title}
        </Link>
      )}
      <button
        type="button"
        className="key"
        title={t('task.copy_key')}
        onClick={() => {
          void navigator.clipboard.writeText(ticket_number)
          showToast(t('task.copied_ticket_number', { ticket_number }))
        }}
      >
        {ticket_number}
      </button>
      <span className="end">
        <Presence project_id={project_id} task_id={task_id} />
        {menu}
        {children}
      </span>
    </header>
  )
}

/** Opens the task on a page of its own. */
export const OpenPageLink = ({ ticket }: { ticket: string }) => (
  <Link href={`/t/${ticket}`} className="button quiet only">
    <Icon name="expand" label={t('task.open_as_a_page')} />
  </Link>
)
