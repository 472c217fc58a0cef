import { memo, useRef, useState } from 'react'
import { isComposing } from '../parts/composing.ts'
import { dueWords } from '../parts/dates.ts'
import { Icon, Priority } from '../parts/icon.tsx'
import type { Day } from '../parts/zone.ts'
import type { What } from './picker.tsx'
import type { MyTask } from './shapes.ts'

/** What can be done with one task of the list. */
export interface RowDeeds {
  open(task: MyTask): void
  turn(task: MyTask): void
  ask(what: What, task: MyTask): void
  rename(task: MyTask, title: string): void
  edit(task: MyTask | undefined): void
  reach(task_id: number): void
}

interface Props {
  task: MyTask
  /** Title of its board, where the group does not say it. */
  board: string | undefined
  active: boolean
  /** The title that is being typed, where one is. */
  typed: string | undefined
  /** The dates are said as of this day. */
  today: Day
  deeds: RowDeeds
}

/** One task in one line; the title is what it is reached by. */
export const RowView = memo(function RowView({ task, board, active, typed, deeds }: Props) {
  const { task_id, ticket_number, title, done } = task
  return (
    <article
      className={`todo${active ? ' active' : ''}${done ? ' done' : ''}`}
      data-task={task_id}
      onFocus={() => deeds.reach(task_id)}
    >
      <button
        type="button"
        className="circle"
        aria-label={`${done ? 'Reopen' : 'Complete'} ${title}`}
        onClick={() => deeds.turn(task)}
      >
        <Icon name="check" />
      </button>
      {task.priority ? <Priority value={task.priority} /> : <span className="none" />}
      <span className="key">{ticket_number}</span>
      {typed !== undefined ? (
        <Edit task={task} typed={typed} deeds={deeds} />
      ) : (
        <button type="button" className="what" dir="auto" onClick={() => deeds.open(task)}>
          {title}
        </button>
      )}
      <Metas task={task} board={board} />
      <Ends task={task} deeds={deeds} />
    </article>
  )
})

const Metas = ({ task, board }: Pick<Props, 'task' | 'board'>) => (
  <span className="metas">
    {task.blocked && <Icon name="blocked" label="Waits for another task" />}
    {task.recurrence && <Icon name="repeat" label={`Repeats: ${task.recurrence}`} />}
    {task.subtask_count > 0 && (
      <span className="meta">
        <Icon name="subtasks" label="Sub-tasks" />
        {task.subtask_count}
      </span>
    )}
    {task.labels.map(({ label_id, name, color }) => (
      <span key={label_id} className="meta label">
        <span className="dot" style={{ background: color }} />
        {name}
      </span>
    ))}
    {board && <span className="meta board-name">{board}</span>}
  </span>
)

function Ends({ task, deeds }: Pick<Props, 'task' | 'deeds'>) {
  const { due_date, overdue, snoozed_until, title } = task
  const due = due_date && dueWords(due_date)
  const asleep = snoozed_until && dueWords(snoozed_until)
  return (
    <span className="ends">
      <button
        type="button"
        className="button quiet only snooze"
        onClick={() => deeds.ask('snooze', task)}
      >
        <Icon name="moon" label={`Snooze ${title}`} />
      </button>
      {asleep && (
        <span className="meta" title={`Snoozed until ${asleep.full}`}>
          <Icon name="moon" label="Snoozed until" />
          {asleep.short}
        </span>
      )}
      <button
        type="button"
        className={`meta due${overdue && !task.done ? ' late' : ''}`}
        title={due ? due.full : 'No due date'}
        onClick={() => deeds.ask('due', task)}
      >
        {due ? (
          <>
            <span className="unseen">{overdue ? 'Overdue: ' : 'Due: '}</span>
            {due.short}
          </>
        ) : (
          <Icon name="calendar" label={`Set the due date of ${title}`} />
        )}
      </button>
    </span>
  )
}

interface EditProps extends Pick<Props, 'task' | 'deeds'> {
  typed: string
}

function Edit({ task, typed, deeds }: EditProps) {
  const [title, setTitle] = useState(typed)
  const isOver = useRef(false)
  const end = (isKept: boolean) => {
    // Taken away, the field loses the focus and would end it once more.
    if (isOver.current) return
    isOver.current = true
    const next = title.trim()
    deeds.edit(undefined)
    if (isKept && next && next !== task.title) deeds.rename(task, next)
  }
  return (
    <input
      className="field what"
      dir="auto"
      aria-label={`Title of ${task.ticket_number}`}
      maxLength={500}
      // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked to type here
      autoFocus
      value={title}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        const { key } = event
        if (isComposing(event)) return
        if (key === 'Enter' || key === 'Escape') end(key === 'Enter')
      }}
    />
  )
}
