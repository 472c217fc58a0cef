import { useEffect, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import type { Output } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { dueWords } from '../parts/dates.ts'
import { PickOne } from '../parts/pick.tsx'
import { isSame } from '../parts/still.ts'
import { PickWhen } from '../parts/when.tsx'
import { useDeed } from './change.ts'
import type { Task } from './data.ts'
import { type LineSaving, useLine } from './line.ts'
import { opener, Row } from './row.tsx'
import { Unsaved } from './unsaved.tsx'

type Field = Pick<
  Output<'custom_fields.list'>['items'][number],
  'field_id' | 'name' | 'type' | 'options'
>
type Value = Task['custom_fields'][number]
type Given = string | number | boolean | null

const FOCUS_MS = 60

/** What the board has beyond what every task has: those that are set, and all where asked for. */
export function CustomFields({ task, asked }: { task: Task; asked: boolean }) {
  const fields = useFields(task.project_id)
  const set = task.custom_fields
  // One that is emptied stays under the hand that did it.
  const [seen] = useState(() => new Set<string>())
  for (const { field_id } of set) seen.add(field_id)
  const shown = (fields ?? set.map(asField)).filter(({ field_id }) => asked || seen.has(field_id))
  const isThere = asked && fields !== undefined
  useEffect(() => {
    if (!isThere) return
    // The menu that it was asked for in gives the focus back first.
    const timer = setTimeout(
      () => document.querySelector<HTMLElement>('.task [data-empty] :is(button, input)')?.focus(),
      FOCUS_MS,
    )
    return () => clearTimeout(timer)
  }, [isThere])
  return shown.map((field) => <FieldRow key={field.field_id} field={field} task={task} />)
}

/** The fields of a board, once they are known. */
export const useFields = (project_id: number): readonly Field[] | undefined =>
  useAsk('custom_fields.list', { project_id, limit: 50 }).data?.items

const valueIn = ({ custom_fields }: Task, id: string) =>
  custom_fields.find(({ field_id }) => field_id === id)?.value

/** As far as a value says what it is of. */
const asField = ({ field_id, name, type }: Value): Field => ({
  ...{ field_id, name, type, options: [] },
})

function FieldRow({ field, task }: { field: Field; task: Task }) {
  const set = useDeed('custom_fields.set', task)
  const { field_id, name, type } = field
  const now = task.custom_fields.find((one) => one.field_id === field_id)
  const { task_id } = task
  const put: Props['put'] = (value, saving) => {
    const others = task.custom_fields.filter((one) => one !== now)
    const label = field.options.find(({ option_id }) => option_id === value)?.label
    const next = value !== null && { field_id, name, type, value, ...(label && { label }) }
    const before = now?.value ?? null
    set(
      { task_id, field_id, value },
      { custom_fields: next ? [...others, next] : others },
      {
        ...saving,
        undo: {
          what: `field “${name}”`,
          isOurs: (task) => isSame(valueIn(task, field_id) || null, value || null),
          shown: ({ custom_fields: all }) => ({
            custom_fields: [
              ...all.filter((one) => one.field_id !== field_id),
              ...(now ? [now] : []),
            ],
          }),
          put: () => send('custom_fields.set', { task_id, field_id, value: before }),
        },
      },
    )
  }
  const props = { field, now, put }
  return (
    <Row name={name} isEmpty={!now}>
      {type === 'checkbox' ? (
        <Box {...props} />
      ) : type === 'select' ? (
        <Options {...props} />
      ) : type === 'date' ? (
        <Day {...props} />
      ) : (
        <Words {...props} task_id={task.task_id} />
      )}
    </Row>
  )
}

interface Props {
  field: Field
  now: Value | undefined
  put(value: Given, saving?: LineSaving): void
}

interface WordsProps extends Props {
  task_id: number
}

const Box = ({ field, now, put }: Props) => (
  <input
    type="checkbox"
    className="box"
    aria-label={field.name}
    checked={now?.value === true}
    onChange={({ target }) => put(target.checked)}
  />
)

const Options = ({ field: { name, options }, now, put }: Props) => (
  <PickOne<string | null>
    label={name}
    value={(now?.value as string) ?? null}
    choices={[
      ...options.map(({ option_id, label }) => ({ value: option_id, name: label })),
      ...(now ? [{ value: null, name: 'Nothing' }] : []),
    ]}
    onPick={(value) => put(value)}
    trigger={opener({ name, value: now?.label ?? 'Choose', isSet: now !== undefined })}
  />
)

function Day({ field: { name }, now, put }: Props) {
  const words = now && dueWords(String(now.value))
  return (
    <PickWhen
      label={name}
      value={now ? String(now.value) : null}
      onPick={(value) => put(value)}
      trigger={opener({ name, value: words?.short ?? 'Set a date', isSet: words !== undefined })}
    />
  )
}

/** Text, numbers and addresses: typed in place, kept on Enter and when the field is left. */
function Words({ field: { name, type, field_id }, now, put, task_id }: WordsProps) {
  const before = now === undefined ? '' : String(now.value)
  const { set, field, left } = useLine({
    ...{ key: `${task_id}:field:${field_id}`, before },
    clean: (words) => words.trim(),
    put: (words, saving) =>
      put(words === '' ? null : type === 'number' ? Number(words) : words, saving),
  })
  return (
    <>
      <input
        className="value words"
        type={type === 'number' || type === 'url' ? type : 'text'}
        step="any"
        aria-label={name}
        placeholder="Empty"
        {...field}
        onChange={({ target }) => set(target.value)}
      />
      {left && <Unsaved at={left.at} onEdit={left.take} onDrop={left.drop} />}
      {type === 'url' && before && (
        <a href={before} target="_blank" rel="noopener noreferrer">
          Open<span className="unseen"> {name}</span>
        </a>
      )}
    </>
  )
}
