import { useState } from 'react'
import { useAsk } from '../../data/cache.ts'
import type { Input } from '../../data/client.ts'
import { send } from '../../data/waiting.ts'
import { say } from '../../frame/toasts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { LoadError } from '../../parts/load-error.tsx'
import { type Field, fieldsOf, many, type PartProps, showAhead, turn } from './data.ts'
import { Inline } from './inline.tsx'
import { Options } from './options.tsx'
import { Add, FOR_MEMBERS, Part, Reason, Select, Sure } from './parts.tsx'

const ABOUT =
  'What tasks of this board have beside what all tasks have. Everybody fills them in on the task, ' +
  'filters and sorts by them.'

export default function Fields({ board, may }: PartProps) {
  const { project_id } = board
  const list = useAsk('custom_fields.list', fieldsOf(project_id))
  const [removing, setRemoving] = useState<Field>()
  const { data } = list
  if (!data) return <LoadError of={list} what="custom fields" />
  return (
    <Part title="Custom fields" about={ABOUT}>
      {!may.write && <Reason>{FOR_MEMBERS}</Reason>}
      {!data.items.length && <p className="none">No field of its own yet.</p>}
      <ul className="rows" aria-label="Custom fields">
        {data.items.map((field) => (
          <li key={field.field_id} className="board-row">
            <div className="first">
              <Inline
                label={`Name of the field ${field.name}`}
                value={field.name}
                maxLength={100}
                disabled={!may.write}
                onPut={(name) => rename(field, name)}
              />
              <span className="soft kind">{KINDS[field.type]}</span>
              {may.write && (
                <button
                  type="button"
                  className="button quiet only"
                  onClick={() => setRemoving(field)}
                >
                  <Icon name="trash" label={`Delete the field ${field.name}`} />
                </button>
              )}
            </div>
            {field.type === 'select' && <Options {...{ field, mayWrite: may.write }} />}
          </li>
        ))}
      </ul>
      {may.write && <AddField project_id={project_id} />}
      {removing && <RemoveField field={removing} onClose={() => setRemoving(undefined)} />}
    </Part>
  )
}

const KINDS: Record<Field['type'], string> = {
  number: 'Number',
  text: 'Text',
  select: 'One of several',
  date: 'Date',
  checkbox: 'Yes or no',
  url: 'Link',
}

function AddField({ project_id }: { project_id: number }) {
  const [type, setType] = useState<Field['type']>('text')
  return (
    <Add
      label="Name of a new field"
      placeholder="Another field"
      verb="Add the field"
      maxLength={100}
      onAdd={(name) => add({ project_id, name, type })}
    >
      <Select<Field['type']>
        label="What it holds"
        value={type}
        choices={Object.entries(KINDS) as [Field['type'], string][]}
        onPick={setType}
      />
    </Add>
  )
}

const nothing = () => {}

function add(input: Input<'custom_fields.create'>): Promise<boolean> {
  const { project_id, name } = input
  const made = send('custom_fields.create', input)
  const reread = () => showAhead('custom_fields.list', fieldsOf(project_id), (now) => now)()
  void made.then(reread, nothing)
  return turn({
    ...{ made, words: `Added the field ${name}`, back: nothing },
    undo: async () => send('custom_fields.delete', { project_id, field_id: (await made).field_id }),
  })
}

function rename(field: Field, name: string, isUndo = false): Promise<boolean> {
  const { project_id, field_id, name: before } = field
  const back = showAhead('custom_fields.list', fieldsOf(project_id), (all) => ({
    ...all,
    items: all.items.map((one) => (one.field_id === field_id ? { ...one, name } : one)),
  }))
  return turn({
    made: send('custom_fields.update', { project_id, field_id, name }),
    ...{ back, words: isUndo ? undefined : `Renamed ${before} to ${name}` },
    undo: () => rename({ ...field, name }, before, true),
  })
}

function RemoveField({ field, onClose }: { field: Field; onClose(): void }) {
  const { project_id, field_id, name } = field
  return (
    <Sure
      title={`Delete the field ${name}?`}
      verb="Delete the field"
      onClose={onClose}
      onDo={async () => {
        const { cleared_tasks } = await send('custom_fields.delete', { project_id, field_id })
        const tasks = cleared_tasks ? `; ${many(cleared_tasks, 'task')} had it` : ''
        say(`Deleted the field ${name}${tasks}`)
      }}
    >
      <p>Whatever tasks have in it is lost, archived ones too. This cannot be undone.</p>
    </Sure>
  )
}
