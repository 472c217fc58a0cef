import { useMemo } from 'react'
import { useOperation } from '../../data/cache.ts'
import { useColumnCreation, useLabelCreation } from '../../entities/board/create.ts'
import type { Label, Section } from '../../entities/board/data.ts'
import { useInlineEdit } from '../../entities/editor/inline-edit.ts'
import { Unsaved } from '../../entities/editor/unsaved.tsx'
import type { Task } from '../../entities/task/data.ts'
import { markedChoicesOf, type TaskField } from '../../entities/task/task-fields.tsx'
import { Icon } from '../../kit/icon.tsx'
import { PickMany, PickOne } from '../../kit/pick.tsx'
import { t } from '../../messages/t.ts'
import type { PickerKey, PickerState } from './keys.ts'
import { currentPlacement, undoLabels, undoMove } from './property-undo.ts'
import { pickerButton, Row } from './row.tsx'
import { useTaskUpdate } from './update.ts'

export interface PickProps {
  task: Task
  pickerState: PickerState
}

type Target = Pick<Section, 'section_id' | 'title' | 'done'>

export function ColumnRow({ task, pickerState }: PickProps) {
  const { project_id, section_id } = task
  const update = useTaskUpdate(task)
  const list = useOperation('sections.list', { project_id, include_hidden: true, limit: 50 })
  const sections = list.data?.items ?? []
  const moveTo = (to: number) => {
    const column = sections.find((one) => one.section_id === to)
    if (column && to !== section_id) move(column)
  }
  const move = ({ section_id: to, title, done }: Target) =>
    update(
      { section_id: to },
      { section_id: to, section: title, done },
      {
        message: t('task.moved_ticket_number_to_title', {
          ticket_number: task.ticket_number,
          title,
        }),
        undo: { revert: undoMove(task, currentPlacement(task)) },
      },
    )
  const create = useColumnCreation(project_id, (section_id, title) =>
    move({ section_id, title, done: false }),
  )
  return (
    <Row name={t('common.column')}>
      <PickOne
        label={t('common.column')}
        source={{ of: list, what: t('task.field_inline', { field: 'columns' }) }}
        value={section_id}
        choices={sections.map((one) => ({
          value: one.section_id,
          name: one.title,
          ...(one.done && { mark: <Icon name="done" label={t('common.counts_as_done')} /> }),
        }))}
        onPick={moveTo}
        create={create}
        {...pickerState('s')}
        trigger={pickerButton({
          name: t('common.column'),
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

const KEYS: Record<string, PickerKey> = { priority: 'p', estimate: 'e' }

type FieldProps = PickProps & { field: TaskField }

/** A field that is declared on the server. */
export function FieldRow({ field, ...props }: FieldProps) {
  const Control = field.control.kind === 'number' ? NumberField : ChoiceField
  return (
    <Row name={field.label}>
      <Control field={field} {...props} />
    </Row>
  )
}

function ChoiceField({ task, pickerState, field }: FieldProps) {
  const update = useTaskUpdate(task)
  const { name, label } = field
  const choices = markedChoicesOf(field)
  const current = choices.find(({ value }) => value === task[name])!
  const key = KEYS[name]
  return (
    <PickOne
      label={label}
      value={task[name]}
      choices={choices}
      onPick={(value) => update({ [name]: value }, { [name]: value })}
      {...(key && pickerState(key))}
      trigger={pickerButton({
        ...{ name: label, value: current.name, isSet: task[name] > 0 },
        ...(key && { hint: key.toUpperCase() }),
        children: (
          <>
            {current.mark}
            {current.name}
          </>
        ),
      })}
    />
  )
}

/** Edited in place, saved on Enter and on blur. Empty means 0. */
function NumberField({ task, field: { name, label, control } }: FieldProps) {
  const update = useTaskUpdate(task)
  const { set, field, unsaved } = useInlineEdit({
    ...{ key: `${task.task_id}:${name}`, before: task[name] ? String(task[name]) : '' },
    normalize: (text) => text.trim(),
    onSave: (text, saving) => update({ [name]: Number(text) }, { [name]: Number(text) }, saving),
  })
  return (
    <>
      <input
        className="value words"
        type="number"
        {...('minimum' in control && { min: control.minimum, max: control.maximum })}
        aria-label={label}
        placeholder={t('task.empty')}
        {...field}
        onChange={({ target }) => set(target.value)}
      />
      {unsaved && (
        <Unsaved at={unsaved.at} onEdit={unsaved.resume} onDrop={unsaved.discardUnsaved} />
      )}
    </>
  )
}

export function LabelsRow({ task, pickerState }: PickProps) {
  const update = useTaskUpdate(task)
  const list = useOperation('labels.list', { project_id: task.project_id, limit: 50 })
  const { data } = list
  const known = useMemo(() => data?.items ?? task.labels, [data, task.labels])
  const setLabels = (ids: readonly number[], labels: readonly Label[] = known) =>
    update(
      { labels: [...ids] },
      { labels: labels.filter(({ label_id }) => ids.includes(label_id)) },
      { undo: undoLabels(task, ids) },
    )
  const ids = task.labels.map(({ label_id }) => label_id)
  const create = useLabelCreation(task.project_id, known, (label) =>
    setLabels([...ids, label.label_id], [...known, label]),
  )
  return (
    <Row name={t('common.labels')}>
      <PickMany
        label={t('common.labels')}
        values={ids}
        create={create}
        choices={known.map(({ label_id, name, color }) => ({
          value: label_id,
          name,
          mark: <span className="dot" style={{ background: color }} />,
        }))}
        onPick={(next) => setLabels(next)}
        source={{ of: list, what: t('task.field_inline', { field: 'labels' }) }}
        empty={t('task.no_matching_labels')}
        {...pickerState('l')}
        trigger={pickerButton({
          name: t('common.labels'),
          value: task.labels.map(({ name }) => name).join(', ') || t('task.add_a_label'),
          isSet: task.labels.length > 0,
          hint: 'L',
          children: task.labels.length
            ? task.labels.map(({ label_id, name, color }) => (
                <span key={label_id} className="label">
                  <span className="dot" style={{ background: color }} />
                  {name}
                </span>
              ))
            : t('task.add_a_label'),
        })}
      />
    </Row>
  )
}
