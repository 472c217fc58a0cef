import { useMemo } from 'react'
import { useOperation } from '../data/cache.ts'
import { Icon, PRIORITIES, Priority } from '../parts/icon.tsx'
import { PickMany, PickOne } from '../parts/pick.tsx'
import type { Task } from './data.ts'
import type { PickerState } from './keys.ts'
import { currentSpot, undoLabels, undoMove } from './property-undo.ts'
import { pickerButton, Row } from './row.tsx'
import { useTaskUpdate } from './update.ts'

export interface PickProps {
  task: Task
  pickerState: PickerState
}

export function ColumnRow({ task, pickerState }: PickProps) {
  const { project_id, section_id } = task
  const update = useTaskUpdate(task)
  const list = useOperation('sections.list', { project_id, include_hidden: true, limit: 50 })
  const sections = list.data?.items ?? []
  const move = (to: number) => {
    const column = sections.find((one) => one.section_id === to)
    if (!column || to === section_id) return
    const { done, title } = column
    update(
      { section_id: to },
      { section_id: to, section: title, done },
      {
        message: `Moved ${task.ticket_number} to ${title}`,
        undo: { revert: undoMove(task, currentSpot(task)) },
      },
    )
  }
  return (
    <Row name="Column">
      <PickOne
        label="Column"
        source={{ of: list, what: 'columns' }}
        value={section_id}
        choices={sections.map((one) => ({
          value: one.section_id,
          name: one.title,
          ...(one.done && { mark: <Icon name="done" label="Counts as done" /> }),
        }))}
        onPick={move}
        {...pickerState('s')}
        trigger={pickerButton({
          name: 'Column',
          value: task.section,
          hint: 'S',
          children: (
            <>
              {task.done && <Icon name="done" />}
              {task.section}
            </>
          ),
        })}
      />
    </Row>
  )
}

const CHOICES = [1, 2, 3, 4, 0].map((value) => ({
  value,
  name: PRIORITIES[value]!,
  mark: <Priority value={value} />,
}))

export function PriorityRow({ task, pickerState }: PickProps) {
  const update = useTaskUpdate(task)
  const { priority } = task
  return (
    <Row name="Priority">
      <PickOne
        label="Priority"
        value={priority}
        choices={CHOICES}
        onPick={(value) =>
          update({ priority: value }, { priority: value, priority_name: PRIORITIES[value]! })
        }
        {...pickerState('p')}
        trigger={pickerButton({
          name: 'Priority',
          value: PRIORITIES[priority]!,
          isSet: priority > 0,
          hint: 'P',
          children: (
            <>
              <Priority value={priority} />
              {PRIORITIES[priority]}
            </>
          ),
        })}
      />
    </Row>
  )
}

const SIZES = [
  [2, 'XS'],
  [3, 'S'],
  [4, 'M'],
  [5, 'L'],
  [6, 'XL'],
  [0, 'No size'],
] as const

export function SizeRow({ task, pickerState }: PickProps) {
  const update = useTaskUpdate(task)
  const name = SIZES.find(([value]) => value === task.estimate)![1]
  return (
    <Row name="Size">
      <PickOne
        label="Size"
        value={task.estimate}
        choices={SIZES.map(([value, name]) => ({ value: value as number, name }))}
        onPick={(estimate) => update({ estimate }, { estimate })}
        {...pickerState('e')}
        trigger={pickerButton({ name: 'Size', value: name, isSet: task.estimate > 0, hint: 'E' })}
      />
    </Row>
  )
}

export function LabelsRow({ task, pickerState }: PickProps) {
  const update = useTaskUpdate(task)
  const list = useOperation('labels.list', { project_id: task.project_id, limit: 50 })
  const { data } = list
  const known = useMemo(() => data?.items ?? task.labels, [data, task.labels])
  const put = (ids: readonly number[]) =>
    update(
      { labels: [...ids] },
      { labels: known.filter(({ label_id }) => ids.includes(label_id)) },
      { undo: undoLabels(task, ids) },
    )
  return (
    <Row name="Labels">
      <PickMany
        label="Labels"
        values={task.labels.map(({ label_id }) => label_id)}
        choices={known.map(({ label_id, name, color }) => ({
          value: label_id,
          name,
          mark: <span className="dot" style={{ background: color }} />,
        }))}
        onPick={put}
        source={{ of: list, what: 'labels' }}
        empty="No matching labels"
        {...pickerState('l')}
        trigger={pickerButton({
          name: 'Labels',
          value: task.labels.map(({ name }) => name).join(', ') || 'Add a label',
          isSet: task.labels.length > 0,
          hint: 'L',
          children: task.labels.length
            ? task.labels.map(({ label_id, name, color }) => (
                <span key={label_id} className="label">
                  <span className="dot" style={{ background: color }} />
                  {name}
                </span>
              ))
            : 'Add a label',
        })}
      />
    </Row>
  )
}
