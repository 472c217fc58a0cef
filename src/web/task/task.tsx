import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { agoWords } from '../parts/dates.ts'
import { toggleTimer } from '../timers/at-hand.ts'
import type { Task } from './data.ts'
import { DueRow, RepeatsRow, SnoozeRow, StartRow } from './dates.tsx'
import { Decisions } from './decisions.tsx'
import { type Extra, TaskMenu, useStore } from './deeds.tsx'
import { Description } from './description.tsx'
import { Evidence } from './evidence.tsx'
import { CustomFields } from './fields.tsx'
import { Files } from './files.tsx'
import { Head } from './head.tsx'
import { type Opening, useTaskKeys } from './keys.ts'
import { LeaseNote } from './lease.tsx'
import { leaveField } from './leave.ts'
import { Pages } from './pages.tsx'
import { ParentRow } from './parent.tsx'
import { AssigneesRow } from './people.tsx'
import { ColumnRow, LabelsRow, PriorityRow, SizeRow } from './picks.tsx'
import { PullRows } from './pulls.tsx'
import { Relations } from './relations.tsx'
import { Runs } from './runs.tsx'
import { Subtasks } from './subtasks.tsx'
import { Talk } from './talk.tsx'
import { TimeRow } from './time-row.tsx'
import { Title } from './title.tsx'

interface Props {
  task: Task
  onClose?: () => void
  onNext?: ((step: 1 | -1) => void) | undefined
  /** A key that was pressed before this was there. */
  early?: RefObject<string | undefined>
  onOther(ticket: string): void
  onGone(): void
  /** What stands at the end of the head. */
  children?: ReactNode
}

/** All there is of a task, the same beside a board and on a page of its own. */
export function TaskView({ task, onClose, onNext, early, onOther, onGone, children }: Props) {
  const asking = useAsking()
  const { asked, add } = asking
  const root = useRef<HTMLElement>(null)
  const opening = useTaskKeys({
    close: onClose,
    ...{ next: onNext, early },
    show: () => root.current?.querySelector('.rows')?.scrollIntoView({ block: 'nearest' }),
    timer: () => void toggleTimer(task),
    comment: () => focusIn(root.current?.querySelector('.part > .composer')),
  })
  return (
    <article
      className="task"
      tabIndex={-1}
      ref={root}
      aria-label={`${task.ticket_number}, ${task.title}`}
    >
      <Head task={task} menu={<TaskMenu {...{ task, onGone, onOther }} onAdd={add} />}>
        {children}
      </Head>
      <div className="task-body">
        <Stored task={task} />
        <Title task={task} />
        <LeaseNote lease={task.lease} />
        <Rows {...{ task, opening, asking }} />
        <div className="task-text">
          <Decisions task={task} />
          <Description task={task} />
          <Subtasks task={task} asked={asked.has('subtask')} />
          <Relations task={task} asked={asked.has('relation')} />
          <Runs task={task} asked={asked.has('run')} onClose={() => asking.drop('run')} />
          <Pages task={task} asked={asked.has('page')} />
          <Evidence task={task} />
          <Files task={task} asked={asked.has('file')} />
          <Talk task={task} />
          <Origin task={task} />
        </div>
      </div>
    </article>
  )
}

/** What somebody asked to fill in, though there is nothing in it yet. */
function useAsking() {
  const [asked, setAsked] = useState<ReadonlySet<Extra>>(new Set())
  return {
    asked,
    add: (what: Extra) => setAsked(new Set(asked).add(what)),
    drop: (what: Extra) => setAsked(new Set([...asked].filter((one) => one !== what))),
  }
}

interface RowsProps {
  task: Task
  opening: Opening
  asking: ReturnType<typeof useAsking>
}

function Rows({ task, opening, asking: { asked, drop } }: RowsProps) {
  const extra = (what: Extra) => ({ task, asked: asked.has(what), onClose: () => drop(what) })
  return (
    <dl className="rows">
      <ColumnRow task={task} opening={opening} />
      <AssigneesRow task={task} opening={opening} />
      <PriorityRow task={task} opening={opening} />
      <DueRow task={task} opening={opening} />
      <LabelsRow task={task} opening={opening} />
      <SizeRow task={task} opening={opening} />
      <TimeRow task={task} />
      <StartRow key={`start ${asked.has('start')}`} {...extra('start')} />
      <RepeatsRow key={`repeat ${asked.has('repeat')}`} {...extra('repeat')} />
      <SnoozeRow key={`snooze ${asked.has('snooze')}`} {...extra('snooze')} />
      <ParentRow task={task} asked={asked.has('parent')} />
      <CustomFields task={task} asked={asked.has('field')} />
      <PullRows task={task} />
    </dl>
  )
}

/** The editor is inside a shadow root, which hands the focus on. */
function focusIn(composer: Element | null | undefined) {
  const field = composer?.querySelector<HTMLElement>('.code:not([hidden]), textarea')
  field?.scrollIntoView({ block: 'nearest' })
  field?.focus()
}

const STORED = { Archive: 'This task is archived', Deleted: 'This task was deleted' } as const

function Stored({ task }: { task: Task }) {
  const store = useStore(task)
  const { status } = task
  if (status === 'Normal') return null
  const restore = () => {
    leaveField('.notice')
    store('Normal')
  }
  return (
    <p className="notice">
      <span>{STORED[status]}</span>
      <button type="button" className="button quiet" onClick={restore}>
        {status === 'Deleted' ? 'Restore' : 'Take it out of the archive'}
      </button>
    </p>
  )
}

function Origin({ task: { created_by, created_at, updated_at } }: { task: Task }) {
  const [made, changed] = [agoWords(created_at), agoWords(updated_at)]
  return (
    <p className="origin">
      {created_by.name} made this{' '}
      <time dateTime={created_at} title={made.full}>
        {made.short}
      </time>
      , changed{' '}
      <time dateTime={updated_at} title={changed.full}>
        {changed.short}
      </time>
    </p>
  )
}
