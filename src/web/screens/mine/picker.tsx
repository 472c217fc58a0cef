import { PRIORITIES, Priority } from '../../entities/task/priority.tsx'
import { MORNING, snoozePresets } from '../../kit/date-presets.ts'
import { PickOne } from '../../kit/pick.tsx'
import { PickWhen } from '../../kit/when.tsx'
import { t } from '../../messages/t.ts'
import { prioritize, setDue, snooze } from './actions.ts'
import type { MyTask } from './types.ts'

export type PickerKind = 'snooze' | 'due' | 'priority'

interface Props {
  kind: PickerKind
  task: MyTask
  /** The element that the picker opens at. */
  anchor: Element | null
  onClose(): void
  /** Called when the task leaves the list. */
  onLeave(): void
}

const CHOICES = [1, 2, 3, 4, 0].map((value) => ({
  ...{ value, name: PRIORITIES[value]! },
  mark: <Priority value={value} />,
}))

/** The picker that a shortcut opens at a task. */
export default function Picker({ kind, task, anchor, onClose, onLeave }: Props) {
  const pickerProps = { open: true, anchor, onOpen: (open: boolean) => !open && onClose() }
  if (kind === 'priority')
    return (
      <PickOne
        {...pickerProps}
        label={t('common.priority')}
        choices={CHOICES}
        value={task.priority}
        onPick={(value) => {
          onClose()
          void prioritize(task, value)
        }}
      />
    )
  if (kind === 'due')
    return (
      <PickWhen
        {...pickerProps}
        {...{ label: t('common.due_date'), value: task.due_date, allowsTime: true }}
        onPick={(value) => void setDue(task, value)}
      />
    )
  return (
    <PickWhen
      {...pickerProps}
      {...{ label: t('common.snooze_until'), value: task.snoozed_until, allowsTime: true }}
      {...{ defaultTime: MORNING, presets: snoozePresets() }}
      onPick={(until) => {
        if (until) onLeave()
        void snooze(task, until)
      }}
    />
  )
}
