import type { ReactNode } from 'react'
import { Link, useRoute } from 'wouter'
import type { LiveState } from '../data/change-stream.ts'
import { openChat } from '../entities/chat/chat-request.ts'
import { showOverlay } from '../entities/command/overlay.ts'
import { EVERYWHERE } from '../entities/command/shortcuts.ts'
import { Avatar } from '../entities/user/avatar.tsx'
import { type Me, mayOpenBoards } from '../entities/user/me.ts'
import { Icon, type IconName } from '../kit/icon.tsx'
import { hintOf } from '../kit/shortcuts.ts'
import { useTheme } from '../kit/theme.ts'
import { Agents } from './agents.tsx'
import { Chat } from './screens.ts'
import { Timers } from './timers.tsx'
import { Unread } from './unread.tsx'

interface Props {
  me: Me
  live: LiveState
  /** Whether running timers are shown here too. */
  showsTimers?: boolean
}

/** The navigation of the sidebar, and the agents. */
export function PlacesList({ me, live, showsTimers = false }: Props) {
  return (
    <>
      <button type="button" className="place seek" onClick={() => showOverlay('find')}>
        <Icon name="search" />
        <span className="name truncate">Search</span>
        <kbd>{hintOf(EVERYWHERE.find)}</kbd>
      </button>
      <ul>
        <NavItem to="/inbox" icon="inbox" name="Inbox">
          <Unread />
        </NavItem>
        <NavItem to="/my" icon="mine" name="My Tasks" />
        <NavItem to="/agents" icon="agent" name="Agents" />
        <NavItem to="/reports" icon="chart" name="Reports" />
        <NavItem to="/archive" icon="archive" name="Archive" />
        <li>
          <button
            type="button"
            className="place ask"
            title="Chat"
            onPointerEnter={() => void Chat.preload()}
            onClick={() => openChat()}
          >
            <Icon name="spark" />
            <span className="name truncate">Chat</span>
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
          <NavItem key={project_id} to={`/projects/${project_id}`} mark={key} name={title} />
        ))}
      </ul>
      {me.more_boards > 0 && (
        <button type="button" className="place" onClick={() => showOverlay('boards')}>
          <span className="name soft">{me.more_boards} more</span>
        </button>
      )}
      <Agents me={me} />
      <UserFooter me={me} live={live} showsTimers={showsTimers} />
    </>
  )
}

const STATE_LABELS = {
  live: 'Live: changes appear immediately',
  connecting: 'Connecting',
  offline: 'Not connected',
} as const

function UserFooter({ me, live, showsTimers }: Props) {
  const { theme, toggle } = useTheme()
  const { display_name: name, user_id } = me.profile
  return (
    <footer>
      {showsTimers && <Timers />}
      <Link className="self" href="/settings" title={`${name}: settings`}>
        <span aria-hidden="true">
          <Avatar actor={{ kind: 'person', user_id: user_id ?? 0, name }} />
        </span>
        <span className="name truncate">
          {name}
          <span className="unseen"> (settings)</span>
        </span>
      </Link>
      <span className={`state ${live}`} title={STATE_LABELS[live]}>
        <span className="unseen">{STATE_LABELS[live]}</span>
      </span>
      <button type="button" className="button quiet only" onClick={toggle}>
        <Icon
          name={theme === 'dark' ? 'sun' : 'moon'}
          label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
        />
      </button>
    </footer>
  )
}

interface NavItemProps {
  to: string
  name: string
  icon?: IconName
  /** The key of a board. */
  mark?: string
  /** Content at the end of the item. */
  children?: ReactNode
}

function NavItem({ to, name, icon, mark, children }: NavItemProps) {
  const [isCurrent] = useRoute(to)
  return (
    <li>
      <Link href={to} className="place" title={name} aria-current={isCurrent ? 'page' : undefined}>
        {icon ? <Icon name={icon} /> : <Mark letters={mark} />}
        <span className="name truncate" dir="auto">
          {name}
        </span>
        {children}
      </Link>
    </li>
  )
}

/** Screen readers announce the name, not the key. */
const Mark = ({ letters = '' }: { letters?: string | undefined }) => (
  <span className="mark" aria-hidden="true">
    {letters.slice(0, 3)}
  </span>
)
