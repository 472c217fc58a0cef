import { type CSSProperties, useRef } from 'react'
import { RoleIcon } from '../../../entities/board/role-icon.tsx'
import { keyOf } from '../../../entities/user/actor.ts'
import { Avatar } from '../../../entities/user/avatar.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import { Count } from '../columns/count.tsx'
import { cellRole, rowRole } from './aria.ts'
import { PINNED, type TableColumn } from './column-list.ts'
import { useDropOnGroup } from './drop.ts'
import { asActorKey, type Group } from './grouping.ts'
import { totalText } from './totals.ts'
import type { TotalOf } from './totals-row.tsx'
import type { TableContext } from './types.ts'

interface Props {
  group: Group
  at: number
  columns: readonly TableColumn[]
  context: TableContext
  isCollapsed: boolean
  hasFocus: boolean
  totalOf: TotalOf
  style: CSSProperties
  className: string
  isNarrow: boolean
  onToggle(): void
  onAdd: (() => void) | undefined
}

/** The head of a group: its name, its size and the totals of its rows. */
export function GroupHead(props: Props) {
  const { group, at, columns, context, totalOf, onAdd, isNarrow } = props
  const element = useRef<HTMLDivElement>(null)
  useDropOnGroup(element, group)
  const pinned = columns.filter(({ field }) => PINNED.includes(field.name)).length
  const column = context.shown.find(({ section_id }) => String(section_id) === group.key)
  const isSection = group.field.kind === 'section' && column && !group.parent
  return (
    <div
      ref={element}
      {...(!isNarrow && rowRole(at))}
      className={`line-head depth-${group.depth} ${props.className}`}
      data-line={group.path}
      data-lane={group.path}
      {...(isSection && { 'data-column': column.section_id })}
      style={props.style}
    >
      <div
        {...(!isNarrow && cellRole(1, 'rowheader', { 'aria-colspan': pinned }))}
        className="cell pinned head-cell"
      >
        <Toggle {...props} />
        {isSection ? <RoleIcon column={column} /> : <Mark group={group} context={context} />}
        <h2 title={group.name}>{group.name}</h2>
        {isSection ? <Count column={column} /> : <span className="count">{group.rows.length}</span>}
        {onAdd && (
          <button
            type="button"
            className="button quiet only"
            tabIndex={isNarrow ? 0 : -1}
            onClick={onAdd}
          >
            <Icon name="plus" label={t('board.add_a_task_to_title', { title: group.name })} />
          </button>
        )}
      </div>
      {columns.slice(pinned).map(({ field }, index) => (
        <div
          key={field.name}
          {...cellRole(pinned + index + 1)}
          className={`cell ${field.kind} total`}
        >
          {totalText(field, totalOf(field), group.rows)}
        </div>
      ))}
    </div>
  )
}

/** Closes or opens the group. */
const Toggle = ({ group: { name }, isCollapsed, isNarrow, hasFocus, onToggle }: Props) => (
  <button
    type="button"
    className="button quiet only toggle"
    tabIndex={isNarrow || hasFocus ? 0 : -1}
    aria-expanded={!isCollapsed}
    onClick={onToggle}
  >
    <Icon
      name="chevron"
      label={isCollapsed ? t('table.expand_name', { name }) : t('table.collapse_name', { name })}
    />
  </button>
)

function Mark({ group: { field, key }, context }: Pick<Props, 'group' | 'context'>) {
  const label = field.kind === 'labels' ? context.labels.get(Number(key)) : undefined
  if (label) return <span className="dot" style={{ background: label.color }} />
  if (field.kind !== 'people' && field.kind !== 'agents') return null
  const actor =
    context.actors.get(asActorKey(key)) ?? context.members.find((one) => String(keyOf(one)) === key)
  return actor ? <Avatar actor={actor} /> : null
}
