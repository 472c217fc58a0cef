import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { boardLinkItems } from '../../entities/board/board-items.ts'
import { togglePin, usePins } from '../../entities/sidebar/pins.ts'
import type { Me } from '../../entities/user/me.ts'
import { openMenuAt, type Position } from '../../kit/context-menu.tsx'
import { Icon } from '../../kit/icon.tsx'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { Menu } from '../../kit/menu.tsx'
import type { MenuItem } from '../../kit/menu-popup.tsx'
import { t } from '../../messages/t.ts'
import '../rows/rows.css'

const NewPageDialog = lazyComponent(() => import('./new-page-dialog.tsx'))

interface Props {
  me: Me
  board: Me['boards'][number]
  /** Where the menu was last requested, which may be before this code was loaded. */
  requestedAt: Position | undefined
}

/** The menu of a board in the sidebar. */
export default function BoardMenu({ me, board, requestedAt }: Props) {
  const { project_id, title } = board
  const [, go] = useLocation()
  const { entries } = usePins()
  const [isAdding, setAdding] = useState(false)
  const path = `/projects/${project_id}`
  const isPinned = entries.some((one) => one.path === path)
  const label = t('shell.actions_for_name', { name: title })
  const groups: MenuItem[][] = [
    boardLinkItems(board),
    [
      { name: t('shell.new_page_dialog'), icon: 'page', run: () => setAdding(true) },
      {
        ...{ name: isPinned ? t('sidebar.unpin') : t('sidebar.pin_to_the_sidebar'), icon: 'pin' },
        run: () => void togglePin(path, title, isPinned),
      },
    ],
    [
      {
        ...{ name: t('shell.archive_and_trash'), icon: 'archive' },
        run: () => go(`/archive?board=${project_id}`),
      },
      {
        ...{ name: t('shell.board_settings'), icon: 'settings' },
        run: () => go(`/settings/board/${project_id}`),
      },
    ],
  ]
  const openRequested = useEffectEvent((at: Position) => openMenuAt(at, { label, groups }))
  useEffect(() => {
    if (requestedAt) openRequested(requestedAt)
  }, [requestedAt])
  return (
    <>
      <Menu
        {...{ label, groups }}
        trigger={
          <button type="button" className="button quiet only row-menu">
            <Icon name="dots" label={label} />
          </button>
        }
      />
      {isAdding && (
        <Suspense>
          <NewPageDialog me={me} boardId={project_id} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  )
}
