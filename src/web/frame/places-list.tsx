import { Link, useLocation, useRoute } from 'wouter'
import { useAsk } from '../data/cache.ts'
import type { LiveState } from '../data/live.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { showAbove } from './above.ts'
import { EVERYWHERE, hintOf } from './keys.ts'
import type { Me } from './places.ts'
import { useTheme } from './theme.ts'

/** Where one can go, and who is there. */
export function PlacesList({ me, live }: { me: Me; live: LiveState }) {
  const { data: unread } = useAsk('inbox.summary', {})
  return (
    <>
      <button type="button" className="place seek" onClick={() => showAbove('find')}>
        <Icon name="search" />
        <span className="name">Search</span>
        <kbd>{hintOf(EVERYWHERE.find)}</kbd>
      </button>
      <ul>
        <Place to="/inbox" icon="inbox" name="Inbox" count={unread?.important} />
        <Place to="/my" icon="mine" name="My Tasks" />
      </ul>
      <h2>
        <span>Boards</span>
        <Link href="/new" className="button quiet only">
          <Icon name="plus" label="New board" />
        </Link>
      </h2>
      <ul className="boards">
        {me.boards.map(({ project_id, title, key }) => (
          <Place key={project_id} to={`/projects/${project_id}`} mark={key} name={title} />
        ))}
      </ul>
      {me.more_boards > 0 && (
        <button type="button" className="place" onClick={() => showAbove('boards')}>
          <span className="name soft">{me.more_boards} more</span>
        </button>
      )}
      <Agents me={me} />
      <Self me={me} live={live} />
    </>
  )
}

function Agents({ me }: { me: Me }) {
  const [here] = useLocation()
  const team_id = me.teams[0]?.team_id ?? 0
  const { data: presence } = useAsk('agents.presence', { team_id }, { enabled: team_id > 0 })
  return (
    <>
      <h2>
        <span>Agents</span>
        <Link href={`${here}?connect=`} className="button quiet only">
          <Icon name="plus" label="Connect an agent" />
        </Link>
      </h2>
      <ul>
        {presence?.items.map((agent) => (
          <li key={agent.agent_id} className="place">
            <Avatar actor={{ kind: 'agent', ...agent }} />
            <span className="name">{agent.name}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

const STATES = { live: 'Live', connecting: 'Connecting', offline: 'Not connected' } as const

function Self({ me, live }: { me: Me; live: LiveState }) {
  const { theme, turn } = useTheme()
  const { display_name: name, user_id } = me.profile
  return (
    <footer>
      <a className="self" href="/settings" title={`${name}: settings`}>
        <Avatar actor={{ kind: 'person', user_id: user_id ?? 0, name }} />
        <span className="name">
          {name}
          <span className="unseen">, settings</span>
        </span>
      </a>
      <span className={`state ${live}`} title={STATES[live]}>
        <span className="unseen">{STATES[live]}</span>
      </span>
      <button type="button" className="button quiet only" onClick={turn}>
        <Icon
          name={theme === 'dark' ? 'sun' : 'moon'}
          label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
        />
      </button>
    </footer>
  )
}

interface PlaceProps {
  to: string
  name: string
  icon?: IconName
  /** The letters of a board's keys. */
  mark?: string
  count?: number | undefined
}

function Place({ to, name, icon, mark, count }: PlaceProps) {
  const [here] = useRoute(to)
  return (
    <li>
      <Link href={to} className="place" title={name} aria-current={here ? 'page' : undefined}>
        {icon ? <Icon name={icon} /> : <Mark letters={mark} />}
        <span className="name">{name}</span>
        {count ? (
          <span className="count">
            {count}
            <span className="unseen"> important</span>
          </span>
        ) : null}
      </Link>
    </li>
  )
}

/** Its letters are of no use to whoever hears the name. */
const Mark = ({ letters = '' }: { letters?: string | undefined }) => (
  <span className="mark" aria-hidden="true">
    {letters.slice(0, 3)}
  </span>
)
