import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { cache } from '../data/cache.ts'
import type { Output } from '../data/client.ts'
import { showAbove } from './above.ts'
import { turnChat } from './asking.ts'
import { guardFields } from './field-undo.ts'
import { useFirstTime } from './first.ts'
import { EVERYWHERE, useShortcuts } from './keys.ts'
import { boardAt, type Me } from './places.ts'
import { remember } from './recent.ts'
import { turnSide } from './side-width.ts'
import { useTheme } from './theme.ts'
import { undoLast } from './toasts.tsx'

guardFields()

/** Fetched with the first sign of somebody who scrolls or types: the first paint needs none of it. */
const startAnchoring = () =>
  void import('./anchoring.ts').then(
    ({ anchorScrollers }) => anchorScrollers(),
    () => {},
  )
for (const type of ['scroll', 'wheel', 'pointerdown', 'keydown'])
  addEventListener(type, startAnchoring, { capture: true, once: true, passive: true })

/** The keys that are the same on every screen. */
export function useEverywhere(me: Me) {
  const [path, go] = useLocation()
  const { turn } = useTheme()
  const first = me.profile.default_board ?? me.boards[0]?.project_id
  useShortcuts(EVERYWHERE, {
    find: () => showAbove('find'),
    chat: turnChat,
    // A board and My Tasks have a field of their own for that.
    create: () => (boardAt(path) || path === '/my' ? false : showAbove('create')),
    undo: undoLast,
    home: () => go(first === undefined ? '/my' : `/projects/${first}`),
    board: () => showAbove('boards'),
    mine: () => go('/my'),
    inbox: () => go('/inbox'),
    agents: () => go('/agents'),
    reports: () => go('/reports'),
    archive: () => go('/archive'),
    // The search itself goes to its field.
    search: () => (path === '/search' ? false : go('/search')),
    settings: () => go('/settings'),
    side: turnSide,
    theme: turn,
    help: () => showAbove('keys'),
  })
  useRemembering(me)
  useFirstTime(me)
}

/** Long enough for a task to be read, and for its title to be there. */
const LOOKED_MS = 1500

function useRemembering(me: Me) {
  const [path] = useLocation()
  const [query] = useSearchParams()
  const project_id = boardAt(path)
  const name = me.boards.find((one) => one.project_id === project_id)?.title
  const key = query.get('task') ?? /^\/t\/(.+)/.exec(path)?.[1]
  useEffect(() => {
    if (name) remember({ kind: 'board', id: String(project_id), name })
  }, [project_id, name])
  useEffect(() => {
    if (!key) return
    const timer = setTimeout(() => {
      const read = cache.getQueriesData<Output<'tasks.get'>>({ queryKey: ['tasks.get'] })
      for (const [, task] of read)
        if (task && 'ticket_number' in task && task.ticket_number === key)
          remember({ kind: 'task', id: key, name: task.title })
    }, LOOKED_MS)
    return () => clearTimeout(timer)
  }, [key])
}
