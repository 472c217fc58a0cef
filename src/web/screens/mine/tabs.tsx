import { Suspense, useState } from 'react'
import { Icon } from '../../kit/icon.tsx'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { Menu } from '../../kit/menu.tsx'
import type { MenuItem } from '../../kit/menu-popup.tsx'
import { NavTabs } from '../../kit/nav-tabs.tsx'
import { t } from '../../messages/t.ts'
import type { MyView } from './types.ts'
import { INVOLVEMENTS, type Involvement } from './view-options.ts'
import { moveView, setDefaultView } from './view-order.ts'
import type { ViewState } from './view-state.ts'
import { useDeleteView } from './views.ts'

const ViewDialog = lazyComponent(() => import('./view-dialog.tsx'))

const BUILT_IN = Object.entries(INVOLVEMENTS) as [Involvement, string][]

/** What the caller is assigned to, created and watches, and the saved views, as tabs. */
export function Tabs({ viewState }: { viewState: ViewState }) {
  const { views, view, options, pathOf, pathOfTab } = viewState
  return (
    <>
      <NavTabs
        label={t('mine.views_of_my_tasks')}
        tabs={[
          ...BUILT_IN.map(([involvement, name]) => ({
            ...{ href: pathOfTab(involvement), name },
            isCurrent: !view && options.involvement === involvement,
          })),
          ...views.map(({ view_id, title }) => ({
            ...{ href: pathOf(view_id), name: title, isCurrent: view_id === view?.view_id },
          })),
        ]}
      />
      {view && <ViewMenu viewState={viewState} view={view} />}
    </>
  )
}

/** The menu of the current view. */
function ViewMenu({ viewState, view }: { viewState: ViewState; view: MyView }) {
  const [isEditing, setEditing] = useState(false)
  const deleteView = useDeleteView(viewState)
  const { views, first } = viewState
  const { view_id, title } = view
  const index = views.findIndex((one) => one.view_id === view_id)
  const isFirst = first === view_id
  const actions: MenuItem[] = [
    { name: t('mine.edit_view'), icon: 'pencil', run: () => setEditing(true) },
    {
      name: isFirst ? t('mine.stop_using_as_default') : t('mine.use_as_default'),
      ...{ icon: 'home', run: () => setDefaultView(isFirst ? undefined : view_id) },
    },
    {
      ...{ name: t('mine.move_left'), icon: 'back', disabled: index === 0 },
      run: () => moveView(views, view_id, -1),
    },
    {
      ...{ name: t('mine.move_right'), icon: 'arrow', disabled: index === views.length - 1 },
      run: () => moveView(views, view_id, 1),
    },
  ]
  return (
    <>
      <Menu
        label={t('mine.the_view_title', { title })}
        trigger={
          <button type="button" className="button quiet only">
            <Icon name="dots" label={t('mine.more_about_the_view_title', { title })} />
          </button>
        }
        groups={[
          actions,
          [
            {
              name: t('mine.delete_view'),
              icon: 'trash',
              danger: true,
              run: () => deleteView(view),
            },
          ],
        ]}
      />
      {isEditing && (
        <Suspense>
          <ViewDialog view={view} viewState={viewState} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  )
}
