import { useState } from 'react'
import { say } from '../frame/toasts.tsx'
import { dueWords } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { MORNING, snoozes } from '../parts/moments.ts'
import { PickOne } from '../parts/pick.tsx'
import { PickWhen } from '../parts/when.tsx'
import { dayOf, timeOf } from '../parts/zone.ts'
import { useChange, useDeed } from './change.ts'
import type { Task } from './data.ts'
import type { PickProps } from './picks.tsx'
import { opener, Row } from './row.tsx'

export function DueRow({ task, opening }: PickProps) {
  const change = useChange(task)
  const { due_date, overdue } = task
  const words = due_date && dueWords(due_date)
  const put = (due: string | null) => change({ due_date: due }, { due_date: due, overdue: false })
  return (
    <Row name="Due">
      <PickWhen
        label="Due date"
        value={due_date}
        timed
        onPick={put}
        {...opening('d')}
        trigger={opener({
          name: 'Due',
          value: words ? words.short + (overdue ? ', overdue' : '') : 'Set a date',
          isSet: due_date !== null,
          hint: 'D',
          children: words ? (
            <span className={overdue ? 'late' : ''} title={words.full}>
              <Icon name="calendar" />
              {words.short}
              {overdue && ', overdue'}
            </span>
          ) : (
            'Set a date'
          ),
        })}
      />
    </Row>
  )
}

/** A moment at which a day begins means that day. */
function spelled(moment: string): string {
  const date = new Date(moment)
  return timeOf(date) === '00:00' ? dayOf(date) : moment
}

interface Props {
  task: Task
  /** Somebody asked for it, though there is none yet. */
  asked?: boolean
  onClose(): void
}

export function StartRow({ task, asked = false, onClose }: Props) {
  const [open, setOpen] = useState(asked && !task.start_date)
  const set = useDeed('tasks.set_start_date', task)
  const words = task.start_date && dueWords(spelled(task.start_date))
  if (!words && !asked) return null
  return (
    <Row name="Start date">
      <PickWhen
        label="Start date"
        value={task.start_date}
        timed
        open={open}
        onOpen={(next) => {
          setOpen(next)
          if (!next) onClose()
        }}
        onPick={(startDate) => set({ taskId: task.task_id, startDate }, { start_date: startDate })}
        trigger={opener({
          name: 'Start date',
          value: words ? words.short : 'Set a date',
          isSet: Boolean(words),
          children: words ? <span title={words.full}>{words.short}</span> : 'Set a date',
        })}
      />
    </Row>
  )
}

const RULES = [
  ['Daily', 'Every day'],
  ['Weekdays', 'Every weekday'],
  ['Weekly', 'Every week'],
  ['Biweekly', 'Every two weeks'],
  ['Monthly', 'Every month'],
] as const
type Rule = (typeof RULES)[number][0]

export function RepeatsRow({ task, asked = false, onClose }: Props) {
  const [open, setOpen] = useState(asked && !task.recurrence)
  const set = useDeed('tasks.set_recurrence', task)
  const { recurrence } = task
  if (!recurrence && !asked) return null
  const name = RULES.find(([rule]) => rule === recurrence)?.[1]
  return (
    <Row name="Repeats">
      <PickOne<Rule | null>
        label="Repeats"
        value={recurrence}
        choices={[
          ...RULES.map(([value, name]) => ({ value, name })),
          ...(recurrence ? [{ value: null, name: 'Does not repeat' }] : []),
        ]}
        open={open}
        onOpen={(next) => {
          setOpen(next)
          if (!next) onClose()
        }}
        onPick={(rule) => set({ taskId: task.task_id, recurrence: rule }, { recurrence: rule })}
        trigger={opener({
          name: 'Repeats',
          value: name ?? 'Choose how',
          isSet: Boolean(name),
          children: (
            <>
              <Icon name="repeat" />
              {name ?? 'Choose how'}
            </>
          ),
        })}
      />
    </Row>
  )
}

export function SnoozeRow({ task, asked = false, onClose }: Props) {
  const [open, setOpen] = useState(asked && !task.snoozed_until)
  const snooze = useDeed('tasks.snooze', task)
  const { task_id, snoozed_until } = task
  if (!snoozed_until && !asked) return null
  const words = snoozed_until && dueWords(spelled(snoozed_until))
  const put = (until: string | null) =>
    snooze({ task_id, until }, { snoozed_until: until }, () =>
      until
        ? say(`Snoozed ${task.ticket_number} until ${dueWords(until).short}`, () =>
            snooze({ task_id, until: snoozed_until }, { snoozed_until }),
          )
        : say(`Ended the snooze of ${task.ticket_number}`),
    )
  return (
    <Row name="Snoozed">
      <PickWhen
        label="Snooze until"
        value={snoozed_until}
        timed
        hour={MORNING}
        usual={snoozes()}
        open={open}
        onOpen={(next) => {
          setOpen(next)
          if (!next) onClose()
        }}
        onPick={put}
        trigger={opener({
          name: 'Snoozed',
          value: words ? `Until ${words.short}` : 'Choose until when',
          isSet: Boolean(words),
          children: words ? (
            <span title={words.full}>Until {words.short}</span>
          ) : (
            'Choose until when'
          ),
        })}
      />
    </Row>
  )
}
