import { useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { cache, useAct } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { type Offer, useOffers } from '../frame/offers.ts'
import { complain, say } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import type { MyView } from './data.ts'
import type { Look } from './look.ts'
import { ViewDialog } from './view-dialog.tsx'

const readViews = () => void cache.invalidateQueries({ queryKey: ['my_views.list'] })
const failed = (error: Error) => complain(wordsOf(error))

/** Saved ways to look at My Tasks, side by side. */
export const Tabs = ({ views, view }: Look) => (
  <nav className="looks" aria-label="Views of My Tasks">
    <Tab id={undefined} title="All" isHere={!view} />
    {views.map(({ view_id, title }) => (
      <Tab key={view_id} id={view_id} title={title} isHere={view?.view_id === view_id} />
    ))}
  </nav>
)

const Tab = ({ id, title, isHere }: { id: string | undefined; title: string; isHere: boolean }) => (
  <Link href={id ? `/my?view=${id}` : '/my'} aria-current={isHere ? 'page' : undefined}>
    {title}
  </Link>
)

/** How the list is shown, and what is kept of that. */
export function ShowMenu({ look }: { look: Look }) {
  const [editing, setEditing] = useState<MyView | 'new'>()
  const { view, grouping, withDone, isChanged } = look
  const { act: keep } = useAct('my_views.update', {
    done: ({ title, view_id }) => {
      readViews()
      look.show(view_id)
      say(`Kept in ${title}`)
    },
    failed,
  })
  const erase = useErase(look)
  const offers = useLooks(look, () => setEditing('new'))
  useOffers(offers)
  const kept = { grouping, show_done: withDone }
  return (
    <>
      <Menu
        label="How My Tasks are shown"
        trigger={
          <button type="button" className="button plain">
            <Icon name="filter" />
            View
          </button>
        }
        groups={[
          offers.slice(0, 3),
          [
            ...(view && isChanged
              ? [
                  {
                    name: `Keep in ${view.title}`,
                    run: () => keep({ view_id: view.view_id, ...kept }),
                  },
                ]
              : []),
            ...offers.slice(3),
            ...(view ? [{ name: 'Change this view…', run: () => setEditing(view) }] : []),
            ...(view ? [{ name: 'Delete this view', grave: true, run: () => erase(view) }] : []),
          ],
        ]}
      />
      {editing && (
        <ViewDialog
          view={editing === 'new' ? undefined : editing}
          usual={kept}
          onClose={() => setEditing(undefined)}
          onSaved={(saved) => {
            setEditing(undefined)
            readViews()
            look.show(saved.view_id)
          }}
        />
      )}
    </>
  )
}

/** Other ways to look, for the menu and the palette. */
function useLooks(look: Look, save: () => void): readonly Offer[] {
  const { grouping, withDone, isAsleep } = look
  const latest = useRef(save)
  latest.current = save
  return useMemo(
    (): Offer[] => [
      {
        ...{ name: grouping === 'due' ? 'Group by board' : 'Group by due date', icon: 'list' },
        run: () => look.setGrouping(grouping === 'due' ? 'board' : 'due'),
      },
      {
        ...{ name: withDone ? 'Hide completed tasks' : 'Show completed tasks', icon: 'check' },
        run: () => look.setDone(!withDone),
      },
      {
        ...{ name: isAsleep ? 'Hide snoozed tasks' : 'Show snoozed tasks', icon: 'moon' },
        run: () => look.setAsleep(!isAsleep),
      },
      { name: 'Save as a view…', icon: 'plus', run: () => latest.current() },
    ],
    [look, grouping, withDone, isAsleep],
  )
}

/** Deleted at once; undoing makes the same view anew. */
function useErase(look: Look) {
  const { act: create } = useAct('my_views.create', {
    done: ({ view_id }) => {
      readViews()
      look.show(view_id)
    },
    failed,
  })
  const { act } = useAct('my_views.delete', { failed })
  return (view: MyView) => {
    const { view_id, created_at: _1, updated_at: _2, sorting_mode: _3, ...draft } = view
    look.show(null)
    act(
      { view_id },
      {
        onSuccess() {
          readViews()
          say(`Deleted the view ${view.title}`, () => create(draft))
        },
      },
    )
  }
}
