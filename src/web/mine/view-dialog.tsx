import { useRef, useState } from 'react'
import { useAct, useAsk } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { say } from '../frame/toasts.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Choices, Toggle, Values } from './choices.tsx'
import { turned } from './filter.ts'
import type { Look } from './look.ts'
import type { MyView } from './shapes.ts'
import { readViews } from './views.ts'
import { keptOf, type Wanted, wantedBy } from './wanted.ts'

interface Props {
  /** Nothing: a new one is made of what is shown. */
  view: MyView | undefined
  look: Look
  onClose(): void
}

interface More {
  title: string
  hidden_section_ids: readonly number[]
  default_project_id: number | null
}
const NO_MORE: More = { title: '', hidden_section_ids: [], default_project_id: null }

/** Makes or changes a view of My Tasks. */
export default function ViewDialog({ view, look, onClose }: Props) {
  const [wanted, setWanted] = useState<Wanted>(view ? wantedBy(view) : look.wanted)
  // A new view that is made of another one hides what that one hides.
  const [more, setMore] = useState<More>(view ?? { ...NO_MORE, ...look.view, title: '' })
  const put = (some: Partial<Wanted>) => setWanted((now) => ({ ...now, ...some }))
  const add = (some: Partial<More>) => setMore((now) => ({ ...now, ...some }))
  const { save, words, busy } = useSave({ view, look, onClose })
  const field = useRef<HTMLInputElement>(null)
  const title = view ? 'Change the view' : 'Save as a view'
  return (
    <Dialog open {...{ field, onClose, title }}>
      <form
        className="view-form"
        onSubmit={(event) => {
          event.preventDefault()
          save(wanted, more)
        }}
      >
        <label>
          Name
          <input
            {...{ ref: field, className: 'field', required: true, maxLength: 200 }}
            value={more.title}
            onChange={(event) => add({ title: event.target.value })}
          />
        </label>
        <GoTo {...{ more, add }} />
        <Choices {...{ wanted, put }} />
        <Hidden {...{ wanted, more, add }} />
        <footer>
          <p role="alert">{words}</p>
          <button type="submit" className="button main" disabled={busy}>
            Save
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

function useSave({ view, look, onClose }: Props) {
  const [words, setWords] = useState('')
  const ends = {
    async done({ view_id, title }: MyView) {
      await readViews()
      look.show(view_id)
      onClose()
      say(view ? `Changed the view ${title}` : `Saved the view ${title}`)
    },
    failed: (error: Error) => setWords(wordsOf(error)),
  }
  const { act: create, busy: creating } = useAct('my_views.create', ends)
  const { act: change, busy: changing } = useAct('my_views.update', ends)
  const save = (wanted: Wanted, more: More) => {
    const { title, hidden_section_ids, default_project_id } = more
    const given = {
      ...keptOf(wanted),
      ...{ title: title.trim(), hidden_section_ids: [...hidden_section_ids], default_project_id },
    }
    setWords('')
    if (view) change({ view_id: view.view_id, ...given })
    else create(given)
  }
  return { save, words, busy: creating || changing }
}

interface MoreProps {
  more: More
  add(some: Partial<More>): void
}

/** Columns of the chosen boards whose tasks stay out. */
function Hidden({ wanted: { project_ids }, ...rest }: MoreProps & { wanted: Wanted }) {
  const { data: me } = useAsk('user_context.get', {})
  const boards = me?.boards ?? []
  const some =
    boards.length === 1
      ? boards
      : boards.filter(({ project_id }) => project_ids.includes(project_id))
  return some.map(({ project_id, title }) => (
    <Columns key={project_id} project_id={project_id} board={title} {...rest} />
  ))
}

interface ColumnsProps extends MoreProps {
  project_id: number
  board: string
}

function Columns({ project_id, board, more: { hidden_section_ids: hidden }, add }: ColumnsProps) {
  const { data } = useAsk('sections.list', { project_id, include_hidden: true, limit: 50 })
  if (!data) return null
  const turn = (section_id: number) => {
    const next = turned(hidden.map(String), String(section_id))
    add({ hidden_section_ids: next.map(Number) })
  }
  return (
    <Values name={`Leave out columns of ${board}`}>
      {data.items.map(({ section_id, title }) => (
        <Toggle key={section_id} on={hidden.includes(section_id)} onTurn={() => turn(section_id)}>
          {title}
        </Toggle>
      ))}
    </Values>
  )
}

function GoTo({ more: { default_project_id }, add }: MoreProps) {
  const { data: me } = useAsk('user_context.get', {})
  return (
    <label>
      New tasks go to
      <select
        className="field"
        value={default_project_id ?? ''}
        onChange={({ target: { value } }) =>
          add({ default_project_id: value ? Number(value) : null })
        }
      >
        <option value="">The board of your profile</option>
        {me?.boards.map(({ project_id, title }) => (
          <option key={project_id} value={project_id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}
