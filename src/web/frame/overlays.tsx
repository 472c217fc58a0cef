import { Suspense, useEffect } from 'react'
import { useSignedOut } from '../data/session.ts'
import { DialogPopup } from '../parts/dialog.tsx'
import { lazyComponent } from '../parts/lazy-component.ts'
import { MenuPopup } from '../parts/menu.tsx'
import { OverlayLoading } from '../parts/overlay-loading.tsx'
import { PickPopup } from '../parts/pick.tsx'
import { WhenPopup } from '../parts/when.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { useGlobalShortcuts } from './global-shortcuts.ts'
import { showOverlay, useOverlay } from './overlay.ts'
import type { Me } from './places.ts'
import { Board } from './screens.ts'

const Palette = lazyComponent(() => import('./palette.tsx'))
const Shortcuts = lazyComponent(() => import('./shortcuts.tsx'))
const SignedOut = lazyComponent(() => import('./signed-out.tsx'))
const Templates = lazyComponent(() => import('../task/templates.tsx'))

/** The screen is drawn by then; the popups of its buttons come next. */
const POPUPS_DELAY_MS = 1500
/** These are loaded too, so that they work without the server. */
const SCREENS_DELAY_MS = 5000

const POPUPS = [DialogPopup, MenuPopup, PickPopup, WhenPopup]
const SCREENS = [Board, Palette, Shortcuts, SignedOut]

const preloadAll = (parts: readonly { preload(): unknown }[]) => {
  for (const lazy of parts) void lazy.preload()
}

/** The overlays of every screen, and the shortcuts that open them. */
export function Overlays({ me }: { me: Me }) {
  const overlay = useOverlay()
  const hasEnded = useSignedOut()
  useGlobalShortcuts(me)
  useEffect(() => {
    const timers = [
      setTimeout(preloadAll, POPUPS_DELAY_MS, POPUPS),
      setTimeout(preloadAll, SCREENS_DELAY_MS, SCREENS),
    ]
    return () => timers.forEach(clearTimeout)
  }, [])
  const { user_id, display_name: name } = me.profile
  if (hasEnded)
    return (
      <Suspense>
        <SignedOut user_id={user_id} name={name} />
      </Suspense>
    )
  if (!overlay) return null
  return (
    <ErrorBoundary resetKey={overlay} onError={() => showOverlay(undefined)}>
      <OverlayLoading onLeave={() => showOverlay(undefined)} />
      <Suspense>
        {overlay === 'keys' ? (
          <Shortcuts onClose={() => showOverlay(undefined)} />
        ) : overlay === 'templates' ? (
          <Templates me={me} onClose={() => showOverlay(undefined)} />
        ) : (
          <Palette key={overlay} me={me} page={overlay} />
        )}
      </Suspense>
    </ErrorBoundary>
  )
}
