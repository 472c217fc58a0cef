import { type ReactNode, useRef, useState } from 'react'
import { useAct, useAsk } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { Dialog } from '../parts/dialog.tsx'
import type { MyView } from './data.ts'
import './forms.css'

type Draft = Pick<
  MyView,
  'title' | 'grouping' | 'project_ids' | 'hidden_section_ids' | 'show_done' | 'default_project_id'
>

interface Props {
  view: MyView | undefined
  /** What a new view begins with. */
  usual: Pick<Draft, 'grouping' | 'show_done'>
  onClose(): void
  onSaved(view: MyView): void
}

const EMPTY = { title: '', project_ids: [], hidden_section_ids: [], default_project_id: null }

/** Makes or changes a view of My Tasks. */
export function ViewDialog({ view, usual, onClose, onSaved }: Props) {
  const [draft, setDraft] = useState<Draft>(view ?? { ...EMPTY, ...usual })
  const [words, setWords] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const ends = { done: onSaved, failed: (error: Error) => setWords(wordsOf(error)) }
  const { act: create, busy: creating } = useAct('my_views.create', ends)
  const { act: change, busy: changing } = useAct('my_views.update', ends)
  const put = (some: Partial<Draft>) => setDraft((now) => ({ ...now, ...some }))
  const save = () => {
    const given = { ...of(draft), title: draft.title.trim() }
    if (view) change({ view_id: view.view_id, ...given })
    else create(given)
  }
  const title = view ? 'Change the view' : 'Save as a view'
  return (
    <Dialog open {...{ field, onClose, title }}>
      <form
        className="view-form"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <label>
          Name
          <input
            {...{ ref: field, className: 'field', required: true, maxLength: 200 }}
            value={draft.title}
            onChange={(event) => put({ title: event.target.value })}
          />
        </label>
        <Choices {...{ draft, put }} />
        <Boards {...{ draft, put }} />
        <p role="alert">{words}</p>
        <button type="submit" className="button main" disabled={creating || changing}>
          Save
        </button>
      </form>
    </Dialog>
  )
}

/** Of a view that is there already, only what a form can change. */
const of = (draft: Draft): Draft => ({
  title: draft.title,
  grouping: draft.grouping,
  project_ids: draft.project_ids,
  hidden_section_ids: draft.hidden_section_ids,
  show_done: draft.show_done,
  default_project_id: draft.default_project_id,
})

interface Parts {
  draft: Draft
  put(some: Partial<Draft>): void
}

const GROUPINGS = [
  ['due', 'By due date'],
  ['board', 'By board'],
] as const

const Choices = ({ draft, put }: Parts) => (
  <fieldset>
    <legend>Groups</legend>
    <div className="checks">
      {GROUPINGS.map(([grouping, name]) => (
        <label key={grouping} className="check">
          <input
            {...{ type: 'radio', name: 'grouping', checked: draft.grouping === grouping }}
            onChange={() => put({ grouping })}
          />
          {name}
        </label>
      ))}
      <Check checked={draft.show_done} onChange={(show_done) => put({ show_done })}>
        Completed tasks too
      </Check>
    </div>
  </fieldset>
)

function Boards({ draft, put }: Parts) {
  const { data: me } = useAsk('user_context.get', {})
  const boards = me?.boards ?? []
  const titleOf = (id: number) => boards.find(({ project_id }) => project_id === id)?.title ?? ''
  return (
    <>
      <fieldset>
        <legend>Boards</legend>
        <p className="soft">None chosen: tasks of all boards.</p>
        <div className="checks">
          {boards.map(({ project_id, title }) => (
            <Check
              key={project_id}
              {...listed(draft.project_ids, project_id, (project_ids) => put({ project_ids }))}
            >
              {title}
            </Check>
          ))}
        </div>
      </fieldset>
      {draft.project_ids.map((id) => (
        <Columns key={id} project_id={id} board={titleOf(id)} {...{ draft, put }} />
      ))}
      <label>
        New tasks go to
        <select
          className="field"
          value={draft.default_project_id ?? ''}
          onChange={({ target: { value } }) =>
            put({ default_project_id: value ? Number(value) : null })
          }
        >
          <option value="">The board of your profile</option>
          {boards.map(({ project_id, title }) => (
            <option key={project_id} value={project_id}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}

/** Columns of one board whose tasks stay out. */
function Columns({ project_id, board, draft, put }: Parts & { project_id: number; board: string }) {
  const { data } = useAsk('sections.list', { project_id, include_hidden: true, limit: 50 })
  const hidden = draft.hidden_section_ids
  return (
    <fieldset>
      <legend>Hidden columns of {board}</legend>
      <div className="checks">
        {data?.items.map(({ section_id, title }) => (
          <Check
            key={section_id}
            {...listed(hidden, section_id, (hidden_section_ids) => put({ hidden_section_ids }))}
          >
            {title}
          </Check>
        ))}
      </div>
    </fieldset>
  )
}

const listed = (ids: readonly number[], id: number, set: (ids: number[]) => void) => ({
  checked: ids.includes(id),
  onChange: (is: boolean) => set(is ? [...ids, id] : ids.filter((one) => one !== id)),
})

interface CheckProps {
  checked: boolean
  onChange(checked: boolean): void
  children: ReactNode
}

const Check = ({ checked, onChange, children }: CheckProps) => (
  <label className="check">
    <input type="checkbox" {...{ checked }} onChange={({ target }) => onChange(target.checked)} />
    {children}
  </label>
)
