import { Icon, type IconName } from '../../kit/icon.tsx'
import { changeCards, currentCards, setStatus } from './change.ts'
import type { EditableField } from './keys.ts'

interface Props {
  project_id: number
  chosen: ReadonlySet<number>
  onChange(what: EditableField, anchor: Element): void
  onClear(): void
}

const FIELDS: readonly [EditableField, string, string, IconName][] = [
  ['column', 'Column', 's', 'board'],
  ['priority', 'Priority', 'p', 'bars'],
  ['label', 'Labels', 'l', 'tag'],
  ['assign', 'Assign', 'a', 'mine'],
  ['due', 'Due date', 'd', 'calendar'],
  ['size', 'Size', 'e', 'expand'],
]

/** The toolbar for the selected cards. */
export function BulkBar({ project_id, chosen, onChange, onClear }: Props) {
  const applyStatus = (status: 'Archive' | 'Deleted') => {
    const cards = currentCards(project_id, [...chosen])
    onClear()
    void changeCards(project_id, cards, setStatus(cards, status))
  }
  return (
    <div className="bulk" role="toolbar" aria-label="Selected tasks">
      <span className="many" aria-live="polite">
        {chosen.size} selected
      </span>
      <button type="button" className="button quiet only" onClick={onClear}>
        <Icon name="close" label="Clear selection" />
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
        <span className="word">Archive</span>
      </button>
      <button type="button" className="button quiet" onClick={() => applyStatus('Deleted')}>
        <Icon name="trash" />
        <span className="word">Delete</span>
      </button>
    </div>
  )
}
