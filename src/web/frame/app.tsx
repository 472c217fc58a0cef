import { Suspense } from 'react'
import { Redirect, Route, Switch, useLocation, useSearchParams } from 'wouter'
import { useAsk } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { useSignedOut } from '../data/session.ts'
import { Unloaded } from './unloaded.tsx'
import '../parts/parts.css'
import { liveIn } from '../parts/zone.ts'
import { closeChat, useAsking } from './asking.ts'
import {
  Agents,
  Archive,
  Board,
  Chat,
  Connect,
  Inbox,
  Mine,
  Page,
  Peek,
  Reports,
  Run,
  Search,
  Settings,
  Start,
  TaskPage,
} from './begin.ts'
import { Guard } from './fault.tsx'
import './frame.css'
import './print.css'
import { useLive } from './live.ts'
import { Offline } from './offline.tsx'
import { Overlays } from './overlays.tsx'
import type { Me } from './places.ts'
import { Side } from './side.tsx'
import { usePlace } from './title.ts'
import { Toasts } from './toasts.tsx'

export function App() {
  const { data: me, error } = useAsk('user_context.get', {})
  const isOver = useSignedOut()
  const live = useLive(isOver ? undefined : me?.server.seq)
  const [path] = useLocation()
  const [query] = useSearchParams()
  const task = query.get('task')
  // Before anything is drawn that tells the time.
  liveIn(me?.profile.time_zone)
  if (error && !me) return <Broken words={wordsOf(error)} />
  if (!me) return null
  return (
    <div className="frame">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Guard place="" onFault={nothing}>
        <Side me={me} live={live} />
      </Guard>
      <main id="main" className="main" tabIndex={-1}>
        <Offline live={live} />
        <Unloaded />
        <Guard place={path}>
          <Suspense>
            <Screen me={me} />
          </Suspense>
        </Guard>
      </main>
      {task && !path.startsWith('/t/') && (
        <Guard place={task} onFault={nothing}>
          <Suspense>
            <Peek ticket={task} />
          </Suspense>
        </Guard>
      )}
      <Connecting me={me} />
      <Chatting me={me} />
      <Overlays me={me} />
      <Toasts />
    </div>
  )
}

function Screen({ me }: { me: Me }) {
  const [path] = useLocation()
  const first = me.profile.default_board ?? me.boards[0]?.project_id
  usePlace(me, path)
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
      <Route path="/new">
        <Start me={me} />
      </Route>
      <Route>
        <Redirect to={first === undefined ? '/new' : `/projects/${first}`} replace />
      </Route>
    </Switch>
  )
}

function Chatting({ me }: { me: Me }) {
  const asking = useAsking()
  if (!asking) return null
  return (
    <Guard place="chat" onFault={closeChat}>
      <Suspense>
        <Chat {...{ me, asking }} />
      </Suspense>
    </Guard>
  )
}

/** Wherever one is, by its address. */
function Connecting({ me }: { me: Me }) {
  const [query, setQuery] = useSearchParams()
  const [team] = me.teams
  const close = () =>
    setQuery((now) => {
      now.delete('connect')
      return now
    })
  if (!team || !query.has('connect')) return null
  return (
    <Guard place="connect" onFault={nothing}>
      <Suspense>
        <Connect me={me} team_id={team.team_id} onClose={close} />
      </Suspense>
    </Guard>
  )
}

/** Whoever asked has been told. */
const nothing = () => {}

const Broken = ({ words }: { words: string }) => (
  <main className="broken">
    <h1>Corkboard could not start</h1>
    <p>{words}</p>
    <button type="button" className="button main" onClick={() => location.reload()}>
      Retry
    </button>
  </main>
)
