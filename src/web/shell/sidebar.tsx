import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'
import type { LiveState } from '../data/change-stream.ts'
import { openChat } from '../entities/chat/chat-request.ts'
import { useHasChat } from '../entities/chat/has-chat.ts'
import { showOverlay } from '../entities/command/overlay.ts'
import { Icon } from '../kit/icon.tsx'
import { t } from '../messages/t.ts'
import './side.css'
import type { Me } from '../entities/user/me.ts'
import { lazyComponent } from '../kit/lazy-component.ts'
import { toggleSidebar, useNarrowSide } from '../kit/sidebar-width.ts'
import { PlacesList } from './places-list.tsx'
import { Timers } from './timers.tsx'

const Drawer = lazyComponent(() => import('./drawer.tsx'))

const smallScreen = matchMedia('(max-width: 48rem)')
const useIsSmallScreen = () =>
  useSyncExternalStore(
    (listener) => {
      smallScreen.addEventListener('change', listener)
      return () => smallScreen.removeEventListener('change', listener)
    },
    () => smallScreen.matches,
  )

interface Props {
  me: Me
  live: LiveState
}

/** The navigation: a sidebar, or a top bar with a drawer on narrow screens. */
export function Sidebar(props: Props) {
  const isSmall = useIsSmallScreen()
  const isNarrow = useNarrowSide()
  if (isSmall) return <TopBar {...props} />
  return (
    <nav className={`side${isNarrow ? ' narrow' : ''}`} aria-label={t('shell.main')}>
      <div className="top">
        <Link href="/" className="brand">
          <span className="name">{t('shell.corkboard')}</span>
        </Link>
        <button
          type="button"
          className="button quiet only turn"
          aria-expanded={!isNarrow}
          onClick={toggleSidebar}
        >
          <Icon
            name="chevron"
            label={isNarrow ? t('shell.expand_sidebar') : t('shell.collapse_sidebar')}
          />
        </button>
      </div>
      <PlacesList {...props} showsTimers />
    </nav>
  )
}

function TopBar(props: Props) {
  const [open, setOpen] = useState(false)
  const hasChat = useHasChat()
  const [path] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes when the path changes
  useEffect(() => setOpen(false), [path])
  return (
    <header className="top-bar">
      <button
        type="button"
        className="button quiet only"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Icon name="list" label={t('shell.menu')} />
      </button>
      <Link href="/" className="brand">
        {t('shell.corkboard')}
      </Link>
      <Timers />
      {hasChat && (
        <button type="button" className="button quiet only" onClick={() => openChat()}>
          <Icon name="spark" label={t('shell.chat')} />
        </button>
      )}
      <button type="button" className="button quiet only" onClick={() => showOverlay('find')}>
        <Icon name="search" label={t('shell.search')} />
      </button>
      {open && (
        <Suspense>
          <Drawer onClose={() => setOpen(false)}>
            <PlacesList {...props} />
          </Drawer>
        </Suspense>
      )}
    </header>
  )
}
