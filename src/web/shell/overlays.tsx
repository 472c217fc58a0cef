import { Suspense } from 'react'
import { useSignedOut } from '../data/session.ts'
import { showOverlay, useOverlay } from '../entities/command/overlay.ts'
import type { Me } from '../entities/user/me.ts'
import { DialogPopup } from '../kit/dialog.tsx'
import { ErrorBoundary } from '../kit/error-boundary.tsx'
import { lazyComponent, usePreloaded } from '../kit/lazy-component.ts'
import { MenuPopup } from '../kit/menu.tsx'
import { OverlayLoading } from '../kit/overlay-loading.tsx'
import { PickPopup } from '../kit/pick.tsx'
import { WhenPopup } from '../kit/when.tsx'
import { useGlobalShortcuts } from './global-shortcuts.ts'
import { Agents, Board, Inbox, Mine, TaskPanel } from './screens.ts'
import { useRequestedTour } from './tour/request.ts'

const Palette = lazyComponent(() => import('./palette.tsx'))
const Shortcuts = lazyComponent(() => import('./shortcuts.tsx'))
const SignedOut = lazyComponent(() => import('./signed-out.tsx'))
const NewPageDialog = lazyComponent(() => import('./board-pages/new-page-dialog.tsx'))
const UndoHistory = lazyComponent(() => import('./undo-history.tsx'))
const Tour = lazyComponent(() => import('./tour/tour.tsx'))
const Templates = lazyComponent(() => import('../entities/template/templates.tsx'))

/** These are loaded too, so that they work without the server. */
const SCREENS_DELAY_MS = 5000

const POPUPS = [DialogPopup, MenuPopup, PickPopup, WhenPopup, TaskPanel]
const SCREENS = [Board, Palette, Mine, Inbox, Agents, Shortcuts, SignedOut]

/** The overlays of every screen, and the shortcuts that open them. */
export function Overlays({ me }: { me: Me }) {
  const overlay = useOverlay()
  const hasEnded = useSignedOut()
  useGlobalShortcuts(me)
  useRequestedTour()
  usePreloaded(POPUPS)
  usePreloaded(SCREENS, SCREENS_DELAY_MS)
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
        ) : overlay === 'history' ? (
          <UndoHistory onClose={() => showOverlay(undefined)} />
        ) : overlay === 'tour' ? (
          <Tour me={me} />
        ) : overlay === 'templates' ? (
          <Templates me={me} onClose={() => showOverlay(undefined)} />
        ) : overlay === 'page' ? (
          <NewPageDialog me={me} onClose={() => showOverlay(undefined)} />
        ) : (
          <Palette key={overlay} me={me} page={overlay} />
        )}
      </Suspense>
    </ErrorBoundary>
  )
}
