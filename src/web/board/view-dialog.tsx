import { useRef, useState } from 'react'
import { useAct } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { Dialog } from '../parts/dialog.tsx'
import type { Draft, View } from './rules.ts'

interface Props {
  project_id: number
  /** What is renamed; nothing: a new one is made of what is shown. */
  view: View | undefined
  draft: Draft
  /** What of it no view can keep. */
  note: string
  onClose(): void
  onSaved(view_id: string): void
}

/** Names a view, and says whose it is. */
export default function ViewDialog({ project_id, view, draft, note, ...ends }: Props) {
  const { onClose, onSaved } = ends
  const [title, setTitle] = useState(view?.title ?? '')
  const [isShared, setShared] = useState(view ? view.visibility === 'Public' : true)
  const [isDefault, setDefault] = useState(view?.is_default ?? false)
  const [words, setWords] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const after = {
    done: ({ view_id }: { view_id: string }) => onSaved(view_id),
    failed: (error: Error) => setWords(wordsOf(error)),
  }
  const { act: create, busy: creating } = useAct('views.create', after)
  const { act: update, busy: updating } = useAct('views.update', after)
  const save = () => {
    const given = {
      title: title.trim(),
      visibility: isShared ? ('Public' as const) : ('Private' as const),
      set_as_default: isDefault,
    }
    if (view) update({ view_id: view.view_id, ...given })
    else create({ project_id, ...given, ...draft })
  }
  return (
    <Dialog open field={field} onClose={onClose} title={view ? 'The view' : 'Save as a view'}>
      <form
        className="ask"
        onSubmit={(event) => {
          event.preventDefault()
          if (title.trim()) save()
        }}
      >
        <label>
          Name
          <input
            {...{ ref: field, className: 'field', required: true, maxLength: 200, value: title }}
            onChange={(event) => setTitle(event.target.value)}
          />
        </label>
        <Check checked={isShared} onChange={setShared} name="Everybody on the board sees it" />
        <Check checked={isDefault} onChange={setDefault} name="The board opens with it for me" />
        {note && <p className="soft">{note}</p>}
        <p role="alert">{words}</p>
        <button type="submit" className="button main" disabled={creating || updating}>
          Save
        </button>
      </form>
    </Dialog>
  )
}

interface CheckProps {
  checked: boolean
  name: string
  onChange(checked: boolean): void
}

const Check = ({ checked, name, onChange }: CheckProps) => (
  <label className="check">
    <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
    {name}
  </label>
)
