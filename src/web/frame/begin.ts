import { askAhead } from '../data/cache.ts'
import { part } from '../parts/part.ts'

export const Board = part(() => import('../board/screen.tsx'))
export const Connect = part(() => import('../start/connect.tsx'))
export const Peek = part(() => import('../task/peek.tsx'))
export const Mine = part(() => import('../mine/screen.tsx'))
export const Start = part(() => import('../start/screen.tsx'))
export const TaskPage = part(() => import('../task/page.tsx'))

/** As long as nothing is shown for what is on its way. */
const PATIENCE_MS = 300

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
  if (pathname === '/my')
    needed.push(Mine.ahead(), askAhead('my_views.list', { limit: 50, sort: 'createdAt:asc' }))
  if (pathname === '/new') needed.push(Start.ahead())
  if (pathname.startsWith('/t/')) needed.push(TaskPage.ahead())
  else if (new URLSearchParams(search).has('task')) needed.push(Peek.ahead())
  return Promise.race([Promise.all(needed), new Promise((go) => setTimeout(go, PATIENCE_MS))])
}
