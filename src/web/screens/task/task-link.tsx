import type { ReactNode } from 'react'
import { Link, useRoute, useSearchParams } from 'wouter'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'

interface Props {
  ticket: string
  children?: ReactNode
  className?: string
}

/** Links to another task: in the panel if this one is shown there, else on its own page. */
export function TaskLink({ ticket, children, className = 'task-link' }: Props) {
  const [isPage] = useRoute('/t/:key')
  const [, setQuery] = useSearchParams()
  return (
    <Link
      href={`/t/${ticket}`}
      className={className}
      onClick={(event) => {
        if (isPage || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        setQuery((query) => {
          query.set('task', ticket)
          return query
        })
      }}
    >
      {children ?? ticket}
    </Link>
  )
}

interface LineProps {
  ticket_number: string
  title: string
  section: string
  done: boolean
  /** A checkbox, shown instead of the done mark. */
  mark?: ReactNode
  children?: ReactNode
}

/** Another task as one line: key, title and section. */
export const TaskLine = ({ ticket_number, title, section, done, mark, children }: LineProps) => (
  <li className={`other${done ? ' over' : ''}`}>
    {mark}
    <TaskLink ticket={ticket_number} className="task-line">
      {!mark &&
        (done ? <Icon name="done" label={t('common.done')} /> : <span className="open-mark" />)}
      <span className="key">{ticket_number}</span>
      <span className="name truncate" dir="auto">
        {title}
      </span>
      <span className="where minor">{section}</span>
    </TaskLink>
    {children}
  </li>
)
