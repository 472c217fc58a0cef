import { useLocation, useSearchParams } from 'wouter'
import { useAct } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import type { IconName } from '../parts/icon.tsx'
import { type Above, showAbove } from './above.ts'
import { openChatSoon } from './asking.ts'
import { keysNow } from './here.ts'
import { EVERYWHERE, hintOf } from './keys.ts'
import { type Offer, offersNow } from './offers.ts'
import { boardAt, type Me, mayConnect, mayOpenBoards, signOut } from './places.ts'
import { turnSide } from './side-width.ts'
import { useTheme } from './theme.ts'
import { complain, say } from './toasts.tsx'

/** A line of the palette. */
export interface Entry {
  id: string
  name: string
  icon?: IconName
  /** The letters of a board or the key of a task. */
  mark?: string
  also?: string
  hint?: string
  /** What is said by the way: a column, a due date. */
  end?: string
  done?: boolean
  /** Shows another page of the palette instead of closing it. */
  stays?: boolean
  run(): void
}

const KEYS = EVERYWHERE

/** Other pages of the palette. */
const pagesOf = (turnTo: (page: Above) => void): (Offer & { stays: true })[] => [
  {
    ...({ name: 'New task…', icon: 'plus', also: 'add create', stays: true } as const),
    ...{ hint: hintOf(KEYS.create), run: () => turnTo('create') },
  },
  {
    ...({ name: 'Go to a board…', icon: 'board', also: 'open', stays: true } as const),
    ...{ hint: hintOf(KEYS.board), run: () => turnTo('boards') },
  },
]

/** What not everybody may make. */
function makesOf(me: Me, go: (path: string) => void): Offer[] {
  const board = { name: 'New board', icon: 'plus', also: 'create add project' } as const
  const agent = { name: 'Connect an agent', icon: 'arrow', also: 'mcp claude cursor' } as const
  return [
    ...(mayOpenBoards(me) ? [{ ...board, run: () => go('/new') }] : []),
    ...(mayConnect(me) ? [{ ...agent, run: () => go('?connect=') }] : []),
  ]
}

/** What can be done from everywhere, and what the screen below offers. */
export function useActions(me: Me, turnTo: (page: Above) => void): readonly Entry[] {
  const [, go] = useLocation()
  const { theme, turn } = useTheme()
  const places: Offer[] = [
    { name: 'Inbox', icon: 'inbox', hint: hintOf(KEYS.inbox), run: () => go('/inbox') },
    { name: 'My Tasks', icon: 'mine', hint: hintOf(KEYS.mine), run: () => go('/my') },
    { name: 'Agents', icon: 'agent', hint: hintOf(KEYS.agents), run: () => go('/agents') },
    { name: 'Chat', icon: 'spark', also: 'ask ai', hint: hintOf(KEYS.chat), run: openChatSoon },
    { name: 'Reports', icon: 'chart', hint: hintOf(KEYS.reports), run: () => go('/reports') },
    {
      ...{ name: 'Archive', icon: 'archive' as const, also: 'archived tasks boards restore' },
      ...{ hint: hintOf(KEYS.archive), run: () => go('/archive') },
    },
    {
      ...{ name: 'Search in everything', icon: 'search' as const, hint: hintOf(KEYS.search) },
      run: () => go('/search'),
    },
    {
      ...{ name: 'New task from a template…', icon: 'page' as const, also: 'add create' },
      run: () => showAbove('templates'),
    },
    ...makesOf(me, go),
    {
      name: theme === 'dark' ? 'Light theme' : 'Dark theme',
      ...{ icon: theme === 'dark' ? ('sun' as const) : ('moon' as const), also: 'switch colour' },
      ...{ hint: hintOf(KEYS.theme), run: turn },
    },
    {
      ...{ name: 'Narrow or widen the side bar', icon: 'list' as const, hint: hintOf(KEYS.side) },
      run: turnSide,
    },
    {
      ...{
        name: 'Settings',
        icon: 'settings' as const,
        also: 'profile password time zone mcp token key mail calendar theme',
        hint: hintOf(KEYS.settings),
      },
      run: () => go('/settings'),
    },
    {
      ...{ name: 'Keys', icon: 'dots' as const, also: 'shortcuts help', hint: hintOf(KEYS.help) },
      run: () => showAbove('keys'),
    },
    { name: 'Sign out', icon: 'back', also: 'log out leave', run: signOut },
  ]
  return asEntries([...offersNow(), ...pagesOf(turnTo), ...places])
}

/** What can be done with the task or the cards that one is at, under a title. */
export function useHere() {
  const [path] = useLocation()
  const [query] = useSearchParams()
  const { title, offers } = keysNow(path, query.get('task'))
  return { title, entries: asEntries(offers) }
}

const asEntries = (offers: readonly Offer[]): Entry[] =>
  offers.map((one) => ({ id: `do ${one.name}`, ...one }))

/** One line for each board, the one that is shown first. */
export function useBoards(me: Me, deed: (project_id: number) => void): readonly Entry[] {
  return me.boards.map(({ project_id, key, title }) => ({
    ...{ id: `board ${project_id}`, name: title, mark: key, also: key },
    run: () => deed(project_id),
  }))
}

/** Where a new task may go; from a board it is nobody's, from elsewhere one's own. */
export function useCreate(me: Me, title: string, made: () => void): readonly Entry[] {
  const [path] = useLocation()
  const here = boardAt(path)
  const { act: erase } = useAct('tasks.update', { failed })
  const done = ({ ticket_number, task_id }: { ticket_number: string; task_id: number }) => {
    made()
    say(`Created ${ticket_number}`, () => erase({ task_id, status: 'Deleted' }))
  }
  const { act: add } = useAct('tasks.create', { done, failed })
  const { act: addMine } = useAct('my_tasks.add', {
    done: (task) => 'ticket_number' in task && done(task),
    failed,
  })
  const usual = here ?? me.profile.default_board
  const boards = me.boards.toSorted(
    (a, b) => Number(b.project_id === usual) - Number(a.project_id === usual),
  )
  if (!title.trim()) return []
  return boards.map(({ project_id, key, title: board }) => ({
    ...{ id: `create ${project_id}`, name: `“${title.trim()}” on ${board}`, mark: key },
    end: project_id === here ? '' : 'for me',
    run: () => (project_id === here ? add : addMine)({ project_id, title: title.trim() }),
  }))
}

const failed = (error: Error) => complain(wordsOf(error))
