import type { ReactNode } from 'react'
import { Link, useRoute, useSearchParams } from 'wouter'
import { Icon } from '../parts/icon.tsx'

interface Props {
  ticket: string
  children?: ReactNode
  className?: string
}

/** To another task: beside the board where this one is, else on a page of its own. */
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
  /** What ticks it, in the place of the mark that says whether it is done. */
  mark?: ReactNode
  children?: ReactNode
}

/** Another task as a line: its key, what it says, where it stands. */
export const TaskLine = ({ ticket_number, title, section, done, mark, children }: LineProps) => (
  <li className={`other${done ? ' over' : ''}`}>
    {mark}
    <TaskLink ticket={ticket_number} className="task-line">
      {!mark && (done ? <Icon name="done" label="Done" /> : <span className="open-mark" />)}
      <span className="key">{ticket_number}</span>
      <span className="name" dir="auto">
        {title}
      </span>
      <span className="where">{section}</span>
    </TaskLink>
    {children}
  </li>
)
