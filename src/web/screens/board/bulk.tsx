import { Icon, type IconName } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import { changeCards, currentCards, setStatus } from './change.ts'
import type { EditableField } from './keys.ts'

interface Props {
  project_id: number
  selectedIds: ReadonlySet<number>
  onChange(what: EditableField, anchor: Element): void
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
export function BulkBar({ project_id, selectedIds, onChange, onClear }: Props) {
  const applyStatus = (status: 'Archive' | 'Deleted') => {
    const cards = currentCards(project_id, [...selectedIds])
    onClear()
    void changeCards(project_id, cards, setStatus(cards, status))
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
          <Icon name={icon} />
          <span className="word">{name}</span>
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
    </div>
  )
}
