import { Suspense } from 'react'
import { Redirect, Route, Switch, useLocation, useSearchParams } from 'wouter'
import { useOperation } from '../data/cache.ts'
import { useSignedOut } from '../data/session.ts'
import { errorText } from '../kit/errors.ts'
import { t } from '../messages/t.ts'
import { AfterPaint } from './after-paint.tsx'
import { LoadFailures } from './load-failures.tsx'
import '../kit/kit.css'
import { closeChat, useChatRequest } from '../entities/chat/chat-request.ts'
import { useHasChat } from '../entities/chat/has-chat.ts'
import { ContextMenus } from '../kit/context-menu.tsx'
import { ErrorBoundary } from '../kit/error-boundary.tsx'
import { setTimeZone } from '../kit/zone.ts'
import {
  Agents,
  Archive,
  Board,
  Chat,
  Connect,
  Import,
  Inbox,
  Mine,
  Page,
  Reports,
  Run,
  Search,
  SecondFactorNotice,
  Settings,
  Start,
  TaskPage,
  TaskPanel,
} from './screens.ts'
import './frame.css'
import './print.css'
import { useLive } from '../data/live.ts'
import type { Me } from '../entities/user/me.ts'
import { Toasts } from '../kit/toasts.tsx'
import { Offline } from './offline.tsx'
import { Overlays } from './overlays.tsx'
import { RunningImport } from './running-import.tsx'
import { useScreenTitle } from './screen-title.ts'
import { Sidebar } from './sidebar.tsx'

export function App() {
  const { data: me, error } = useOperation('user_context.get', {})
  const hasEnded = useSignedOut()
  const live = useLive(hasEnded ? undefined : me?.server.seq)
  const [path] = useLocation()
  const [query] = useSearchParams()
  const task = query.get('task')
  // Must run before anything that shows a time is drawn.
  setTimeZone(me?.profile.time_zone)
  if (error && !me) return <StartError message={errorText(error)} />
  if (!me) return null
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {t('shell.skip_to_content')}
      </a>
      <ErrorBoundary resetKey="" onError={ignoreError}>
        <Sidebar me={me} live={live} />
      </ErrorBoundary>
      <main id="main" className="main" tabIndex={-1}>
        <Offline live={live} />
        <LoadFailures />
        <RunningImport />
        {me.teams_requiring_second_factor && (
          <Suspense>
            <SecondFactorNotice teams={me.teams_requiring_second_factor} />
          </Suspense>
        )}
        <ErrorBoundary resetKey={path}>
          <Suspense>
            <Screen me={me} />
          </Suspense>
        </ErrorBoundary>
      </main>
      {task && !path.startsWith('/t/') && (
        <ErrorBoundary resetKey={task} onError={ignoreError}>
          <Suspense>
            <TaskPanel ticket={task} />
          </Suspense>
        </ErrorBoundary>
      )}
      <ConnectDialog me={me} />
      <ChatPanel me={me} />
      <Overlays me={me} />
      <AfterPaint me={me} />
      <ContextMenus />
      <Toasts />
    </div>
  )
}

function Screen({ me }: { me: Me }) {
  const [path] = useLocation()
  const defaultBoard = me.profile.default_board ?? me.boards[0]?.project_id
  useScreenTitle(me, path)
  return (
    <Switch>
      <Route path="/projects/:id">{({ id }) => <Board key={id} project_id={Number(id)} />}</Route>
      <Route path="/t/:key">{({ key }) => <TaskPage ticket={key} />}</Route>
      <Route path="/my">
        <Mine />
      </Route>
      <Route path="/inbox">
        <Inbox me={me} />
      </Route>
      <Route path="/search">
        <Search me={me} />
      </Route>
      <Route path="/p/:page">{({ page }) => <Page key={page} page_id={page} />}</Route>
      <Route path="/agents/:id?">
        <Agents me={me} />
      </Route>
      <Route path="/runs/:id">{({ id }) => <Run key={id} run_id={id} />}</Route>
      <Route path="/reports/:report_id?">
        <Reports me={me} />
      </Route>
      <Route path="/archive">
        <Archive me={me} />
      </Route>
      <Route path="/settings/:part?/:id?">
        <Settings me={me} />
      </Route>
      <Route path="/import">
        <Import me={me} />
      </Route>
      <Route path="/new">
        <Start me={me} />
      </Route>
      <Route>
        <Redirect to={defaultBoard === undefined ? '/new' : `/projects/${defaultBoard}`} replace />
      </Route>
    </Switch>
  )
}

function ChatPanel({ me }: { me: Me }) {
  const request = useChatRequest()
  const hasChat = useHasChat()
  if (!request || !hasChat) return null
  return (
    <ErrorBoundary resetKey="chat" onError={closeChat}>
      <Suspense>
        <Chat {...{ me, request }} />
      </Suspense>
    </ErrorBoundary>
  )
}

/** The dialog for connecting an agent, opened by the address on any screen. */
function ConnectDialog({ me }: { me: Me }) {
  const [query, setQuery] = useSearchParams()
  const [team] = me.teams
  const close = () =>
    setQuery((query) => {
      query.delete('connect')
      return query
    })
  if (!team || !query.has('connect')) return null
  return (
    <ErrorBoundary resetKey="connect" onError={ignoreError}>
      <Suspense>
        <Connect me={me} team_id={team.team_id} onClose={close} />
      </Suspense>
    </ErrorBoundary>
  )
}

/** The error boundary has already shown a message. */
const ignoreError = () => {}

const StartError = ({ message }: { message: string }) => (
  <main className="broken">
    <h1>{t('shell.corkboard_could_not_start')}</h1>
    <p>{message}</p>
    <button type="button" className="button main" onClick={() => location.reload()}>
      {t('shell.retry')}
    </button>
  </main>
)
