import { useRef, useState } from 'react'
import { Refused } from '../../data/client.ts'
import { send } from '../../data/waiting.ts'
import { say } from '../../frame/toasts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { type Field, fieldsOf, many, refused, showAhead, turn } from './data.ts'
import { Inline } from './inline.tsx'
import { Add, Sure } from './parts.tsx'
import { byArrows, placeBeside, useSorting } from './sorting.ts'

type Option = { option_id?: string; label: string }

/** What a field offers, in the order in which it does. */
export function Options({ field, mayWrite }: { field: Field; mayWrite: boolean }) {
  const { name, options } = field
  const [losing, setLosing] = useState<{ option: Option; tasks: number }>()
  const without = (option: Option) =>
    options.filter(({ option_id }) => option_id !== option.option_id)
  /** It is another one by then, for what had it has nothing now. */
  const again = (option: Option): Option[] =>
    options.map((one) => (one.option_id === option.option_id ? { label: one.label } : one))
  const remove = (option: Option) =>
    write(field, without(option)).then(
      () =>
        say(`Took ${option.label} off ${name}`, () => void put(field, again(option), undefined)),
      (error) => {
        const tasks = error instanceof Refused && Number(error.details.tasks)
        if (tasks) setLosing({ option, tasks })
        else refused(error)
      },
    )
  const move = (from: number, to: number) => {
    const moved = options[from]
    if (!moved || !options[to] || from === to) return
    const next = options.toSpliced(from, 1).toSpliced(to, 0, moved)
    void put(field, next, `Moved ${moved.label}`, options)
  }
  return (
    <div className="options">
      <ol aria-label={`What ${name} offers`}>
        {options.map((option, at) => (
          <OptionRow
            key={option.option_id}
            {...{ field, option, at, mayWrite, move }}
            onRemove={() => void remove(option)}
          />
        ))}
      </ol>
      {!options.length && <p className="none">It offers nothing yet.</p>}
      {mayWrite && (
        <Add
          label={`Another option of ${name}`}
          placeholder="Another option"
          verb="Add"
          maxLength={100}
          onAdd={(label) => put(field, [...options, { label }], `Added ${label}`, options)}
        />
      )}
      {losing && (
        <Losing
          {...{ name, ...losing }}
          onDo={() => write(field, without(losing.option), true)}
          onClose={() => setLosing(undefined)}
        />
      )}
    </div>
  )
}

interface LosingProps {
  name: string
  option: Option
  tasks: number
  onDo(): Promise<unknown>
  onClose(): void
}

/** What tasks have chosen is only taken from them when somebody says so once more. */
const Losing = ({ name, option, tasks, onDo, onClose }: LosingProps) => (
  <Sure
    title={`Take ${option.label} off ${name}?`}
    verb="Take it off"
    onClose={onClose}
    onDo={() => onDo().then(() => say(`Took ${option.label} off ${name}`))}
  >
    <p>
      {many(tasks, 'task')} {tasks === 1 ? 'has' : 'have'} it, and will have nothing in {name}. This
      cannot be undone.
    </p>
  </Sure>
)

interface RowProps {
  field: Field
  option: Field['options'][number]
  at: number
  mayWrite: boolean
  move(from: number, to: number): void
  onRemove(): void
}

function OptionRow({ field, option, at, mayWrite, move, onRemove }: RowProps) {
  const { option_id, label } = option
  const row = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLButtonElement>(null)
  const placeOf = (id: unknown) => field.options.findIndex((one) => one.option_id === id)
  useSorting(row, handle, {
    ...{ list: `options of ${field.field_id}`, id: option_id },
    onPut(id, beside, isAfter) {
      const from = placeOf(id)
      move(from, placeBeside(from, placeOf(beside), isAfter))
    },
  })
  const rename = (next: string) => {
    const all = field.options.map((one) => (one === option ? { ...one, label: next } : one))
    return put(field, all, `Renamed ${label} to ${next}`, field.options)
  }
  return (
    <li ref={row} className="first">
      {mayWrite && (
        <button
          type="button"
          ref={handle}
          className="button quiet only handle"
          title="Drag, or press ↑ or ↓"
          onKeyDown={byArrows((by) => move(at, at + by))}
        >
          <Icon name="grip" label={`Move ${label}, by ↑ and ↓`} />
        </button>
      )}
      <Inline
        label={`The option ${label} of ${field.name}`}
        value={label}
        maxLength={100}
        disabled={!mayWrite}
        onPut={rename}
      />
      {mayWrite && (
        <button type="button" className="button quiet only" onClick={onRemove}>
          <Icon name="close" label={`Take ${label} off ${field.name}`} />
        </button>
      )}
    </li>
  )
}

const write = ({ project_id, field_id }: Field, options: readonly Option[], force = false) =>
  send(
    'custom_fields.update',
    { project_id, field_id, options: [...options], ...(force && { force }) },
    { line: `field ${field_id}` },
  )

/** Shown at once; an option that has no number yet gets one from the server. */
function put(
  field: Field,
  options: readonly Option[],
  words: string | undefined,
  before?: readonly Option[],
): Promise<boolean> {
  const shown = options.flatMap(({ option_id, label }) => (option_id ? { option_id, label } : []))
  const back = showAhead('custom_fields.list', fieldsOf(field.project_id), (all) => ({
    ...all,
    items: all.items.map((one) =>
      one.field_id === field.field_id ? { ...one, options: shown } : one,
    ),
  }))
  return turn({
    made: write(field, options),
    ...{ back, words, about: `options of ${field.field_id}` },
    ...(before && { undo: () => put(field, before, undefined) }),
  })
}
