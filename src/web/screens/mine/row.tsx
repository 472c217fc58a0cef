import { memo } from 'react'
import { Priority } from '../../entities/task/priority.tsx'
import { ruleInline } from '../../entities/task/rule-text.ts'
import { keyOf } from '../../entities/user/actor.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import { dueText } from '../../kit/dates.ts'
import { Icon } from '../../kit/icon.tsx'
import { RenameField } from '../../kit/rename-field.tsx'
import type { Day } from '../../kit/zone.ts'
import { t } from '../../messages/t.ts'
import type { PickerKind } from './picker.tsx'
import type { MyTask } from './types.ts'

/** The actions on a task of the list. */
export interface RowActions {
  open(task: MyTask): void
  toggleDone(task: MyTask): void
  showPicker(kind: PickerKind, task: MyTask): void
  rename(task: MyTask, title: string): void
  edit(task: MyTask | undefined): void
  activate(task_id: number): void
}

interface Props {
  task: MyTask
  /** The board's title, unless the group shows it. */
  board: string | undefined
  active: boolean
  /** The edited title while it is being edited. */
  draftTitle: string | undefined
  /** The day that relative dates refer to. */
  today: Day
  showsAssignees: boolean
  actions: RowActions
}

/** A task as one line; its title is the focusable element. */
export const RowView = memo(function RowView(props: Props) {
  const { task, board, active, draftTitle, showsAssignees, actions } = props
  const { task_id, ticket_number, title, done } = task
  return (
    <article
      className={`todo row-focus${active ? ' active' : ''}${done ? ' done' : ''}`}
      data-task={task_id}
      onFocus={() => actions.activate(task_id)}
    >
      <button
        type="button"
        className="circle wide-target"
        aria-label={done ? t('mine.reopen_title', { title }) : t('mine.complete_title', { title })}
        onClick={() => actions.toggleDone(task)}
      >
        <Icon name="check" />
      </button>
      {task.priority ? <Priority value={task.priority} /> : <span className="none" />}
      <span className="key minor">{ticket_number}</span>
      {draftTitle !== undefined ? (
        <RenameField
          title={title}
          draft={draftTitle}
          name={t('mine.title_of_ticket_number', { ticket_number })}
          className="row-title"
          onFinish={(next) => {
            actions.edit(undefined)
            if (next) actions.rename(task, next)
          }}
        />
      ) : (
        <button
          type="button"
          className="row-title cover"
          dir="auto"
          onClick={() => actions.open(task)}
        >
          {title}
        </button>
      )}
      <RowDetails task={task} board={board} />
      {showsAssignees && <Assignees task={task} />}
      <RowEnd task={task} actions={actions} />
    </article>
  )
})

const MOST_ASSIGNEES = 3

const Assignees = ({ task: { assignees } }: Pick<Props, 'task'>) => (
  <span className="avatars">
    {assignees.slice(0, MOST_ASSIGNEES).map((actor) => (
      <Avatar key={keyOf(actor)} actor={actor} />
    ))}
  </span>
)

const RowDetails = ({ task, board }: Pick<Props, 'task' | 'board'>) => (
  <span className="meta-list">
    {task.blocked && <Icon name="blocked" label={t('common.blocked_by_another_task')} />}
    {task.recurrence && (
      <Icon
        name="repeat"
        label={t('mine.repeats_recurrence', { recurrence: ruleInline(task.recurrence) })}
      />
    )}
    {task.subtask_count > 0 && (
      <span className="meta">
        <Icon name="subtasks" label={t('common.subtasks')} />
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

function RowEnd({ task, actions }: Pick<Props, 'task' | 'actions'>) {
  const { due_date, overdue, snoozed_until, title } = task
  const due = due_date && dueText(due_date)
  const snoozed = snoozed_until && dueText(snoozed_until)
  return (
    <span className="ends">
      <button
        type="button"
        className="button quiet only snooze"
        onClick={() => actions.showPicker('snooze', task)}
      >
        <Icon name="moon" label={t('mine.snooze_title', { title })} />
      </button>
      {snoozed && (
        <span className="meta" title={t('mine.snoozed_until_full', { full: snoozed.full })}>
          <Icon name="moon" label={t('mine.snoozed_until')} />
          {snoozed.short}
        </span>
      )}
      <button
        type="button"
        className={`meta due${overdue && !task.done ? ' late' : ''}`}
        title={due ? due.full : t('common.no_due_date')}
        onClick={() => actions.showPicker('due', task)}
      >
        {due ? (
          <>
            <span className="unseen">{overdue ? t('mine.overdue') : t('mine.due')} </span>
            {due.short}
          </>
        ) : (
          <Icon name="calendar" label={t('mine.set_the_due_date_of_title', { title })} />
        )}
      </button>
    </span>
  )
}
