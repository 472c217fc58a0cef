import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { say } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { type Task, useMe } from './data.ts'

interface Props {
  task: Task
  /** What closes the peek and makes it a page; nothing on a page. */
  children?: ReactNode
  menu: ReactNode
}

/** Which task this is, and what can be done with it as a whole. */
export function Head({ task, children, menu }: Props) {
  const { ticket_number, project_id } = task
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
        title="Copy the key"
        onClick={() => {
          void navigator.clipboard.writeText(ticket_number)
          say(`Copied ${ticket_number}`)
        }}
      >
        {ticket_number}
      </button>
      <span className="end">
        {menu}
        {children}
      </span>
    </header>
  )
}

/** Leads from the peek to the page. */
export const ToPage = ({ ticket }: { ticket: string }) => (
  <Link href={`/t/${ticket}`} className="button quiet only">
    <Icon name="expand" label="Open on a page of its own" />
  </Link>
)
