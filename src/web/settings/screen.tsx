import { Suspense } from 'react'
import { Link, Redirect, useLocation, useRoute } from 'wouter'
import type { Me } from '../frame/places.ts'
import { useTabName } from '../frame/title.ts'
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
  profile: { name: 'Profile', of: 'You', Screen: part(() => import('./profile.tsx')) },
  security: { name: 'Security', of: 'You', Screen: part(() => import('./security.tsx')) },
  notifications: {
    ...{ name: 'Notifications', of: 'You' },
    Screen: part(() => import('./notifications.tsx')),
  },
  appearance: { name: 'Appearance', of: 'You', Screen: part(() => import('./appearance.tsx')) },
  skills: { name: 'Skills', of: 'You', Screen: part(() => import('./skills.tsx')) },
  mcp: { name: 'MCP', of: 'Connections', Screen: part(() => import('./mcp.tsx')) },
  'api-keys': { name: 'API keys', of: 'Connections', Screen: part(() => import('./keys.tsx')) },
  calendars: {
    ...{ name: 'Calendar feeds', of: 'Connections' },
    Screen: part(() => import('./calendars.tsx')),
  },
  team: { name: 'Team', of: 'Together', Screen: part(() => import('./team.tsx')) },
  audit: { name: 'Audit log', of: 'Together', Screen: part(() => import('./audit.tsx')) },
  board: { name: 'Board', of: 'Together', Screen: part(() => import('./board.tsx')) },
} as const
type Name = keyof typeof PARTS

const NAMES = Object.keys(PARTS) as Name[]
const GROUPS = [...Map.groupBy(NAMES, (one) => PARTS[one].of)]

const isName = (path: string): path is Name => Object.hasOwn(PARTS, path)
const nameIn = (path: string | undefined): Name => (path && isName(path) ? path : 'profile')

// On its way before anything of the frame is drawn.
void PARTS[nameIn(location.pathname.split('/')[2])].Screen.ahead()

export default function Settings({ me }: { me: Me }) {
  const [, params] = useRoute('/settings/:part?/:id?')
  const name = nameIn(params?.part)
  const { Screen } = PARTS[name]
  useTabName(`${PARTS[name].name}, settings`)
  if (params?.part && !isName(params.part)) return <Redirect to="/settings/profile" replace />
  return (
    <div className="settings">
      <Parts name={name} />
      <PartList name={name} />
      <div className="body">
        <Suspense>
          <Screen key={name} me={me} id={params?.id} />
        </Suspense>
      </div>
    </div>
  )
}

const Parts = ({ name }: { name: Name }) => (
  <nav aria-label="Settings">
    {GROUPS.map(([of, some]) => (
      <div key={of}>
        <p>{of}</p>
        <ul>
          {some.map((one) => (
            <li key={one}>
              <Link href={`/settings/${one}`} aria-current={one === name ? 'page' : undefined}>
                {PARTS[one].name}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    ))}
  </nav>
)

/** The same where there is no room beside. */
function PartList({ name }: { name: Name }) {
  const [, go] = useLocation()
  return (
    <div className="parts">
      <select
        className="field"
        aria-label="Part of the settings"
        value={name}
        onChange={({ target }) => go(`/settings/${target.value}`)}
      >
        {GROUPS.map(([of, some]) => (
          <optgroup key={of} label={of}>
            {some.map((one) => (
              <option key={one} value={one}>
                {PARTS[one].name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  )
}
