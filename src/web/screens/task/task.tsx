import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { leaveField } from '../../entities/editor/leave-field.ts'
import type { Task } from '../../entities/task/data.ts'
import { useRecentTask } from '../../entities/task/recent.ts'
import { TASK_FIELDS, type TaskField } from '../../entities/task/task-fields.tsx'
import { toggleWatching } from '../../entities/task/watching.ts'
import { toggleTimer } from '../../entities/timer/lazy-toggle.ts'
import { agoText } from '../../kit/dates.ts'
import { rich, t } from '../../messages/t.ts'
import { CommentList } from './comment-list.tsx'
import { DueRow, RepeatsRow, SnoozeRow, StartRow } from './dates.tsx'
import { Decisions } from './decisions.tsx'
import { Description } from './description.tsx'
import { Evidence } from './evidence.tsx'
import { CustomFields } from './fields.tsx'
import { Files } from './files.tsx'
import { TaskHeader } from './head.tsx'
import { type PickerState, useTaskKeys } from './keys.ts'
import { LeaseNote } from './lease.tsx'
import { Pages } from './pages.tsx'
import { ParentRow } from './parent.tsx'
import { AssigneesRow } from './people.tsx'
import { ColumnRow, FieldRow, LabelsRow } from './property-rows.tsx'
import { PullRows } from './pulls.tsx'
import { Relations } from './relations.tsx'
import { Runs } from './runs.tsx'
import { Subtasks } from './subtasks.tsx'
import { type Addable, TaskMenu, useSetStatus } from './task-menu.tsx'
import { TimeRow } from './time-row.tsx'
import { Title } from './title.tsx'
import { WatchersRow } from './watchers.tsx'

interface Props {
  task: Task
  onClose?: () => void
  onNext?: ((step: 1 | -1) => void) | undefined
  /** A key pressed before the task had loaded. */
  pendingKey?: RefObject<string | undefined>
  onShowTask(ticket: string): void
  onDelete(): void
  /** Buttons at the end of the header. */
  children?: ReactNode
}

/** The whole task, shown alike in the panel and on its own page. */
export function TaskView({
  task,
  onClose,
  onNext,
  pendingKey,
  onShowTask,
  onDelete,
  children,
}: Props) {
  useRecentTask(task)
  const parts = useRequestedParts()
  const { requested, add } = parts
  const root = useRef<HTMLElement>(null)
  const pickerState = useTaskKeys({
    close: onClose,
    ...{ next: onNext, pendingKey },
    scrollToFields: () =>
      root.current?.querySelector('.rows')?.scrollIntoView({ block: 'nearest' }),
    timer: () => void toggleTimer(task),
    watch: () => void toggleWatching(task),
    comment: () => focusComposer(root.current?.querySelector('.detail-section > .composer')),
  })
  return (
    <article
      className="task fill"
      tabIndex={-1}
      ref={root}
      aria-label={`${task.ticket_number}, ${task.title}`}
    >
      <TaskHeader task={task} menu={<TaskMenu {...{ task, onDelete, onShowTask }} onAdd={add} />}>
        {children}
      </TaskHeader>
      <div className="task-body scroller">
        <StatusNotice task={task} />
        <Title task={task} />
        <LeaseNote lease={task.lease} />
        <Rows {...{ task, pickerState, parts }} />
        <div className="task-text">
          <Decisions task={task} />
          <Description task={task} />
          <Subtasks task={task} requested={requested.has('subtask')} />
          <Relations task={task} requested={requested.has('relation')} />
          <Runs task={task} requested={requested.has('run')} onClose={() => parts.hide('run')} />
          <Pages task={task} requested={requested.has('page')} />
          <Evidence task={task} />
          <Files task={task} requested={requested.has('file')} />
          <CommentList task={task} />
          <Origin task={task} />
        </div>
      </div>
    </article>
  )
}

/** The empty sections and rows that were added from the menu. */
function useRequestedParts() {
  const [requested, setRequested] = useState<ReadonlySet<Addable>>(new Set())
  return {
    requested,
    add: (what: Addable) => setRequested(new Set(requested).add(what)),
    hide: (what: Addable) => setRequested(new Set([...requested].filter((one) => one !== what))),
  }
}

/** The priority is shown above the due date, the other fields below the labels. */
const isPriority = ({ name }: TaskField) => name === 'priority'

interface RowsProps {
  task: Task
  pickerState: PickerState
  parts: ReturnType<typeof useRequestedParts>
}

function Rows({ task, pickerState, parts: { requested, hide } }: RowsProps) {
  const rowProps = (what: Addable) => ({
    task,
    requested: requested.has(what),
    onClose: () => hide(what),
  })
  const fieldRows = (fields: readonly TaskField[]) =>
    fields.map((field) => (
      <FieldRow key={field.name} task={task} pickerState={pickerState} field={field} />
    ))
  return (
    <dl className="rows">
      <ColumnRow task={task} pickerState={pickerState} />
      <AssigneesRow task={task} pickerState={pickerState} />
      {fieldRows(TASK_FIELDS.filter(isPriority))}
      <DueRow task={task} pickerState={pickerState} />
      <LabelsRow task={task} pickerState={pickerState} />
      {fieldRows(TASK_FIELDS.filter((field) => !isPriority(field)))}
      <TimeRow task={task} />
      <WatchersRow task={task} />
      <StartRow key={`start ${requested.has('start')}`} {...rowProps('start')} />
      <RepeatsRow key={`repeat ${requested.has('repeat')}`} {...rowProps('repeat')} />
      <SnoozeRow key={`snooze ${requested.has('snooze')}`} {...rowProps('snooze')} />
      <ParentRow task={task} requested={requested.has('parent')} />
      <CustomFields task={task} requested={requested.has('field')} />
      <PullRows task={task} />
    </dl>
  )
}

/** Focuses the comment field. The editor's host element passes the focus into its shadow root. */
function focusComposer(composer: Element | null | undefined) {
  const field = composer?.querySelector<HTMLElement>('.code:not([hidden]), textarea')
  field?.scrollIntoView({ block: 'nearest' })
  field?.focus()
}

const STATUS_NOTICES = {
  Archive: t('task.this_task_is_archived'),
  Deleted: t('task.this_task_was_deleted'),
} as const

function StatusNotice({ task }: { task: Task }) {
  const setStatus = useSetStatus(task)
  const { status } = task
  if (status === 'Normal') return null
  const restore = () => {
    leaveField('.notice')
    setStatus('Normal')
  }
  return (
    <p className="notice">
      <span>{STATUS_NOTICES[status]}</span>
      <button type="button" className="button quiet" onClick={restore}>
        {t('common.restore')}
      </button>
    </p>
  )
}

function Origin({ task: { created_by, created_at, updated_at } }: { task: Task }) {
  const [created, updated] = [agoText(created_at), agoText(updated_at)]
  return (
    <p className="origin">
      {rich('task.created_by_name_short_updated_short2', {
        name: created_by.name,
        short: (
          <time dateTime={created_at} title={created.full}>
            {created.short}
          </time>
        ),
        short2: (
          <time dateTime={updated_at} title={updated.full}>
            {updated.short}
          </time>
        ),
      })}
    </p>
  )
}
