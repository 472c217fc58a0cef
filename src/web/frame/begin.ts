import { askAhead } from '../data/cache.ts'
import { part } from '../parts/part.ts'

export const Agents = part(() => import('../agents/screen.tsx'))
export const Archive = part(() => import('../archive/screen.tsx'))
export const Board = part(() => import('../board/screen.tsx'))
export const Chat = part(() => import('../chat/panel.tsx'))
export const Connect = part(() => import('../start/connect.tsx'))
export const Inbox = part(() => import('../inbox/screen.tsx'))
export const Peek = part(() => import('../task/peek.tsx'))
export const Mine = part(() => import('../mine/screen.tsx'))
export const Page = part(() => import('../pages/screen.tsx'))
export const Reports = part(() => import('../reports/screen.tsx'))
export const Run = part(() => import('../agents/run.tsx'))
export const Search = part(() => import('../search/screen.tsx'))
export const Settings = part(() => import('../settings/screen.tsx'))
export const Start = part(() => import('../start/screen.tsx'))
export const TaskPage = part(() => import('../task/page.tsx'))

/** As long as nothing is shown for what is on its way. */
const PATIENCE_MS = 300

/** Screens that draw their own beginning. */
const AHEAD = {
  '/agents': Agents,
  '/archive': Archive,
  '/inbox': Inbox,
  '/new': Start,
  '/p': Page,
  '/reports': Reports,
  '/runs': Run,
  '/search': Search,
  '/settings': Settings,
}

/** What an address begins with, so that it is drawn once and whole. */
export function beginning({ pathname, search }: Location): Promise<unknown> {
  const project_id = Number(/^\/projects\/(\d+)$/.exec(pathname)?.[1])
  const needed: Promise<unknown>[] = [askAhead('user_context.get', {})]
  if (project_id)
    needed.push(
      Board.ahead(),
      askAhead('projects.board', { project_id }),
      askAhead('views.list', { project_id, limit: 50 }),
    )
  const run_id = Number(/^\/runs\/(\d+)$/.exec(pathname)?.[1])
  if (run_id) needed.push(askAhead('runs.get', { run_id }))
  if (pathname === '/my')
    needed.push(Mine.ahead(), askAhead('my_views.list', { limit: 50, sort: 'createdAt:asc' }))
  for (const [path, screen] of Object.entries(AHEAD))
    if (pathname === path || pathname.startsWith(`${path}/`)) needed.push(screen.ahead(pathname))
  const [, page] = /^\/p\/(?!new$)([\w-]+)$/.exec(pathname) ?? []
  if (page)
    needed.push(
      askAhead('pages.get', { page_id: /^\d+$/.test(page) ? Number(page) : page, format: 'html' }),
    )
  if (pathname.startsWith('/t/')) needed.push(TaskPage.ahead(pathname))
  else if (new URLSearchParams(search).has('task')) needed.push(Peek.ahead())
  return Promise.race([Promise.all(needed), new Promise((go) => setTimeout(go, PATIENCE_MS))])
}
