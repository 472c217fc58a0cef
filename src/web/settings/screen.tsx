import { Suspense } from 'react'
import { Link, useRoute } from 'wouter'
import type { Me } from '../frame/places.ts'
import { part } from '../parts/part.ts'
import './settings.css'

/** What each part of the settings is given. */
export interface PartProps {
  me: Me
  /** Of the team or the board that it is about. */
  id: string | undefined
}

/** In the order in which they are listed; each is fetched when it is first shown. */
const PARTS = {
  profile: { name: 'Profile', Screen: part(() => import('./profile.tsx')) },
  team: { name: 'Team', Screen: part(() => import('./team.tsx')) },
  audit: { name: 'Audit log', Screen: part(() => import('./audit.tsx')) },
  board: { name: 'Board', Screen: part(() => import('./board.tsx')) },
} as const
type Name = keyof typeof PARTS

export default function Settings({ me }: { me: Me }) {
  const [, params] = useRoute('/settings/:part?/:id?')
  const name = (params?.part ?? 'profile') as Name
  const { Screen } = PARTS[name] ?? PARTS.profile
  return (
    <div className="settings">
      <nav aria-label="Settings">
        {Object.entries(PARTS).map(([path, one]) => (
          <Link
            key={path}
            href={`/settings/${path}`}
            aria-current={path === name ? 'page' : undefined}
          >
            {one.name}
          </Link>
        ))}
      </nav>
      <Suspense>
        <Screen me={me} id={params?.id} />
      </Suspense>
    </div>
  )
}
