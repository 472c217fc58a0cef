import { useRef } from 'react'
import { Check, SelectField } from '../../../kit/field.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { InlineField } from '../../../kit/inline-edit.tsx'
import { Menu } from '../../../kit/menu.tsx'
import * as actions from './column-actions.ts'
import type { Column, Member } from './data.ts'
import { onArrowKeys, targetIndex, useSortableRow } from './sorting.ts'

interface Props {
  column: Column
  /** Its index, and the last index. */
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
  useSortableRow(row, handle, {
    ...{ list: 'columns', id: section_id },
    onPut(id, beside, isAfter) {
      const from = actions.placeOf(project_id, Number(id))
      const to = targetIndex(from, actions.placeOf(project_id, Number(beside)), isAfter)
      actions.moveTo(project_id, Number(id), to)
    },
  })
  const shift = (by: 1 | -1) => actions.moveTo(project_id, section_id, at + by)
  return (
    <li ref={row} className="board-row column-row">
      <div className="first">
        {mayWrite && (
          <button
            type="button"
            ref={handle}
            className="button quiet only handle"
            title="Drag, or press ↑ or ↓"
            onKeyDown={onArrowKeys(shift)}
          >
            <Icon name="grip" label={`Move ${title} with ↑ and ↓`} />
          </button>
        )}
        <InlineField
          label={`Name of the column ${title}`}
          value={title}
          maxLength={500}
          disabled={!mayWrite}
          onSave={(next) => actions.rename(column, next)}
        />
        {mayWrite && <ColumnMenu {...{ title, at, last, shift, onRemove }} />}
      </div>
      <ColumnSettings {...{ column, members, mayWrite }} />
    </li>
  )
}

interface ColumnMenuProps extends Pick<Props, 'at' | 'last' | 'onRemove'> {
  title: string
  shift(by: 1 | -1): void
}

const ColumnMenu = ({ title, at, last, shift, onRemove }: ColumnMenuProps) => (
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
      [{ name: 'Delete…', icon: 'trash', danger: true, disabled: last === 0, run: onRemove }],
    ]}
  />
)

const ROLES = [
  ['intake', 'New ideas'],
  ['committed', 'Next work'],
  ['building', 'In progress'],
  ['verify', 'Review'],
  ['done', 'Done'],
] as const

/** The settings of a section. */
function ColumnSettings({
  column,
  members,
  mayWrite,
}: Pick<Props, 'column' | 'members' | 'mayWrite'>) {
  const { title, role, is_done, done, hidden, auto_assign, wip_limit } = column
  const assigneeKey = auto_assign ? String(actions.keyOfActor(auto_assign)) : ''
  const people = members.map((one) => [String(actions.keyOfActor(one)), one.name] as const)
  const isKnown = !auto_assign || people.some(([key]) => key === assigneeKey)
  return (
    <fieldset className="choices" disabled={!mayWrite}>
      <legend className="unseen">Settings of {title}</legend>
      <SelectField
        label="Role"
        {...{ value: role, choices: ROLES }}
        onPick={(next) => void actions.setRole(column, next)}
      />
      <SelectField
        label="Counts as done"
        value={`${is_done}`}
        choices={[
          ['null', `By its name${is_done === null ? (done ? ': yes' : ': no') : ''}`],
          ['true', 'Yes'],
          ['false', 'No'],
        ]}
        onPick={(next) => void actions.setDone(column, next === 'null' ? null : next === 'true')}
      />
      <SelectField
        label="Assigns to"
        value={assigneeKey}
        choices={[
          ['', 'Nobody'],
          ...people,
          ...(isKnown ? [] : [[assigneeKey, auto_assign.name] as const]),
        ]}
        onPick={(key) => {
          const one = members.find((member) => String(actions.keyOfActor(member)) === key)
          void actions.assign(column, one)
        }}
      />
      <div className="labelled">
        <span aria-hidden="true">Limit</span>
        <InlineField
          label={`Limit of ${title}`}
          value={wip_limit === null ? '' : String(wip_limit)}
          {...{ numeric: true, mayEmpty: true, placeholder: 'No limit', maxLength: 4 }}
          onSave={(text) => actions.limit(column, text)}
        />
      </div>
      <Check checked={hidden} onChange={(checked) => void actions.setHidden(column, checked)}>
        Hidden
      </Check>
    </fieldset>
  )
}
