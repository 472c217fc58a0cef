import { Priority } from '../../../entities/task/priority.tsx'
import { keyOf } from '../../../entities/user/actor.ts'
import { Avatar } from '../../../entities/user/avatar.tsx'
import { PickMany, PickOne } from '../../../kit/pick.tsx'
import { PickWhen } from '../../../kit/when.tsx'
import { t } from '../../../messages/t.ts'
import { optionsOf } from './cell-text.ts'
import { type Field, isSameValue, type Row, type TableContext, type Value } from './types.ts'

interface Props {
  field: Field
  /** The rows to change; the first one has the cell. */
  rows: readonly Row[]
  context: TableContext
  anchor: Element | null
  /** What was typed to open the list. */
  query: string | undefined
  onChange(change: (row: Row) => Value): void
  onClose(): void
}

/** The kinds of fields that are edited with a list or a calendar. */
const POPUP_KINDS: readonly Field['kind'][] = [
  'section',
  'people',
  'labels',
  'choice',
  'select',
  'date',
  'parent',
]
export const hasPopup = ({ kind }: Field) => POPUP_KINDS.includes(kind)

const commonValue = (rows: readonly Row[], field: Field): Value => {
  const [first, ...others] = rows.map((row) => field.read(row))
  return others.every((value) => isSameValue(value, first!)) ? first! : null
}

/** The list or the calendar of a cell. */
export function CellEditor(props: Props) {
  const { field, rows, anchor, onChange, onClose, context, query } = props
  const popup = {
    ...{ label: field.label, open: true, anchor, ...(query && { query }) },
    onOpen: (open: boolean) => {
      if (!open) onClose()
    },
  }
  if (field.kind === 'date')
    return (
      <PickWhen
        {...popup}
        allowsTime={!field.custom}
        value={commonValue(rows, field) as string | null}
        onPick={(day) => onChange(() => day)}
      />
    )
  if (field.kind === 'people' || field.kind === 'labels')
    return <PickSeveral {...props} popup={popup} />
  return (
    <PickOne
      {...popup}
      value={commonValue(rows, field) as string | number | null}
      choices={choicesOf(field, context, rows)}
      limit={100}
      onPick={(value) => {
        onClose()
        onChange(() => value)
      }}
    />
  )
}

interface Choice {
  value: string | number | null
  name: string
  mark?: React.ReactNode
}

function choicesOf(field: Field, context: TableContext, rows: readonly Row[]): Choice[] {
  if (field.kind === 'section')
    return context.sections.map(({ section_id, title }) => ({ value: section_id, name: title }))
  if (field.kind === 'parent') {
    const own = new Set(rows.map(({ card }) => card.task_id))
    return [
      { value: null, name: t('board.no_parent') },
      ...context.board.cards
        .filter(({ task_id }) => task_id > 0 && !own.has(task_id))
        .map(({ task_id, ticket_number, title }) => ({
          value: task_id,
          name: `${ticket_number} ${title}`,
        })),
    ]
  }
  const options = optionsOf(field).map((option) => ({
    ...option,
    ...(field.name === 'priority' && { mark: <Priority value={Number(option.value)} /> }),
  }))
  return field.kind === 'select'
    ? [...options, { value: null, name: t('table.no_label', { label: field.label }) }]
    : options
}

type Key = string | number

interface SeveralProps extends Props {
  popup: Pick<React.ComponentProps<typeof PickMany<Key>>, 'label' | 'open' | 'anchor' | 'onOpen'>
}

/** Values that all rows have are checked. Each toggle changes only that value. */
function PickSeveral({ field, rows, context, popup, onChange }: SeveralProps) {
  const listOf = (row: Row) => field.read(row) as readonly Key[]
  const choices: { value: Key; name: string; mark: React.ReactNode }[] =
    field.kind === 'people'
      ? context.members.map((member) => ({
          value: keyOf(member),
          name: member.name,
          mark: <Avatar actor={member} />,
        }))
      : [...context.labels.values()].map(({ label_id, name, color }) => ({
          value: label_id,
          name: name ?? '',
          mark: <span className="dot" style={{ background: color }} />,
        }))
  const on = choices
    .map(({ value }) => value)
    .filter((value) => rows.every((row) => listOf(row).includes(value)))
  return (
    <PickMany
      {...popup}
      values={on}
      choices={choices}
      onPick={(next) => {
        const toggled = [...on, ...next].find((key) => on.includes(key) !== next.includes(key))
        if (toggled === undefined) return
        const isOn = next.includes(toggled)
        onChange((row) => {
          const others = listOf(row).filter((key) => key !== toggled)
          return isOn ? [...others, toggled] : others
        })
      }}
    />
  )
}
