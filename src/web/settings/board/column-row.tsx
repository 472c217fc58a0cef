import { useRef } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { Menu } from '../../parts/menu.tsx'
import * as deeds from './column-deeds.ts'
import type { Column, Member } from './data.ts'
import { Inline } from './inline.tsx'
import { Select } from './parts.tsx'
import { byArrows, placeBeside, useSorting } from './sorting.ts'

interface Props {
  column: Column
  /** Its place, and that of the last one. */
  at: number
  last: number
  members: readonly Member[]
  mayWrite: boolean
  onRemove(): void
}

export function ColumnRow({ column, at, last, members, mayWrite, onRemove }: Props) {
  const { project_id, section_id, title } = column
  const row = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLButtonElement>(null)
  useSorting(row, handle, {
    ...{ list: 'columns', id: section_id },
    onPut(id, beside, isAfter) {
      const from = deeds.placeOf(project_id, Number(id))
      const to = placeBeside(from, deeds.placeOf(project_id, Number(beside)), isAfter)
      deeds.moveTo(project_id, Number(id), to)
    },
  })
  const shift = (by: 1 | -1) => deeds.moveTo(project_id, section_id, at + by)
  return (
    <li ref={row} className="board-row column-row">
      <div className="first">
        {mayWrite && (
          <button
            type="button"
            ref={handle}
            className="button quiet only handle"
            title="Drag, or press ↑ or ↓"
            onKeyDown={byArrows(shift)}
          >
            <Icon name="grip" label={`Move ${title}, by ↑ and ↓`} />
          </button>
        )}
        <Inline
          label={`Name of the column ${title}`}
          value={title}
          maxLength={500}
          disabled={!mayWrite}
          onPut={(next) => deeds.rename(column, next)}
        />
        {mayWrite && <More {...{ title, at, last, shift, onRemove }} />}
      </div>
      <Choices {...{ column, members, mayWrite }} />
    </li>
  )
}

interface MoreProps extends Pick<Props, 'at' | 'last' | 'onRemove'> {
  title: string
  shift(by: 1 | -1): void
}

const More = ({ title, at, last, shift, onRemove }: MoreProps) => (
  <Menu
    label={`Column ${title}`}
    trigger={
      <button type="button" className="button quiet only">
        <Icon name="dots" label={`More about ${title}`} />
      </button>
    }
    groups={[
      [
        { name: 'Move up', icon: 'up', disabled: at === 0, run: () => shift(-1) },
        { name: 'Move down', icon: 'down', disabled: at === last, run: () => shift(1) },
      ],
      [{ name: 'Delete…', icon: 'trash', grave: true, disabled: last === 0, run: onRemove }],
    ]}
  />
)

const ROLES = [
  ['intake', 'New ideas'],
  ['committed', 'Next work'],
  ['building', 'In progress'],
  ['verify', 'Review'],
  ['done', 'Finished'],
] as const

type Done = 'null' | 'true' | 'false'

/** What a column does with its tasks. */
function Choices({ column, members, mayWrite }: Pick<Props, 'column' | 'members' | 'mayWrite'>) {
  const { title, role, is_done, done, hidden, auto_assign, wip_limit } = column
  const who = auto_assign ? String(deeds.keyOfActor(auto_assign)) : ''
  const people = members.map((one) => [String(deeds.keyOfActor(one)), one.name] as const)
  const isKnown = !auto_assign || people.some(([key]) => key === who)
  return (
    <fieldset className="choices" disabled={!mayWrite}>
      <legend className="unseen">What {title} does</legend>
      <Select
        label="It is for"
        {...{ value: role, choices: ROLES }}
        onPick={(next) => void deeds.setRole(column, next)}
      />
      <Select<Done>
        label="Counts as done"
        value={`${is_done}`}
        choices={[
          ['null', `By its name${is_done === null ? (done ? ': yes' : ': no') : ''}`],
          ['true', 'Yes'],
          ['false', 'No'],
        ]}
        onPick={(next) => void deeds.setDone(column, next === 'null' ? null : next === 'true')}
      />
      <Select
        label="Assigns"
        value={who}
        choices={[
          ['', 'Nobody'],
          ...people,
          ...(isKnown ? [] : [[who, auto_assign.name] as const]),
        ]}
        onPick={(key) => {
          const one = members.find((member) => String(deeds.keyOfActor(member)) === key)
          void deeds.assign(column, one)
        }}
      />
      <div className="limit">
        <span aria-hidden="true">At most</span>
        <Inline
          label={`Most tasks in ${title}`}
          value={wip_limit === null ? '' : String(wip_limit)}
          {...{ numeric: true, mayEmpty: true, placeholder: 'Any number', maxLength: 4 }}
          onPut={(text) => deeds.limit(column, text)}
        />
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={hidden}
          onChange={({ target }) => void deeds.setHidden(column, target.checked)}
        />
        Hidden
      </label>
    </fieldset>
  )
}
