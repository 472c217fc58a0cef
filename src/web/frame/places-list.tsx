import type { ReactNode } from 'react'
import { Link, useRoute } from 'wouter'
import type { LiveState } from '../data/live.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { showAbove } from './above.ts'
import { Agents } from './agents.tsx'
import { openChat } from './asking.ts'
import { Chat } from './begin.ts'
import { EVERYWHERE, hintOf } from './keys.ts'
import { type Me, mayOpenBoards } from './places.ts'
import { useTheme } from './theme.ts'
import { Timers } from './timers.tsx'
import { Unread } from './unread.tsx'

interface Props {
  me: Me
  live: LiveState
  /** Whether one's timers are shown here too. */
  timed?: boolean
}

/** Where one can go, and who is there. */
export function PlacesList({ me, live, timed = false }: Props) {
  return (
    <>
      <button type="button" className="place seek" onClick={() => showAbove('find')}>
        <Icon name="search" />
        <span className="name">Search</span>
        <kbd>{hintOf(EVERYWHERE.find)}</kbd>
      </button>
      <ul>
        <Place to="/inbox" icon="inbox" name="Inbox">
          <Unread />
        </Place>
        <Place to="/my" icon="mine" name="My Tasks" />
        <Place to="/agents" icon="agent" name="Agents" />
        <Place to="/reports" icon="chart" name="Reports" />
        <Place to="/archive" icon="archive" name="Archive" />
        <li>
          <button
            type="button"
            className="place ask"
            title="Chat"
            onPointerEnter={() => void Chat.ahead()}
            onClick={() => openChat()}
          >
            <Icon name="spark" />
            <span className="name">Chat</span>
            <kbd>{hintOf(EVERYWHERE.chat)}</kbd>
          </button>
        </li>
      </ul>
      <h2>
        <span>Boards</span>
        {mayOpenBoards(me) && (
          <Link href="/new" className="button quiet only">
            <Icon name="plus" label="New board" />
          </Link>
        )}
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
      <Self me={me} live={live} timed={timed} />
    </>
  )
}

const STATES = {
  live: 'Live: changes are seen as they are made',
  connecting: 'Connecting',
  offline: 'Not connected',
} as const

function Self({ me, live, timed }: Props) {
  const { theme, turn } = useTheme()
  const { display_name: name, user_id } = me.profile
  return (
    <footer>
      {timed && <Timers />}
      <Link className="self" href="/settings" title={`${name}: settings`}>
        <span aria-hidden="true">
          <Avatar actor={{ kind: 'person', user_id: user_id ?? 0, name }} />
        </span>
        <span className="name">
          {name}
          <span className="unseen"> (settings)</span>
        </span>
      </Link>
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
  /** What stands at its end. */
  children?: ReactNode
}

function Place({ to, name, icon, mark, children }: PlaceProps) {
  const [here] = useRoute(to)
  return (
    <li>
      <Link href={to} className="place" title={name} aria-current={here ? 'page' : undefined}>
        {icon ? <Icon name={icon} /> : <Mark letters={mark} />}
        <span className="name" dir="auto">
          {name}
        </span>
        {children}
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
