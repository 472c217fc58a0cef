import { type ReactNode, useMemo, useRef, useState } from 'react'
import type { Board } from '../board/data.ts'
import type { Draft as Shown, View } from '../board/rules.ts'
import { useAct, useAsk } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { Dialog } from '../parts/dialog.tsx'
import { countOf } from './count.ts'
import { type Draft, draftOf, givenBy, groupsNow, type Setting } from './draft.ts'
import './editor.css'
import { type Field, fieldsOf } from './fields.ts'
import { GroupsPart } from './groups.tsx'
import { SortingPart } from './sorting.tsx'

interface Props {
  board: Board
  /** What is changed; nothing: a new one is made of what is shown. */
  view: View | undefined
  shown: Shown
  /** What of it no view can keep. */
  note: string
  onClose(): void
  onSaved(view_id: string): void
}

/** All that a view keeps of how a board is looked at. */
export default function ViewEditor({ board, view, shown, note, onClose, onSaved }: Props) {
  const [draft, setDraft] = useState(() => draftOf(view, shown))
  const put = (some: Partial<Draft>) => setDraft((now) => ({ ...now, ...some }))
  const { fields, customs } = useFields(board)
  const { save, words, busy } = useSave(board.project_id, view, onSaved)
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog open {...{ field, onClose }} title={view ? 'The view' : 'Save as a view'}>
      <form
        className="view-editor"
        onSubmit={(event) => {
          event.preventDefault()
          if (draft.title.trim()) save(givenBy(draft, fields))
        }}
      >
        <label className="named">
          Name
          <input
            {...{ ref: field, className: 'field', required: true, maxLength: 200 }}
            value={draft.title}
            onChange={({ target }) => put({ title: target.value })}
          />
        </label>
        <GroupsPart {...{ draft, fields, put }} />
        <SortingPart {...{ sorting: draft.sorting, customs }} put={(sorting) => put({ sorting })} />
        <Subtasks setting={draft.subtasks} put={(subtasks) => put({ subtasks })} />
        <Columns board={board} columns={draft.columns} put={(columns) => put({ columns })} />
        <fieldset>
          <legend>For whom</legend>
          <Check checked={draft.isShared} onChange={(isShared) => put({ isShared })}>
            Everybody on the board sees it
          </Check>
          <Check checked={draft.isDefault} onChange={(isDefault) => put({ isDefault })}>
            The board opens with it for me
          </Check>
        </fieldset>
        {note && <p className="soft">{note}</p>}
        <footer>
          <p role="alert">{words}</p>
          <Count {...{ draft, board, fields }} />
          <button type="submit" className="button main" disabled={busy}>
            Save
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

function useFields(board: Board) {
  const asked = { project_id: board.project_id, limit: 50 }
  const { data: members } = useAsk('projects.members', asked)
  const { data: found } = useAsk('custom_fields.list', asked)
  return useMemo(() => {
    const customs = found?.items ?? []
    const all = fieldsOf({ board, members: members?.items ?? [], customs })
    return { customs, fields: new Map<string, Field>(all.map((one) => [one.field, one])) }
  }, [board, members, found])
}

function useSave(project_id: number, view: View | undefined, onSaved: (view_id: string) => void) {
  const [words, setWords] = useState('')
  const after = {
    done: ({ view_id }: { view_id: string }) => onSaved(view_id),
    failed: (error: Error) => setWords(wordsOf(error)),
  }
  const { act: create, busy: creating } = useAct('views.create', after)
  const { act: update, busy: updating } = useAct('views.update', after)
  const save = (given: ReturnType<typeof givenBy>) => {
    setWords('')
    if (view) update({ view_id: view.view_id, ...given })
    else create({ project_id, ...given })
  }
  return { save, words, busy: creating || updating }
}

const SETTINGS: Record<Setting, string> = {
  Flattened: 'As cards of their own',
  Parent: 'Counted on their parents',
  Card: 'Listed on their parents',
  Flattened_Card: 'As cards, and listed on their parents',
  None: 'Not at all',
}

const Subtasks = ({ setting, put }: { setting: Setting; put(setting: Setting): void }) => (
  <fieldset>
    <legend>Sub-tasks are shown</legend>
    <div className="choices">
      {(Object.keys(SETTINGS) as Setting[]).map((one) => (
        <label key={one} className="check">
          <input type="radio" name="subtasks" checked={one === setting} onChange={() => put(one)} />
          {SETTINGS[one]}
        </label>
      ))}
    </div>
  </fieldset>
)

interface ColumnsProps {
  board: Board
  columns: Draft['columns']
  put(columns: Draft['columns']): void
}

function Columns({ board: { sections }, columns, put }: ColumnsProps) {
  const usual = sections.filter(({ hidden }) => !hidden).map(({ section_id }) => section_id)
  const now = columns ?? usual
  const turn = (id: number, isOn: boolean) => {
    const next = sections
      .map(({ section_id }) => section_id)
      .filter((one) => (one === id ? isOn : now.includes(one)))
    // One that shows nothing is no view.
    if (next.length) put(next.join() === usual.join() ? null : next)
  }
  return (
    <fieldset>
      <legend>Columns</legend>
      <div className="choices">
        {sections.map(({ section_id, title }) => (
          <Check
            key={section_id}
            checked={now.includes(section_id)}
            onChange={(isOn) => turn(section_id, isOn)}
          >
            {title}
          </Check>
        ))}
      </div>
    </fieldset>
  )
}

interface CheckProps {
  checked: boolean
  onChange(checked: boolean): void
  children: ReactNode
}

const Check = ({ checked, onChange, children }: CheckProps) => (
  <label className="check">
    <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
    {children}
  </label>
)

interface CountProps {
  draft: Draft
  board: Board
  fields: ReadonlyMap<string, Field>
}

/** What it finds, before it is kept. */
function Count({ draft, board, fields }: CountProps) {
  const { data: me } = useAsk('user_context.get', {})
  const many = countOf(draft, groupsNow(draft.groups, fields), {
    ...{ board, me: me?.profile.user_id },
  })
  return (
    <p className="soft count" role="status">
      {many === undefined
        ? 'The board counts what it finds once it is saved'
        : many === 1
          ? 'Finds 1 task'
          : `Finds ${many} tasks`}
    </p>
  )
}
