import { Suspense, useRef, useState } from 'react'
import { CADENCES } from '../../../kernel/recurrence/rule.ts'
import { sendWrite } from '../../data/write-queue.ts'
import type { Task } from '../../entities/task/data.ts'
import { ruleText } from '../../entities/task/rule-text.ts'
import { MORNING, snoozePresets } from '../../kit/date-presets.ts'
import { dueText } from '../../kit/dates.ts'
import { isSame } from '../../kit/fields.ts'
import { Icon } from '../../kit/icon.tsx'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { PickOne } from '../../kit/pick.tsx'
import { PickWhen } from '../../kit/when.tsx'
import { dayOf, timeOf } from '../../kit/zone.ts'
import { t } from '../../messages/t.ts'
import type { PickProps } from './property-rows.tsx'
import { pickerButton, Row } from './row.tsx'
import { useTaskMutation, useTaskUpdate } from './update.ts'

export function DueRow({ task, pickerState }: PickProps) {
  const update = useTaskUpdate(task)
  const { due_date, overdue } = task
  const dateText = due_date && dueText(due_date)
  const shown = !dateText
    ? t('task.set_a_date')
    : overdue
      ? t('common.short_overdue', { short: dateText.short })
      : dateText.short
  const save = (due: string | null) => update({ due_date: due }, { due_date: due, overdue: false })
  return (
    <Row name={t('common.due')}>
      <PickWhen
        label={t('common.due_date')}
        value={due_date}
        allowsTime
        onPick={save}
        {...pickerState('d')}
        trigger={pickerButton({
          name: t('common.due'),
          value: shown,
          isSet: due_date !== null,
          hint: 'D',
          children: dateText ? (
            <span className={overdue ? 'late' : ''} title={dateText.full}>
              <Icon name="calendar" />
              {shown}
            </span>
          ) : (
            t('task.set_a_date')
          ),
        })}
      />
    </Row>
  )
}

/** Midnight stands for the whole day, so it is shown as a date without a time. */
function dateOrMoment(moment: string): string {
  const date = new Date(moment)
  return timeOf(date) === '00:00' ? dayOf(date) : moment
}

interface Props {
  task: Task
  /** The row was added from the menu and is shown although it is empty. */
  requested?: boolean
  onClose(): void
}

export function StartRow({ task, requested = false, onClose }: Props) {
  const [open, setOpen] = useState(requested && !task.start_date)
  const set = useTaskMutation('tasks.set_start_date', task)
  const { task_id: taskId, start_date } = task
  const save = (startDate: string | null) =>
    set(
      { taskId, startDate },
      { start_date: startDate },
      {
        undo: {
          what: t('task.start_date'),
          isUnchanged: (current) => isSame(current.start_date, startDate),
          fieldsBefore: () => ({ start_date }),
          revert: () => sendWrite('tasks.set_start_date', { taskId, startDate: start_date }),
        },
      },
    )
  const dateText = start_date && dueText(dateOrMoment(start_date))
  if (!dateText && !requested) return null
  return (
    <Row name={t('task.start_date_name')}>
      <PickWhen
        label={t('task.start_date_name')}
        value={start_date}
        allowsTime
        open={open}
        onOpen={(next) => {
          setOpen(next)
          if (!next) onClose()
        }}
        onPick={save}
        trigger={pickerButton({
          name: t('task.start_date_name'),
          value: dateText ? dateText.short : t('task.set_a_date'),
          isSet: Boolean(dateText),
          children: dateText ? (
            <span title={dateText.full}>{dateText.short}</span>
          ) : (
            t('task.set_a_date')
          ),
        })}
      />
    </Row>
  )
}

const RepeatDialog = lazyComponent(() => import('./repeat-dialog.tsx'))
const CUSTOM = 'custom'

/** The cadences, the current rule if it is none of them, and the dialog for other rules. */
function repeatChoices(recurrence: string | null) {
  const names = Object.keys(CADENCES)
  const isOther = recurrence !== null && !names.includes(recurrence)
  return [
    ...[...names, ...(isOther ? [recurrence] : [])].map((value) => ({
      value,
      name: ruleText(value),
    })),
    { value: CUSTOM, name: t('task.custom_repeat') },
    ...(recurrence ? [{ value: null, name: t('task.does_not_repeat') }] : []),
  ]
}

function useSaveRule(task: Task) {
  const set = useTaskMutation('tasks.set_recurrence', task)
  const { recurrence, task_id: taskId } = task
  return (rule: string | null) =>
    set(
      { taskId, recurrence: rule },
      { recurrence: rule },
      {
        undo: {
          what: t('task.repeat_rule'),
          isUnchanged: (current) => current.recurrence === rule,
          fieldsBefore: () => ({ recurrence }),
          revert: () => sendWrite('tasks.set_recurrence', { taskId, recurrence }),
        },
      },
    )
}

export function RepeatsRow({ task, requested = false, onClose }: Props) {
  const [open, setOpen] = useState(requested && !task.recurrence)
  const [isEditing, setIsEditing] = useState(false)
  /** Set before the list closes, which would remove an empty row and with it the dialog. */
  const keepsRow = useRef(false)
  const save = useSaveRule(task)
  const { recurrence } = task
  const edit = (isOpen: boolean) => {
    keepsRow.current = isOpen
    setIsEditing(isOpen)
    if (!isOpen) onClose()
  }
  if (!recurrence && !requested) return null
  const value = recurrence ? ruleText(recurrence) : t('task.set_repeat_rule')
  return (
    <Row name={t('task.repeats')}>
      <PickOne<string | null>
        label={t('task.repeats')}
        value={recurrence}
        choices={repeatChoices(recurrence)}
        open={open}
        onOpen={(next) => {
          setOpen(next)
          if (!next && !keepsRow.current) onClose()
        }}
        onPick={(rule) => (rule === CUSTOM ? edit(true) : save(rule))}
        trigger={pickerButton({
          ...{ name: t('task.repeats'), value, isSet: recurrence !== null },
          children: (
            <span>
              <Icon name="repeat" />
              {value}
            </span>
          ),
        })}
      />
      {isEditing && (
        <Suspense>
          <RepeatDialog {...{ recurrence }} onSave={save} onClose={() => edit(false)} />
        </Suspense>
      )}
    </Row>
  )
}

export function SnoozeRow({ task, requested = false, onClose }: Props) {
  const [open, setOpen] = useState(requested && !task.snoozed_until)
  const snooze = useTaskMutation('tasks.snooze', task)
  const { task_id, snoozed_until } = task
  if (!snoozed_until && !requested) return null
  const dateText = snoozed_until && dueText(dateOrMoment(snoozed_until))
  const text = dateText ? t('task.until_short', { short: dateText.short }) : t('task.set_a_date')
  const save = (until: string | null) =>
    snooze(
      { task_id, until },
      { snoozed_until: until },
      {
        message: until
          ? t('task.snoozed_ticket_number_until_short', {
              ticket_number: task.ticket_number,
              short: dueText(until).short,
            })
          : t('task.unsnoozed_ticket_number', { ticket_number: task.ticket_number }),
        undo: {
          what: t('task.field_inline', { field: 'snooze' }),
          isUnchanged: (current) => isSame(current.snoozed_until, until),
          fieldsBefore: () => ({ snoozed_until }),
          revert: () => sendWrite('tasks.snooze', { task_id, until: snoozed_until }),
        },
      },
    )
  return (
    <Row name={t('common.snoozed')}>
      <PickWhen
        label={t('common.snooze_until')}
        value={snoozed_until}
        allowsTime
        defaultTime={MORNING}
        presets={snoozePresets()}
        open={open}
        onOpen={(next) => {
          setOpen(next)
          if (!next) onClose()
        }}
        onPick={save}
        trigger={pickerButton({
          name: t('common.snoozed'),
          value: text,
          isSet: Boolean(dateText),
          children: dateText ? <span title={dateText.full}>{text}</span> : text,
        })}
      />
    </Row>
  )
}
