import { Suspense } from 'react'
import { Link, Redirect, useLocation, useRoute } from 'wouter'
import type { Me } from '../../entities/user/me.ts'
import { Verification } from '../../entities/user/verification.tsx'
import { withoutBase } from '../../kit/base-path.ts'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { useTabName } from '../../kit/title.ts'
import { t } from '../../messages/t.ts'
import './settings.css'
import './forms.css'

/** The sections in order; each loads when it is first shown. */
const SECTIONS = {
  profile: {
    name: t('settings.profile'),
    of: t('common.you'),
    Screen: lazyComponent(() => import('./profile.tsx')),
  },
  security: {
    name: t('settings.security'),
    of: t('common.you'),
    Screen: lazyComponent(() => import('./security.tsx')),
  },
  notifications: {
    ...{ name: t('settings.notifications'), of: t('common.you') },
    Screen: lazyComponent(() => import('./notifications.tsx')),
  },
  appearance: {
    name: t('settings.appearance'),
    of: t('common.you'),
    Screen: lazyComponent(() => import('./appearance.tsx')),
  },
  skills: {
    name: t('settings.skills'),
    of: t('common.you'),
    Screen: lazyComponent(() => import('./skills.tsx')),
  },
  apps: {
    ...{ name: t('settings.connected_apps'), of: t('settings.connections') },
    Screen: lazyComponent(() => import('./apps.tsx')),
  },
  mcp: {
    name: 'MCP',
    of: t('settings.connections'),
    Screen: lazyComponent(() => import('./mcp.tsx')),
  },
  'api-keys': {
    name: t('settings.api_keys'),
    of: t('settings.connections'),
    Screen: lazyComponent(() => import('./keys.tsx')),
  },
  calendars: {
    ...{ name: t('settings.calendar_feeds'), of: t('settings.connections') },
    Screen: lazyComponent(() => import('./calendars.tsx')),
  },
  team: {
    name: t('common.team'),
    of: t('settings.team_and_boards'),
    Screen: lazyComponent(() => import('./team.tsx')),
  },
  audit: {
    name: t('settings.audit_log'),
    of: t('settings.team_and_boards'),
    Screen: lazyComponent(() => import('./audit.tsx')),
  },
  board: {
    name: t('common.board'),
    of: t('settings.team_and_boards'),
    Screen: lazyComponent(() => import('./board.tsx')),
  },
} as const
type Name = keyof typeof SECTIONS

const NAMES = Object.keys(SECTIONS) as Name[]
const GROUPS = [...Map.groupBy(NAMES, (one) => SECTIONS[one].of)]

const isName = (path: string): path is Name => Object.hasOwn(SECTIONS, path)
const nameFromPath = (path: string | undefined): Name => (path && isName(path) ? path : 'profile')

// Starts loading the section before the app renders.
void SECTIONS[nameFromPath(withoutBase(location.pathname).split('/')[2])].Screen.preload()

export default function Settings({ me }: { me: Me }) {
  const [, params] = useRoute('/settings/:part?/:id?')
  const name = nameFromPath(params?.part)
  const { Screen } = SECTIONS[name]
  useTabName(t('settings.name_settings', { name: SECTIONS[name].name }))
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
      <Verification email={me.profile.email ?? ''} />
    </div>
  )
}

const SectionNav = ({ name }: { name: Name }) => (
  <nav aria-label={t('settings.settings')}>
    {GROUPS.map(([of, names]) => (
      <div key={of}>
        <p>{of}</p>
        <ul>
          {names.map((one) => (
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
    <div className="section-select">
      <select
        className="field"
        aria-label={t('settings.settings_section')}
        value={name}
        onChange={({ target }) => go(`/settings/${target.value}`)}
      >
        {GROUPS.map(([of, names]) => (
          <optgroup key={of} label={of}>
            {names.map((one) => (
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
