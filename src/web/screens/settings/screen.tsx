import { Suspense } from 'react'
import { Link, Redirect, useLocation, useRoute } from 'wouter'
import type { Me } from '../../entities/user/me.ts'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { useTabName } from '../../kit/title.ts'
import './settings.css'
import './forms.css'

/** The sections in order; each loads when it is first shown. */
const SECTIONS = {
  profile: { name: 'Profile', of: 'You', Screen: lazyComponent(() => import('./profile.tsx')) },
  security: { name: 'Security', of: 'You', Screen: lazyComponent(() => import('./security.tsx')) },
  notifications: {
    ...{ name: 'Notifications', of: 'You' },
    Screen: lazyComponent(() => import('./notifications.tsx')),
  },
  appearance: {
    name: 'Appearance',
    of: 'You',
    Screen: lazyComponent(() => import('./appearance.tsx')),
  },
  skills: { name: 'Skills', of: 'You', Screen: lazyComponent(() => import('./skills.tsx')) },
  mcp: { name: 'MCP', of: 'Connections', Screen: lazyComponent(() => import('./mcp.tsx')) },
  'api-keys': {
    name: 'API keys',
    of: 'Connections',
    Screen: lazyComponent(() => import('./keys.tsx')),
  },
  calendars: {
    ...{ name: 'Calendar feeds', of: 'Connections' },
    Screen: lazyComponent(() => import('./calendars.tsx')),
  },
  team: { name: 'Team', of: 'Team and boards', Screen: lazyComponent(() => import('./team.tsx')) },
  audit: {
    name: 'Audit log',
    of: 'Team and boards',
    Screen: lazyComponent(() => import('./audit.tsx')),
  },
  board: {
    name: 'Board',
    of: 'Team and boards',
    Screen: lazyComponent(() => import('./board.tsx')),
  },
} as const
type Name = keyof typeof SECTIONS

const NAMES = Object.keys(SECTIONS) as Name[]
const GROUPS = [...Map.groupBy(NAMES, (one) => SECTIONS[one].of)]

const isName = (path: string): path is Name => Object.hasOwn(SECTIONS, path)
const nameFromPath = (path: string | undefined): Name => (path && isName(path) ? path : 'profile')

// Starts loading the section before the app renders.
void SECTIONS[nameFromPath(location.pathname.split('/')[2])].Screen.preload()

export default function Settings({ me }: { me: Me }) {
  const [, params] = useRoute('/settings/:part?/:id?')
  const name = nameFromPath(params?.part)
  const { Screen } = SECTIONS[name]
  useTabName(`${SECTIONS[name].name}, settings`)
  if (params?.part && !isName(params.part)) return <Redirect to="/settings/profile" replace />
  return (
    <div className="settings">
      <SectionNav name={name} />
      <SectionSelect name={name} />
      <div className="body">
        <Suspense>
          <Screen key={name} me={me} id={params?.id} />
        </Suspense>
      </div>
    </div>
  )
}

const SectionNav = ({ name }: { name: Name }) => (
  <nav aria-label="Settings">
    {GROUPS.map(([of, some]) => (
      <div key={of}>
        <p>{of}</p>
        <ul>
          {some.map((one) => (
            <li key={one}>
              <Link href={`/settings/${one}`} aria-current={one === name ? 'page' : undefined}>
                {SECTIONS[one].name}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    ))}
  </nav>
)

/** The navigation as a select, for narrow screens. */
function SectionSelect({ name }: { name: Name }) {
  const [, go] = useLocation()
  return (
    <div className="parts">
      <select
        className="field"
        aria-label="Settings section"
        value={name}
        onChange={({ target }) => go(`/settings/${target.value}`)}
      >
        {GROUPS.map(([of, some]) => (
          <optgroup key={of} label={of}>
            {some.map((one) => (
              <option key={one} value={one}>
                {SECTIONS[one].name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  )
}
