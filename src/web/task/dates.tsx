import { useState } from 'react'
import { send } from '../data/waiting.ts'
import { dueWords } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { MORNING, snoozes } from '../parts/moments.ts'
import { PickOne } from '../parts/pick.tsx'
import { isSame } from '../parts/still.ts'
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
  const { task_id: taskId, start_date } = task
  const put = (startDate: string | null) =>
    set(
      { taskId, startDate },
      { start_date: startDate },
      {
        undo: {
          what: 'start date',
          isOurs: (now) => isSame(now.start_date, startDate),
          shown: () => ({ start_date }),
          put: () => send('tasks.set_start_date', { taskId, startDate: start_date }),
        },
      },
    )
  const words = start_date && dueWords(spelled(start_date))
  if (!words && !asked) return null
  return (
    <Row name="Start date">
      <PickWhen
        label="Start date"
        value={start_date}
        timed
        open={open}
        onOpen={(next) => {
          setOpen(next)
          if (!next) onClose()
        }}
        onPick={put}
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
  const { recurrence, task_id: taskId } = task
  const put = (rule: Rule | null) =>
    set(
      { taskId, recurrence: rule },
      { recurrence: rule },
      {
        undo: {
          what: 'repetition',
          isOurs: (now) => now.recurrence === rule,
          shown: () => ({ recurrence }),
          put: () => send('tasks.set_recurrence', { taskId, recurrence }),
        },
      },
    )
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
        onPick={put}
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
    snooze(
      { task_id, until },
      { snoozed_until: until },
      {
        words: until
          ? `Snoozed ${task.ticket_number} until ${dueWords(until).short}`
          : `Ended the snooze of ${task.ticket_number}`,
        undo: {
          what: 'snooze',
          isOurs: (now) => isSame(now.snoozed_until, until),
          shown: () => ({ snoozed_until }),
          put: () => send('tasks.snooze', { task_id, until: snoozed_until }),
        },
      },
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
