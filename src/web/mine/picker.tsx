import { PRIORITIES, Priority } from '../parts/icon.tsx'
import { MORNING, snoozes } from '../parts/moments.ts'
import { PickOne } from '../parts/pick.tsx'
import { PickWhen } from '../parts/when.tsx'
import { prioritize, setDue, snooze } from './deeds.ts'
import type { MyTask } from './shapes.ts'

export type What = 'snooze' | 'due' | 'priority'

interface Props {
  what: What
  task: MyTask
  /** Beside this. */
  anchor: Element | null
  onClose(): void
  /** The task leaves the list. */
  onLeave(): void
}

const CHOICES = [1, 2, 3, 4, 0].map((value) => ({
  ...{ value, name: PRIORITIES[value]! },
  mark: <Priority value={value} />,
}))

/** What a letter opens beside a task. */
export default function Picker({ what, task, anchor, onClose, onLeave }: Props) {
  const opened = { open: true, anchor, onOpen: (open: boolean) => !open && onClose() }
  if (what === 'priority')
    return (
      <PickOne
        {...opened}
        label="Priority"
        choices={CHOICES}
        value={task.priority}
        onPick={(value) => {
          onClose()
          void prioritize(task, value)
        }}
      />
    )
  if (what === 'due')
    return (
      <PickWhen
        {...opened}
        {...{ label: 'Due date', value: task.due_date, timed: true }}
        onPick={(value) => void setDue(task, value)}
      />
    )
  return (
    <PickWhen
      {...opened}
      {...{ label: 'Snooze until', value: task.snoozed_until, timed: true }}
      {...{ hour: MORNING, usual: snoozes() }}
      onPick={(until) => {
        if (until) onLeave()
        void snooze(task, until)
      }}
    />
  )
}
