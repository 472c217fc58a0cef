import { Suspense, useEffect } from 'react'
import { useSignedOut } from '../data/session.ts'
import { showAbove, useAbove } from './above.ts'
import { Board } from './begin.ts'
import { Coming } from './coming.tsx'
import { useEverywhere } from './everywhere.ts'
import { Guard } from './fault.tsx'
import { part } from './part.ts'
import type { Me } from './places.ts'

const Palette = part(() => import('./palette.tsx'))
const Shortcuts = part(() => import('./shortcuts.tsx'))
const SignedOut = part(() => import('./signed-out.tsx'))
const Templates = part(() => import('../task/templates.tsx'))

/** By then the screen is there, and these should be, even without the server. */
const AHEAD_MS = 5000

/** What can stand above every screen, and the keys that bring it up. */
export function Overlays({ me }: { me: Me }) {
  const above = useAbove()
  const isOver = useSignedOut()
  useEverywhere(me)
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const one of [Board, Palette, Shortcuts, SignedOut]) void one.ahead()
    }, AHEAD_MS)
    return () => clearTimeout(timer)
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
      <Coming />
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
