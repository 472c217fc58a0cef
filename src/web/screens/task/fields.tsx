import { useEffect, useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { useOptionCreation } from '../../entities/board/create.ts'
import { type InlineSave, useInlineEdit } from '../../entities/editor/inline-edit.ts'
import { Unsaved } from '../../entities/editor/unsaved.tsx'
import type { Task } from '../../entities/task/data.ts'
import { dueText } from '../../kit/dates.ts'
import { isSame } from '../../kit/fields.ts'
import { PickOne } from '../../kit/pick.tsx'
import { PickWhen } from '../../kit/when.tsx'
import { rich, t } from '../../messages/t.ts'
import { pickerButton, Row } from './row.tsx'
import { useTaskMutation } from './update.ts'

type Field = Pick<
  Output<'custom_fields.list'>['items'][number],
  'field_id' | 'name' | 'type' | 'options'
>
type Value = Task['custom_fields'][number]
type FieldValue = string | number | boolean | null

const FOCUS_MS = 60

/** The custom fields of a task: those with a value, or all of the board's fields on request. */
export function CustomFields({ task, requested }: { task: Task; requested: boolean }) {
  const fields = useFields(task.project_id)
  const set = task.custom_fields
  // A field that is emptied stays visible, so that its input does not vanish while in use.
  const [shownIds] = useState(() => new Set<string>())
  for (const { field_id } of set) shownIds.add(field_id)
  const shown = (fields ?? set.map(fieldOf)).filter(
    ({ field_id }) => requested || shownIds.has(field_id),
  )
  const isLoaded = requested && fields !== undefined
  useEffect(() => {
    if (!isLoaded) return
    // The menu returns the focus to its button first.
    const timer = setTimeout(
      () => document.querySelector<HTMLElement>('.task [data-empty] :is(button, input)')?.focus(),
      FOCUS_MS,
    )
    return () => clearTimeout(timer)
  }, [isLoaded])
  return shown.map((field) => <FieldRow key={field.field_id} field={field} task={task} />)
}

/** The custom fields of a board; undefined while they load. */
export const useFields = (project_id: number): readonly Field[] | undefined =>
  useOperation('custom_fields.list', { project_id, limit: 50 }).data?.items

const fieldValue = ({ custom_fields }: Task, id: string) =>
  custom_fields.find(({ field_id }) => field_id === id)?.value

/** The field as far as its value describes it, used until the board's fields have loaded. */
const fieldOf = ({ field_id, name, type }: Value): Field => ({
  ...{ field_id, name, type, options: [] },
})

function FieldRow({ field, task }: { field: Field; task: Task }) {
  const set = useTaskMutation('custom_fields.set', task)
  const { field_id, name, type } = field
  const current = task.custom_fields.find((one) => one.field_id === field_id)
  const { task_id } = task
  const save: Props['save'] = (value, saving) => {
    const others = task.custom_fields.filter((one) => one !== current)
    const label = field.options.find(({ option_id }) => option_id === value)?.label
    const next = value !== null && { field_id, name, type, value, ...(label && { label }) }
    const before = current?.value ?? null
    set(
      { task_id, field_id, value },
      { custom_fields: next ? [...others, next] : others },
      {
        ...saving,
        undo: {
          what: t('task.field_name', { name }),
          isUnchanged: (task) => isSame(fieldValue(task, field_id) || null, value || null),
          fieldsBefore: ({ custom_fields: fields }) => ({
            custom_fields: [
              ...fields.filter((one) => one.field_id !== field_id),
              ...(current ? [current] : []),
            ],
          }),
          revert: () => sendWrite('custom_fields.set', { task_id, field_id, value: before }),
        },
      },
    )
  }
  const rowProps = { field, current, save }
  return (
    <Row name={name} isEmpty={!current}>
      {type === 'checkbox' ? (
        <CheckboxField {...rowProps} />
      ) : type === 'select' ? (
        <SelectField {...rowProps} project_id={task.project_id} />
      ) : type === 'date' ? (
        <DateField {...rowProps} />
      ) : (
        <TextField {...rowProps} task_id={task.task_id} />
      )}
    </Row>
  )
}

interface Props {
  field: Field
  current: Value | undefined
  save(value: FieldValue, saving?: InlineSave): void
}

interface TextFieldProps extends Props {
  task_id: number
}

const CheckboxField = ({ field, current, save }: Props) => (
  <input
    type="checkbox"
    className="box"
    aria-label={field.name}
    checked={current?.value === true}
    onChange={({ target }) => save(target.checked)}
  />
)

interface SelectProps extends Props {
  project_id: number
}

function SelectField({ field, current, save, project_id }: SelectProps) {
  const { name, options } = field
  const create = useOptionCreation(project_id, field, (option_id) => save(option_id))
  return (
    <PickOne<string | null>
      label={name}
      create={create}
      value={(current?.value as string) ?? null}
      choices={[
        ...options.map(({ option_id, label }) => ({ value: option_id, name: label })),
        ...(current ? [{ value: null, name: t('common.none') }] : []),
      ]}
      onPick={(value) => save(value)}
      trigger={pickerButton({
        name,
        value: current?.label ?? t('task.select_an_option'),
        isSet: current !== undefined,
      })}
    />
  )
}

function DateField({ field: { name }, current, save }: Props) {
  const dateText = current && dueText(String(current.value))
  return (
    <PickWhen
      label={name}
      value={current ? String(current.value) : null}
      onPick={(value) => save(value)}
      trigger={pickerButton({
        name,
        value: dateText?.short ?? t('task.set_a_date'),
        isSet: dateText !== undefined,
      })}
    />
  )
}

/** Text, number and URL fields: edited in place, saved on Enter and on blur. */
function TextField({ field: { name, type, field_id }, current, save, task_id }: TextFieldProps) {
  const before = current === undefined ? '' : String(current.value)
  const { set, field, unsaved } = useInlineEdit({
    ...{ key: `${task_id}:field:${field_id}`, before },
    normalize: (text) => text.trim(),
    onSave: (text, saving) =>
      save(text === '' ? null : type === 'number' ? Number(text) : text, saving),
  })
  return (
    <>
      <input
        className="value words"
        type={type === 'number' || type === 'url' ? type : 'text'}
        step="any"
        aria-label={name}
        placeholder={t('task.empty')}
        {...field}
        onChange={({ target }) => set(target.value)}
      />
      {unsaved && (
        <Unsaved at={unsaved.at} onEdit={unsaved.resume} onDrop={unsaved.discardUnsaved} />
      )}
      {type === 'url' && before && (
        <a href={before} target="_blank" rel="noopener noreferrer">
          {rich('task.open_name', { name: <span className="unseen">{name}</span> })}
        </a>
      )}
    </>
  )
}
