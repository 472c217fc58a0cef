import { type ReactNode, Suspense } from 'react'
import { Link, useRoute } from 'wouter'
import type { LiveState } from '../data/change-stream.ts'
import { openChat } from '../entities/chat/chat-request.ts'
import { useHasChat } from '../entities/chat/has-chat.ts'
import { showOverlay } from '../entities/command/overlay.ts'
import { EVERYWHERE } from '../entities/command/shortcuts.ts'
import { Avatar } from '../entities/user/avatar.tsx'
import { type Me, mayOpenBoards } from '../entities/user/me.ts'
import { toggleTheme, useTheme } from '../kit/appearance.ts'
import { Icon, type IconName } from '../kit/icon.tsx'
import { hintOf } from '../kit/shortcuts.ts'
import { t } from '../messages/t.ts'
import { useIsDrawn } from './after-paint.tsx'
import { Agents } from './agents.tsx'
import { BoardItem } from './board-item.tsx'
import { hadPins } from './pins/stored.ts'
import { Chat, Pins } from './screens.ts'
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
  const isDrawn = useIsDrawn()
  return (
    <>
      <button type="button" className="place open-search" onClick={() => showOverlay('find')}>
        <Icon name="search" />
        <span className="name truncate">{t('shell.search')}</span>
        <kbd>{hintOf(EVERYWHERE.find)}</kbd>
      </button>
      <ul>
        <NavItem to="/inbox" icon="inbox" name={t('common.inbox')}>
          <Unread />
        </NavItem>
        <NavItem to="/my" icon="mine" name={t('shell.my_tasks')} />
        <NavItem to="/agents" icon="agent" name={t('common.agents')} />
        <NavItem to="/reports" icon="chart" name={t('shell.reports')} />
        <NavItem to="/archive" icon="archive" name={t('shell.archive')} />
        {useHasChat() && <ChatItem />}
      </ul>
      {(isDrawn || hadPins()) && (
        <Suspense>
          <Pins me={me} />
        </Suspense>
      )}
      <h2>
        <span>{t('common.boards')}</span>
        {mayOpenBoards(me) && (
          <Link href="/new" className="button quiet only">
            <Icon name="plus" label={t('shell.new_board')} />
          </Link>
        )}
      </h2>
      <ul className="boards">
        {me.boards.map((board) => (
          <BoardItem key={board.project_id} me={me} board={board} />
        ))}
      </ul>
      {me.more_boards > 0 && (
        <button type="button" className="place" onClick={() => showOverlay('boards')}>
          <span className="name soft">
            {t('shell.more_boards_more', { more_boards: me.more_boards })}
          </span>
        </button>
      )}
      <Agents me={me} />
      <UserFooter me={me} live={live} showsTimers={showsTimers} />
    </>
  )
}

const ChatItem = () => (
  <li>
    <button
      type="button"
      className="place ask"
      title={t('shell.chat')}
      onPointerEnter={() => void Chat.preload()}
      onClick={() => openChat()}
    >
      <Icon name="spark" />
      <span className="name truncate">{t('shell.chat')}</span>
      <kbd>{hintOf(EVERYWHERE.chat)}</kbd>
    </button>
  </li>
)

const STATE_LABELS = {
  live: t('shell.live_changes_appear_immediately'),
  connecting: t('shell.connecting'),
  offline: t('shell.not_connected'),
} as const

function UserFooter({ me, live, showsTimers }: Props) {
  const theme = useTheme()
  const { display_name: name, user_id } = me.profile
  return (
    <footer>
      {showsTimers && <Timers />}
      <Link className="self" href="/settings" title={t('shell.name_settings', { name })}>
        <span aria-hidden="true">
          <Avatar actor={{ kind: 'person', user_id: user_id ?? 0, name }} />
        </span>
        <span className="name truncate">
          {name}
          <span className="unseen"> {t('shell.settings_inline')}</span>
        </span>
      </Link>
      <span className={`state ${live}`} title={STATE_LABELS[live]}>
        <span className="unseen">{STATE_LABELS[live]}</span>
      </span>
      <button type="button" className="button quiet only" onClick={toggleTheme}>
        <Icon
          name={theme === 'dark' ? 'sun' : 'moon'}
          label={theme === 'dark' ? t('shell.light_theme') : t('shell.dark_theme')}
        />
      </button>
    </footer>
  )
}

interface NavItemProps {
  to: string
  name: string
  icon: IconName
  /** Content at the end of the item. */
  children?: ReactNode
}

function NavItem({ to, name, icon, children }: NavItemProps) {
  const [isCurrent] = useRoute(to)
  return (
    <li>
      <Link href={to} className="place" title={name} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name={icon} />
        <span className="name truncate" dir="auto">
          {name}
        </span>
        {children}
      </Link>
    </li>
  )
}
