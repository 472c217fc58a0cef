import type { Board, Card } from '../../entities/board/data.ts'
import { Priority } from '../../entities/task/priority.tsx'
import { TASK_FIELDS, valueName } from '../../entities/task/task-fields.tsx'
import { keyOf } from '../../entities/user/actor.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import { dueText } from '../../kit/dates.ts'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import { changeCards, currentCards, setStatus } from './change.ts'
import type { EditableField } from './keys.ts'

interface Props {
  board: Board
  selectedIds: ReadonlySet<number>
  onChange(what: EditableField, anchor: Element): void
  /** Opens the menu of the selected cards. */
  onMenu(button: Element): void
  onClear(): void
}

const FIELDS: readonly [EditableField, string, string, IconName][] = [
  ['column', t('common.column'), 's', 'board'],
  ['priority', t('common.priority'), 'p', 'bars'],
  ['label', t('common.labels'), 'l', 'tag'],
  ['assign', t('board.assign'), 'a', 'mine'],
  ['due', t('common.due_date'), 'd', 'calendar'],
  ['size', t('common.size'), 'e', 'expand'],
]

/** The toolbar for the selected cards. */
export default function BulkBar({ board, selectedIds, onChange, onMenu, onClear }: Props) {
  const { project_id } = board
  const cards = board.cards.filter(({ task_id }) => selectedIds.has(task_id))
  const applyStatus = (status: 'Archive' | 'Deleted') => {
    const current = currentCards(project_id, [...selectedIds])
    onClear()
    void changeCards(project_id, current, setStatus(current, status))
  }
  return (
    <div className="bulk" role="toolbar" aria-label={t('board.selected_tasks')}>
      <span className="selected-count" aria-live="polite">
        {t('board.count_selected', { count: selectedIds.size })}
      </span>
      <button type="button" className="button quiet only" onClick={onClear}>
        <Icon name="close" label={t('board.clear_selection')} />
      </button>
      {FIELDS.map(([what, name, key, icon]) => (
        <button
          key={what}
          type="button"
          className="button quiet"
          title={`${name} (${key.toUpperCase()})`}
          onClick={({ currentTarget }) => onChange(what, currentTarget)}
        >
          <CommonValue {...{ board, cards, what, name, icon }} />
        </button>
      ))}
      <button type="button" className="button quiet" onClick={() => applyStatus('Archive')}>
        <Icon name="archive" />
        <span className="word">{t('common.archive')}</span>
      </button>
      <button type="button" className="button quiet" onClick={() => applyStatus('Deleted')}>
        <Icon name="trash" />
        <span className="word">{t('common.delete_name')}</span>
      </button>
      <button
        type="button"
        className="button quiet only"
        onClick={({ currentTarget }) => onMenu(currentTarget)}
      >
        <Icon name="dots" label={t('board.more_actions')} />
      </button>
    </div>
  )
}

interface ValueProps {
  board: Board
  cards: readonly Card[]
  what: EditableField
  name: string
  icon: IconName
}

/** The value that all selected cards have, or else the name of the field. */
function CommonValue({ board, cards, what, name, icon }: ValueProps) {
  const [mark, value] = commonValueOf(board, cards, what) ?? []
  return (
    <>
      {mark ?? <Icon name={icon} />}
      <span className={value ? 'unseen' : 'word'}>{name}</span>
      {value && <span className="word">{value}</span>}
    </>
  )
}

/** The field of a card as text, which is empty if it is not set. */
function textOf({ sections, labels, actors }: Board, card: Card, what: EditableField): string {
  if (what === 'column')
    return sections.find(({ section_id }) => section_id === card.section_id)?.title ?? ''
  if (what === 'due') return card.due_date ? dueText(card.due_date).short : ''
  if (what === 'label')
    return labels
      .filter(({ label_id }) => card.labels?.includes(label_id))
      .map((label) => label.name)
      .join(', ')
  if (what === 'assign')
    return actors
      .filter((actor) => card.assignees?.includes(keyOf(actor)))
      .map((actor) => actor.name)
      .join(', ')
  const field = TASK_FIELDS.find(({ noun }) => noun === what)
  const value = field && card[field.name]
  return value ? valueName(field, value) : ''
}

function commonValueOf(board: Board, cards: readonly Card[], what: EditableField) {
  const [first] = cards
  const text = first && textOf(board, first, what)
  if (!text || !cards.every((card) => textOf(board, card, what) === text)) return undefined
  const actor = board.actors.find((one) => first.assignees?.includes(keyOf(one)))
  if (what === 'assign' && actor) return [<Avatar key="mark" actor={actor} />, text] as const
  if (what === 'priority')
    return [<Priority key="mark" value={first.priority ?? 0} />, text] as const
  return [undefined, text] as const
}
