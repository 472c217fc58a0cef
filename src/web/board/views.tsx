import { Suspense, useState } from 'react'
import { cache, useAct } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { complain, say } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { part } from '../parts/part.ts'
import type { Board, Column } from './data.ts'
import type { Look } from './look.ts'
import { type Draft, groupsOf, type View } from './rules.ts'

const ViewEditor = part(() => import('../views/editor.tsx'))

export const readViews = () => void cache.invalidateQueries({ queryKey: ['views.list'] })
const failed = (error: Error) => complain(wordsOf(error))

interface Props {
  board: Board
  look: Look
  shown: readonly Column[]
}

/** The saved ways to look at this board. */
export function ViewMenu({ board, look, shown }: Props) {
  const [editing, setEditing] = useState<View | 'new'>()
  const { view, views, show, isChanged } = look
  const { keep, setDefault, erase } = useDeeds(look)
  const now = () => draftOf(board, look, shown)
  const name = view?.title ?? 'All tasks'
  return (
    <>
      <Menu
        label="Views of this board"
        trigger={
          <button type="button" className="button quiet view-name" aria-label={`View: ${name}`}>
            <span className={view ? 'name' : 'word'}>{name}</span>
            {isChanged && <span className="dot changed" role="img" aria-label="changed" />}
            <Icon name="chevron" />
          </button>
        }
        groups={[
          [
            here('All tasks', !view, () => show(undefined)),
            ...views.map((one) =>
              here(one.title, one.view_id === view?.view_id, () => show(one.view_id)),
            ),
          ],
          [
            ...(view && isChanged
              ? [{ name: `Keep the changes in ${view.title}`, run: () => keep(view, now()) }]
              : []),
            { name: 'Save as a view…', icon: 'plus' as const, run: () => setEditing('new') },
            ...(view
              ? [{ name: 'Edit the view…', icon: 'pencil' as const, run: () => setEditing(view) }]
              : []),
            ...(view ? [{ name: defaultWords(view), run: () => setDefault(view) }] : []),
          ],
          view ? [{ name: 'Delete the view', grave: true, run: () => erase(view) }] : [],
        ].filter((deeds) => deeds.length)}
      />
      {editing && (
        <Suspense>
          <ViewEditor
            {...{ board, shown: now() }}
            view={editing === 'new' ? undefined : editing}
            note={editing === 'new' && look.filter.is.includes('work') ? FLEETING : ''}
            onClose={() => setEditing(undefined)}
            onSaved={(view_id) => {
              setEditing(undefined)
              readViews()
              show(view_id)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

const FLEETING = 'Who is at work is of the moment; a view does not keep that part of the filter.'

const here = (name: string, is: boolean, run: () => void) => ({
  name,
  checked: is,
  run,
})

const defaultWords = ({ is_default }: View) =>
  is_default ? 'Do not open the board with it' : 'Open the board with it'

/** What a view keeps of what is shown now. */
function draftOf(board: Board, look: Look, shown: readonly Column[]): Draft {
  const { view, filter, sorting, withDone, withHidden, isFlat, isServed } = look
  const isOwn = !withDone || withHidden || Boolean(view?.visible_section_ids)
  const setting = view?.subtask_setting ?? 'Flattened'
  return {
    // What only the server understands stays as it was written.
    ...(isServed && view
      ? {
          board_filters: view.board_filters,
          label_names: view.label_names,
          assignee_ids: view.assignee_ids,
        }
      : { board_filters: { groups: groupsOf(filter, board) }, label_names: [], assignee_ids: [] }),
    visible_section_ids: isOwn ? shown.map(({ section_id }) => section_id) : null,
    sorting_stack: sorting,
    ...{
      subtask_setting:
        setting.startsWith('Flattened') === isFlat ? setting : isFlat ? 'Flattened' : 'Parent',
    },
  }
}

/** All that a view keeps, to make it again. */
function keptIn(view: View) {
  const { visible_section_ids, board_filters, sorting_stack, subtask_setting } = view
  const { label_names, assignee_ids, match } = view
  const rest = { label_names, assignee_ids, match }
  return { visible_section_ids, board_filters, sorting_stack, subtask_setting, ...rest }
}

function useDeeds({ show }: Look) {
  const { act: update } = useAct('views.update', {
    done({ view_id }) {
      readViews()
      show(view_id)
    },
    failed,
  })
  const { act: makeDefault } = useAct('views.set_default', {
    done: readViews,
    failed,
  })
  const { act: create } = useAct('views.create', {
    done({ view_id }) {
      readViews()
      show(view_id)
    },
    failed,
  })
  const { act: remove } = useAct('views.delete', {
    done: readViews,
    failed(error, { view_id }) {
      failed(error)
      show(view_id)
    },
  })
  const setDefault = ({ view_id, is_default, title }: View) => {
    const words = is_default ? 'Opens with all tasks again' : `Opens with ${title}`
    const undo = () => makeDefault({ view_id, set_as_default: is_default })
    makeDefault({ view_id, set_as_default: !is_default }, { onSuccess: () => say(words, undo) })
  }
  const erase = (view: View) => {
    const { project_id, title, visibility, is_default } = view
    const again = { project_id, title, visibility, set_as_default: is_default, ...keptIn(view) }
    show(undefined)
    const onSuccess = () => say(`Deleted the view ${title}`, () => create(again))
    remove({ view_id: view.view_id }, { onSuccess })
  }
  const keep = (view: View, now: Draft) => {
    const { view_id, title } = view
    const undo = () => update({ view_id, ...keptIn(view) })
    update({ view_id, ...now }, { onSuccess: () => say(`Kept in ${title}`, undo) })
  }
  return { keep, setDefault, erase }
}
