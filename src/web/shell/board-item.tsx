import { Suspense, useState } from 'react'
import { Link, useRoute } from 'wouter'
import type { Me } from '../entities/user/me.ts'
import { onMenuRequest, type Position } from '../kit/context-menu.tsx'
import { Icon } from '../kit/icon.tsx'
import { lazyComponent } from '../kit/lazy-component.ts'
import { createStoredSet } from '../kit/stored-set.ts'
import { t } from '../messages/t.ts'

const BoardPages = lazyComponent(() => import('./board-pages/board-pages.tsx'))
const BoardMenu = lazyComponent(() => import('./board-pages/board-menu.tsx'))

const openBoards = createStoredSet('open-boards')
const isTouch = matchMedia('(pointer: coarse)').matches

/** A board in the sidebar; it unfolds to its pages. */
export function BoardItem({ me, board }: { me: Me; board: Me['boards'][number] }) {
  const { project_id, title, key } = board
  const to = `/projects/${project_id}`
  const [isCurrent] = useRoute(to)
  const isOpen = openBoards.use().has(String(project_id))
  // The menu is loaded when somebody comes near it.
  const [isNear, setNear] = useState(isTouch)
  const [requestedAt, setRequestedAt] = useState<Position>()
  const fold = (open: boolean) => openBoards.toggle(String(project_id), open)
  return (
    <li className="board-item">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the link has the focus */}
      <div
        className="side-row"
        {...onMenuRequest((position) => {
          setNear(true)
          setRequestedAt(position)
        })}
        onPointerEnter={() => setNear(true)}
        onFocus={() => setNear(true)}
        onKeyDown={({ key, target }) => {
          if (!(target as Element).matches('.place')) return
          if (key === 'ArrowRight' || key === 'ArrowLeft') fold(key === 'ArrowRight')
        }}
      >
        <button type="button" className="fold" aria-expanded={isOpen} onClick={() => fold(!isOpen)}>
          <Icon name="chevron" label={t('shell.pages_of_title', { title })} />
        </button>
        <Link
          href={to}
          className="place"
          title={title}
          aria-current={isCurrent ? 'page' : undefined}
        >
          <span className="mark" aria-hidden="true">
            {key.slice(0, 3)}
          </span>
          <span className="name truncate" dir="auto">
            {title}
          </span>
        </Link>
        {isNear && (
          <Suspense>
            <BoardMenu {...{ me, board, requestedAt }} />
          </Suspense>
        )}
      </div>
      {isOpen && (
        <Suspense>
          <BoardPages board={board} />
        </Suspense>
      )}
    </li>
  )
}
