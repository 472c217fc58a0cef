import { Suspense, useState } from 'react'
import { Link } from 'wouter'
import { Icon } from '../parts/icon.tsx'
import { type Deed, Menu } from '../parts/menu.tsx'
import { part } from '../parts/part.ts'
import type { Look } from './look.ts'
import { move, openWith } from './own.ts'
import type { MyView } from './shapes.ts'
import { useErase } from './views.ts'

const ViewDialog = part(() => import('./view-dialog.tsx'))

/** Saved ways to look at My Tasks, side by side. */
export function Tabs({ look }: { look: Look }) {
  const { views, view, pathOf } = look
  return (
    <>
      <nav className="looks" aria-label="Views of My Tasks">
        <Tab to={pathOf(undefined)} title="All" isHere={!view} />
        {views.map(({ view_id, title }) => (
          <Tab
            key={view_id}
            to={pathOf(view_id)}
            title={title}
            isHere={view?.view_id === view_id}
          />
        ))}
      </nav>
      {view && <ViewMenu look={look} view={view} />}
    </>
  )
}

const Tab = ({ to, title, isHere }: { to: string; title: string; isHere: boolean }) => (
  <Link href={to} aria-current={isHere ? 'page' : undefined}>
    {title}
  </Link>
)

/** What can be done with the view that is shown. */
function ViewMenu({ look, view }: { look: Look; view: MyView }) {
  const [editing, setEditing] = useState(false)
  const erase = useErase(look)
  const { views, first } = look
  const { view_id, title } = view
  const at = views.findIndex((one) => one.view_id === view_id)
  const isFirst = first === view_id
  const deeds: Deed[] = [
    { name: 'Change the view…', icon: 'pencil', run: () => setEditing(true) },
    {
      name: isFirst ? 'Open My Tasks with all' : 'Open My Tasks with it',
      ...{ icon: 'home', run: () => openWith(isFirst ? undefined : view_id) },
    },
    {
      ...{ name: 'Move to the left', icon: 'back', disabled: at === 0 },
      run: () => move(views, view_id, -1),
    },
    {
      ...{ name: 'Move to the right', icon: 'arrow', disabled: at === views.length - 1 },
      run: () => move(views, view_id, 1),
    },
  ]
  return (
    <>
      <Menu
        label={`The view ${title}`}
        trigger={
          <button type="button" className="button quiet only">
            <Icon name="dots" label={`More about the view ${title}`} />
          </button>
        }
        groups={[
          deeds,
          [{ name: 'Delete the view', icon: 'trash', grave: true, run: () => erase(view) }],
        ]}
      />
      {editing && (
        <Suspense>
          <ViewDialog view={view} look={look} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  )
}
