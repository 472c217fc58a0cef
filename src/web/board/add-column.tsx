import { useState } from 'react'
import { isComposing } from '../parts/composing.ts'
import { Icon } from '../parts/icon.tsx'
import { addColumn, type Spot } from './columns.ts'
import { useWayBack } from './way-back.ts'

interface Props {
  project_id: number
  spot: Spot
  onClose(): void
}

/** A name and Enter make a column where the field stands. */
export function AddColumn({ project_id, spot, onClose }: Props) {
  const [title, setTitle] = useState('')
  const [busy, setBusy] = useState(false)
  const goBack = useWayBack('.more-columns')
  const close = () => {
    onClose()
    goBack()
  }
  return (
    <section className="column" aria-label="New column">
      <form
        className="quick-add"
        onSubmit={async (event) => {
          event.preventDefault()
          if (!title.trim() || busy) return
          setBusy(true)
          const made = await addColumn(project_id, title.trim(), spot)
          setBusy(false)
          if (!made) return
          onClose()
          focusColumn(made)
        }}
      >
        <input
          className="field"
          aria-label="Name of the new column"
          placeholder="Name of the column"
          maxLength={500}
          // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked to type here
          autoFocus
          value={title}
          aria-busy={busy}
          onChange={(event) => setTitle(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && !isComposing(event) && close()}
          onBlur={() => !title.trim() && onClose()}
        />
      </form>
    </section>
  )
}

const PATIENCE_MS = 2000

/** As soon as it is there, one can go on with a task in it. */
function focusColumn(section_id: number, until = performance.now() + PATIENCE_MS) {
  const { activeElement: at } = document
  // Whoever has gone elsewhere meanwhile is not taken from there.
  if (at !== document.body && !at?.closest('[aria-label="New column"]')) return
  const cards = document.querySelector(`.cards[data-column="${section_id}"]`)
  const add = cards?.closest('.column')?.querySelector<HTMLElement>('.deeds > button:last-child')
  if (add) add.focus()
  else if (performance.now() < until) requestAnimationFrame(() => focusColumn(section_id, until))
}

export const MoreColumns = ({ onAdd }: { onAdd(): void }) => (
  <button type="button" className="button quiet more-columns" onClick={onAdd}>
    <Icon name="plus" />
    Add a column
  </button>
)
