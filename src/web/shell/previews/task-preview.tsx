import { type Task, useTask } from '../../entities/task/data.ts'
import { PRIORITIES, Priority } from '../../entities/task/priority.tsx'
import { keyOf } from '../../entities/user/actor.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import type { Me } from '../../entities/user/me.ts'
import { dueText } from '../../kit/dates.ts'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import { FirstLines, Pending } from './parts.tsx'

export function TaskPreview({ me, ticket }: { me: Me; ticket: string }) {
  const { task, error } = useTask(ticket)
  if (!task) return <Pending error={error} />
  const { ticket_number, project_id, section, title, done } = task
  const board = me.boards.find((one) => one.project_id === project_id)?.title
  return (
    <>
      <p className="preview-head soft">
        <span className="key">{ticket_number}</span>
        <span className="truncate">{[board, section].filter(Boolean).join(' · ')}</span>
        {done && <Icon name="done" label={t('common.done')} />}
      </p>
      <p className="preview-title" dir="auto">
        {title}
      </p>
      <FirstLines html={task.description ?? ''} />
      <TaskFacts task={task} />
    </>
  )
}

function TaskFacts({ task: { priority, due_date, overdue, assignees, lease } }: { task: Task }) {
  const due = due_date ? dueText(due_date) : undefined
  return (
    <p className="preview-facts">
      {assignees.map((one) => (
        <span key={keyOf(one)} className="flex-row">
          <span aria-hidden="true">
            <Avatar actor={one} busy={lease?.holder.agent_id === (one.agent_id ?? '')} />
          </span>
          {one.name}
        </span>
      ))}
      {!assignees.length && <span className="soft">{t('preview.unassigned')}</span>}
      {priority > 0 && (
        <span className="flex-row">
          <span aria-hidden="true" className="flex-row">
            <Priority value={priority} />
          </span>
          {PRIORITIES[priority]}
        </span>
      )}
      {due && (
        <span className={`flex-row${overdue ? ' late' : ''}`}>
          <Icon name="calendar" label={overdue ? t('common.overdue') : t('common.due')} />
          {due.short}
        </span>
      )}
    </p>
  )
}
