import { prefetchOperation } from '../data/cache.ts'
import { withoutBase } from '../kit/base-path.ts'
import { firstScreen, lazyComponent } from '../kit/lazy-component.ts'
import { hadPins } from './pins/stored.ts'

export const Agents = lazyComponent(() => import('../screens/agents/screen.tsx'))
export const Archive = lazyComponent(() => import('../screens/archive/screen.tsx'))
export const Board = firstScreen(() => import('../screens/board/screen.tsx'))
export const Chat = lazyComponent(() => import('../screens/chat/panel.tsx'))
export const Connect = lazyComponent(() => import('../screens/start/connect.tsx'))
export const Import = lazyComponent(() => import('../screens/import/screen.tsx'))
export const Inbox = lazyComponent(() => import('../screens/inbox/screen.tsx'))
export const TaskPanel = lazyComponent(() => import('../screens/task/task-panel.tsx'))
export const Mine = firstScreen(() => import('../screens/mine/screen.tsx'))
export const Page = lazyComponent(() => import('../screens/pages/screen.tsx'))
export const Pins = lazyComponent(() => import('./pins/pins.tsx'))
export const Reports = lazyComponent(() => import('../screens/reports/screen.tsx'))
export const Run = lazyComponent(() => import('../screens/agents/run.tsx'))
export const Search = lazyComponent(() => import('../screens/search/screen.tsx'))
export const SecondFactorNotice = lazyComponent(() => import('./second-factor-notice.tsx'))
export const Settings = lazyComponent(() => import('../screens/settings/screen.tsx'))
export const Start = lazyComponent(() => import('../screens/start/screen.tsx'))
const loadTaskPage = () => import('../screens/task/page.tsx')
export const TaskPage = firstScreen(loadTaskPage)

/** The longest time that the first render waits for data. */
const MAX_WAIT_MS = 300

/** Screens that load their own first data. */
const SELF_LOADING = {
  '/agents': Agents,
  '/archive': Archive,
  '/import': Import,
  '/inbox': Inbox,
  '/new': Start,
  '/p': Page,
  '/reports': Reports,
  '/runs': Run,
  '/search': Search,
  '/settings': Settings,
}

const loadTask = async (key: string) => {
  const { prefetchTask } = await loadTaskPage()
  await prefetchTask(decodeURIComponent(key))
}

/** Loads the code and data of the first screen, so that it is drawn once and complete. */
export function loadInitialData({ search }: Location): Promise<unknown> {
  const pathname = withoutBase(location.pathname)
  const project_id = Number(/^\/projects\/(\d+)$/.exec(pathname)?.[1])
  const requests: Promise<unknown>[] = [
    prefetchOperation('user_context.get', {}),
    prefetchOperation('chat.status', {}),
  ]
  if (hadPins()) requests.push(Pins.preload(), prefetchOperation('sidebar.get', {}))
  if (project_id)
    requests.push(
      Board.preload(),
      prefetchOperation('projects.board', { project_id }),
      prefetchOperation('views.list', { project_id, limit: 50 }),
    )
  const run_id = Number(/^\/runs\/(\d+)$/.exec(pathname)?.[1])
  if (run_id) requests.push(prefetchOperation('runs.get', { run_id }))
  if (pathname === '/my')
    requests.push(
      Mine.preload(),
      prefetchOperation('my_views.list', { limit: 50, sort: 'createdAt:asc' }),
    )
  for (const [path, screen] of Object.entries(SELF_LOADING))
    if (pathname === path || pathname.startsWith(`${path}/`)) requests.push(screen.preload())
  const [, page] = /^\/p\/(?!new$)([\w-]+)$/.exec(pathname) ?? []
  if (page)
    requests.push(
      prefetchOperation('pages.get', {
        page_id: /^\d+$/.test(page) ? Number(page) : page,
        format: 'html',
      }),
    )
  const [, key] = /^\/t\/([^/]+)$/.exec(pathname) ?? []
  if (key) requests.push(TaskPage.preload(), loadTask(key))
  else if (new URLSearchParams(search).has('task')) requests.push(TaskPanel.preload())
  return Promise.race([
    Promise.allSettled(requests),
    new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS)),
  ])
}
