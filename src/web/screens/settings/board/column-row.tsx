import { useRef } from 'react'
import { ROLE_NAMES } from '../../../entities/board/role-icon.tsx'
import { Check, SelectField } from '../../../kit/field.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { InlineField } from '../../../kit/inline-edit.tsx'
import { Menu } from '../../../kit/menu.tsx'
import { t } from '../../../messages/t.ts'
import { ColorButton } from './color-button.tsx'
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
    onMove(id, neighbourId, isAfter) {
      const from = actions.placeOf(project_id, Number(id))
      const to = targetIndex(from, actions.placeOf(project_id, Number(neighbourId)), isAfter)
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
            title={t('settings.drag_or_press_or')}
            onKeyDown={onArrowKeys(shift)}
          >
            <Icon name="grip" label={t('settings.move_title_with_and', { title })} />
          </button>
        )}
        <ColorButton
          {...{ name: title, color: column.color, allowsNone: true, disabled: !mayWrite }}
          onPick={(color) => void actions.setColor(column, color)}
        />
        <InlineField
          label={t('settings.name_of_the_column_title', { title })}
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
    label={t('settings.column_title', { title })}
    trigger={
      <button type="button" className="button quiet only">
        <Icon name="dots" label={t('settings.more_about_title', { title })} />
      </button>
    }
    groups={[
      [
        { name: t('settings.move_up'), icon: 'up', disabled: at === 0, run: () => shift(-1) },
        { name: t('settings.move_down'), icon: 'down', disabled: at === last, run: () => shift(1) },
      ],
      [
        {
          name: t('common.delete'),
          icon: 'trash',
          danger: true,
          disabled: last === 0,
          run: onRemove,
        },
      ],
    ]}
  />
)

const ROLES = Object.entries(ROLE_NAMES) as [Column['role'], string][]

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
      <legend className="unseen">{t('settings.settings_of_title', { title })}</legend>
      <SelectField
        label={t('settings.role')}
        {...{ value: role, choices: ROLES }}
        onPick={(next) => void actions.setRole(column, next)}
      />
      <SelectField
        label={t('common.counts_as_done')}
        value={`${is_done}`}
        choices={[
          ['null', nameRule(is_done, done)],
          ['true', t('settings.yes')],
          ['false', t('settings.no')],
        ]}
        onPick={(next) => void actions.setDone(column, next === 'null' ? null : next === 'true')}
      />
      <SelectField
        label={t('settings.assigns_to')}
        value={assigneeKey}
        choices={[
          ['', t('common.nobody')],
          ...people,
          ...(isKnown ? [] : [[assigneeKey, auto_assign.name] as const]),
        ]}
        onPick={(key) => {
          const one = members.find((member) => String(actions.keyOfActor(member)) === key)
          void actions.assign(column, one)
        }}
      />
      <div className="labelled">
        <span aria-hidden="true">{t('settings.limit')}</span>
        <InlineField
          label={t('settings.limit_of_title', { title })}
          value={wip_limit === null ? '' : String(wip_limit)}
          {...{
            numeric: true,
            allowsEmpty: true,
            placeholder: t('settings.no_limit'),
            maxLength: 4,
          }}
          onSave={(text) => actions.limit(column, text)}
        />
      </div>
      <Check checked={hidden} onChange={(checked) => void actions.setHidden(column, checked)}>
        {t('settings.hidden')}
      </Check>
    </fieldset>
  )
}

/** How a column counts as done if that is not set. */
const nameRule = (is_done: boolean | null, done: boolean) => {
  if (is_done !== null) return t('settings.by_its_name')
  return done ? t('settings.by_its_name_yes') : t('settings.by_its_name_no')
}
