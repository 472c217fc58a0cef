import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'
import type { LiveState } from '../data/live.ts'
import { Icon } from '../parts/icon.tsx'
import { showAbove } from './above.ts'
import { openChat } from './asking.ts'
import './side.css'
import { part } from '../parts/part.ts'
import type { Me } from './places.ts'
import { PlacesList } from './places-list.tsx'
import { turnSide, useNarrowSide } from './side-width.ts'
import { Timers } from './timers.tsx'

const Drawer = part(() => import('./drawer.tsx'))

const small = matchMedia('(max-width: 48rem)')
const useSmall = () =>
  useSyncExternalStore(
    (tell) => {
      small.addEventListener('change', tell)
      return () => small.removeEventListener('change', tell)
    },
    () => small.matches,
  )

interface Props {
  me: Me
  live: LiveState
}

/** Where one is, and where one can go: beside the screen, or above it where there is no room. */
export function Side(props: Props) {
  const isSmall = useSmall()
  const isNarrow = useNarrowSide()
  if (isSmall) return <Bar {...props} />
  return (
    <nav className={`side${isNarrow ? ' narrow' : ''}`} aria-label="Places">
      <div className="top">
        <Link href="/" className="brand">
          <span className="name">Corkboard</span>
        </Link>
        <button
          type="button"
          className="button quiet only turn"
          aria-expanded={!isNarrow}
          onClick={turnSide}
        >
          <Icon name="chevron" label={isNarrow ? 'Widen the side bar' : 'Narrow the side bar'} />
        </button>
      </div>
      <PlacesList {...props} timed />
    </nav>
  )
}

function Bar(props: Props) {
  const [open, setOpen] = useState(false)
  const [path] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice leads elsewhere
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
        <Icon name="list" label="Places" />
      </button>
      <Link href="/" className="brand">
        Corkboard
      </Link>
      <Timers />
      <button type="button" className="button quiet only" onClick={() => openChat()}>
        <Icon name="spark" label="Chat" />
      </button>
      <button type="button" className="button quiet only" onClick={() => showAbove('find')}>
        <Icon name="search" label="Search" />
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
