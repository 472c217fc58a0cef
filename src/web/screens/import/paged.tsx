import { type ReactNode, useState } from 'react'
import { t } from '../../messages/t.ts'

const PAGE = 50

interface Props<T> {
  items: readonly T[]
  className?: string
  label?: string
  /** How many items are shown at first. */
  first?: number
  /** Draws an item, with a key. */
  children(item: T): ReactNode
}

/** A list that shows its first items, and more on request. */
export function Paged<T>({
  items,
  className = 'import-list',
  label,
  first = PAGE,
  children,
}: Props<T>) {
  const [shown, setShown] = useState(first)
  const rest = items.length - shown
  return (
    <>
      <ul className={className} aria-label={label}>
        {items.slice(0, shown).map(children)}
      </ul>
      {rest > 0 && (
        <button type="button" className="button plain more" onClick={() => setShown(shown + PAGE)}>
          {t('import.show_more_of_rest', { rest })}
        </button>
      )}
    </>
  )
}
