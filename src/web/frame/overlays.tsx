import { Suspense, useEffect } from 'react'
import { useSignedOut } from '../data/session.ts'
import { Coming } from '../parts/coming.tsx'
import { DialogPopup } from '../parts/dialog.tsx'
import { MenuPopup } from '../parts/menu.tsx'
import { part } from '../parts/part.ts'
import { PickPopup } from '../parts/pick.tsx'
import { WhenPopup } from '../parts/when.tsx'
import { showAbove, useAbove } from './above.ts'
import { Board } from './begin.ts'
import { useEverywhere } from './everywhere.ts'
import { Guard } from './fault.tsx'
import type { Me } from './places.ts'

const Palette = part(() => import('./palette.tsx'))
const Shortcuts = part(() => import('./shortcuts.tsx'))
const SignedOut = part(() => import('./signed-out.tsx'))
const Templates = part(() => import('../task/templates.tsx'))

/** By then the screen is there; what its buttons open is wanted next. */
const SOON_MS = 1500
/** By then these should be there too, even without the server. */
const AHEAD_MS = 5000

const SOON = [DialogPopup, MenuPopup, PickPopup, WhenPopup]
const AHEAD = [Board, Palette, Shortcuts, SignedOut]

const fetchAll = (parts: readonly { ahead(): unknown }[]) => {
  for (const one of parts) void one.ahead()
}

/** What can stand above every screen, and the keys that bring it up. */
export function Overlays({ me }: { me: Me }) {
  const above = useAbove()
  const isOver = useSignedOut()
  useEverywhere(me)
  useEffect(() => {
    const timers = [setTimeout(fetchAll, SOON_MS, SOON), setTimeout(fetchAll, AHEAD_MS, AHEAD)]
    return () => timers.forEach(clearTimeout)
  }, [])
  const { user_id, display_name: name } = me.profile
  if (isOver)
    return (
      <Suspense>
        <SignedOut user_id={user_id} name={name} />
      </Suspense>
    )
  if (!above) return null
  return (
    <Guard place={above} onFault={() => showAbove(undefined)}>
      <Coming onLeave={() => showAbove(undefined)} />
      <Suspense>
        {above === 'keys' ? (
          <Shortcuts onClose={() => showAbove(undefined)} />
        ) : above === 'templates' ? (
          <Templates me={me} onClose={() => showAbove(undefined)} />
        ) : (
          <Palette key={above} me={me} page={above} />
        )}
      </Suspense>
    </Guard>
  )
}
