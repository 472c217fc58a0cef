import { useLocation, useSearchParams } from 'wouter'
import { useOperation, useOperationMutation } from '../data/cache.ts'
import { boardAt } from '../entities/board/address.ts'
import { openChatSoon } from '../entities/chat/chat-request.ts'
import { useHasChat } from '../entities/chat/has-chat.ts'
import { type Command, currentCommands } from '../entities/command/commands.ts'
import { showOverlay } from '../entities/command/overlay.ts'
import { EVERYWHERE } from '../entities/command/shortcuts.ts'
import { togglePin, usePins } from '../entities/sidebar/pins.ts'
import { assignAgents } from '../entities/task/assign-agents.ts'
import { type TypedTask, typedTaskOf } from '../entities/task/understood.ts'
import { type Me, managedTeams, mayConnect, mayOpenBoards, signOut } from '../entities/user/me.ts'
import { toggleTheme, useTheme } from '../kit/appearance.ts'
import type { IconName } from '../kit/icon.tsx'
import { hintOf } from '../kit/shortcuts.ts'
import { toggleSidebar } from '../kit/sidebar-width.ts'
import { showError, showToast } from '../kit/toasts.tsx'
import { t } from '../messages/t.ts'
import { contextCommands } from './context-commands.ts'
import { addressOf } from './pins/address.ts'

/** An entry of the command palette. */
export interface PaletteEntry {
  id: string
  name: string
  icon?: IconName
  /** The key of a board or the ticket number of a task. */
  mark?: string
  keywords?: string
  hint?: string
  /** Secondary text at the end: a column or a due date. */
  end?: string
  done?: boolean
  /** The entry opens another page of the palette instead of closing it. */
  keepsOpen?: boolean
  run(): void
}

const KEYS = EVERYWHERE
const startTour = () => showOverlay('tour')

/** The commands that open other pages of the palette. */
const pageCommands = (
  showPage: (page: 'create' | 'boards') => void,
): (Command & { keepsOpen: true })[] => [
  {
    ...({
      name: t('shell.new_task'),
      icon: 'plus',
      keywords: 'add create',
      keepsOpen: true,
    } as const),
    ...{ hint: hintOf(KEYS.create), run: () => showPage('create') },
  },
  {
    ...({
      name: t('shell.go_to_a_board'),
      icon: 'board',
      keywords: 'open',
      keepsOpen: true,
    } as const),
    ...{ hint: hintOf(KEYS.board), run: () => showPage('boards') },
  },
]

/** The commands that need a permission. */
function createCommands(me: Me, go: (path: string) => void): Command[] {
  const board = {
    name: t('shell.new_board'),
    icon: 'plus',
    keywords: 'create add project',
  } as const
  const tasks = {
    name: t('shell.import_tasks_command'),
    icon: 'down',
    keywords: 'import migrate jira trello github csv',
  } as const
  const agent = {
    name: t('shell.connect_an_agent'),
    icon: 'arrow',
    keywords: 'mcp claude cursor',
  } as const
  return [
    ...(mayOpenBoards(me) ? [{ ...board, run: () => go('/new') }] : []),
    ...(managedTeams(me).length ? [{ ...tasks, run: () => go('/import') }] : []),
    ...(mayConnect(me) ? [{ ...agent, run: () => go('?connect=') }] : []),
  ]
}

const CHAT: Command = {
  name: t('shell.chat'),
  icon: 'spark',
  keywords: 'ask ai',
  hint: hintOf(KEYS.chat),
  run: openChatSoon,
}

/** The commands that open a screen. */
const placeCommands = (go: (path: string) => void, hasChat: boolean): Command[] => [
  { name: t('common.inbox'), icon: 'inbox', hint: hintOf(KEYS.inbox), run: () => go('/inbox') },
  { name: t('shell.my_tasks'), icon: 'mine', hint: hintOf(KEYS.mine), run: () => go('/my') },
  {
    name: t('common.agents'),
    icon: 'agent',
    hint: hintOf(KEYS.agents),
    run: () => go('/agents'),
  },
  ...(hasChat ? [CHAT] : []),
  {
    name: t('shell.reports'),
    icon: 'chart',
    hint: hintOf(KEYS.reports),
    run: () => go('/reports'),
  },
  {
    ...{
      name: t('shell.archive'),
      icon: 'archive' as const,
      keywords: 'archived tasks boards restore',
    },
    ...{ hint: hintOf(KEYS.archive), run: () => go('/archive') },
  },
  {
    ...{
      name: t('common.search_everything'),
      icon: 'search' as const,
      hint: hintOf(KEYS.search),
    },
    run: () => go('/search'),
  },
  {
    ...{ name: t('shell.new_task_from_a_template'), icon: 'page' as const, keywords: 'add create' },
    run: () => showOverlay('templates'),
  },
  {
    ...{ name: t('shell.new_page_dialog'), icon: 'page' as const, keywords: 'add create document' },
    run: () => showOverlay('page'),
  },
]

/** The commands of every screen and those of the current one. */
export function useActionEntries(
  me: Me,
  showPage: (page: 'create' | 'boards') => void,
): readonly PaletteEntry[] {
  const [, go] = useLocation()
  const theme = useTheme()
  const pin = usePinCommand()
  const hasChat = useHasChat()
  const commands: Command[] = [
    pin,
    ...placeCommands(go, hasChat),
    ...createCommands(me, go),
    {
      name: theme === 'dark' ? t('shell.light_theme') : t('shell.dark_theme'),
      ...{
        icon: theme === 'dark' ? ('sun' as const) : ('moon' as const),
        keywords: 'switch colour',
      },
      ...{ hint: hintOf(KEYS.theme), run: toggleTheme },
    },
    {
      ...{
        name: t('shell.collapse_or_expand_the_sidebar'),
        icon: 'list' as const,
        hint: hintOf(KEYS.side),
      },
      run: toggleSidebar,
    },
    {
      ...{
        name: t('shell.settings'),
        icon: 'settings' as const,
        keywords: 'profile password time zone mcp token key mail calendar theme',
        hint: hintOf(KEYS.settings),
      },
      run: () => go('/settings'),
    },
    {
      ...{
        name: t('shell.keyboard_shortcuts'),
        icon: 'dots' as const,
        keywords: 'keys help',
        hint: hintOf(KEYS.help),
      },
      run: () => showOverlay('keys'),
    },
    { name: t('tour.take_the_tour'), icon: 'spark', keywords: 'help learn', run: startTour },
    {
      ...{ name: t('shell.undo_history'), icon: 'history' as const, hint: hintOf(KEYS.history) },
      run: () => showOverlay('history'),
    },
    { name: t('shell.sign_out'), icon: 'back', keywords: 'log out leave', run: signOut },
  ]
  return entriesOf([...currentCommands(), ...pageCommands(showPage), ...commands])
}

/** The commands for the open task or the active cards, under a title. */
export function useContextEntries() {
  const [path] = useLocation()
  const [query] = useSearchParams()
  const { title, shortcutCommands, isOfTasks } = contextCommands(path, query.get('task'))
  return { title, entries: entriesOf(shortcutCommands), isOfTasks }
}

/** Pins the current address, or unpins it. */
function usePinCommand(): Command {
  const [path] = useLocation()
  const [query] = useSearchParams()
  const { entries } = usePins()
  const address = addressOf(path, query)
  const isPinned = entries.some((one) => one.path === address)
  const title = document.title.replace(/^\(\d+\) /, '').replace(/ · Corkboard$/, '')
  return {
    name: isPinned ? t('sidebar.unpin_this') : t('sidebar.pin_this_to_the_sidebar'),
    ...{ icon: 'pin', keywords: 'favorite star bookmark view filter' },
    run: () => void togglePin(address, title, isPinned),
  }
}

/** The saved views of all boards, and those of My Tasks. */
export function useViewEntries(
  me: Me,
  go: (path: string) => void,
  enabled: boolean,
): readonly PaletteEntry[] {
  const views = useOperation('views.list', { limit: 50 }, { enabled }).data?.items ?? []
  const myViews = useOperation('my_views.list', { limit: 50 }, { enabled }).data?.items ?? []
  const titles = new Map(me.boards.map(({ project_id, title }) => [project_id, title]))
  return [
    ...views.map(
      ({ view_id, title, project_id }): PaletteEntry => ({
        ...{ id: `view ${view_id}`, name: title, icon: 'board', end: titles.get(project_id) ?? '' },
        run: () => go(`/projects/${project_id}?view=${view_id}`),
      }),
    ),
    ...myViews.map(
      ({ view_id, title }): PaletteEntry => ({
        ...{ id: `view ${view_id}`, name: title, icon: 'mine', end: t('shell.my_tasks') },
        run: () => go(`/my?view=${view_id}`),
      }),
    ),
  ]
}

const entriesOf = (shortcutCommands: readonly Command[]): PaletteEntry[] =>
  shortcutCommands.map((command) => ({ id: `do ${command.name}`, ...command }))

/** An entry for each board. */
export function useBoardEntries(
  me: Me,
  onSelect: (project_id: number) => void,
): readonly PaletteEntry[] {
  return me.boards.map(({ project_id, key, title }) => ({
    ...{ id: `board ${project_id}`, name: title, mark: key, keywords: key },
    run: () => onSelect(project_id),
  }))
}

/**
 * The boards for a new task. On the current board it is unassigned, on others it is assigned to the
 * user.
 */
export function useCreateEntries(
  me: Me,
  title: string,
  onCreated: () => void,
): readonly PaletteEntry[] {
  const [path] = useLocation()
  const currentBoard = boardAt(path)
  const { mutate: deleteTask } = useOperationMutation('tasks.update', { onFailed: showError })
  const done = ({ ticket_number, task_id }: { ticket_number: string; task_id: number }) => {
    onCreated()
    showToast(t('shell.created_ticket_number', { ticket_number }), () =>
      deleteTask({ task_id, status: 'Deleted' }),
    )
  }
  const { mutate: createTask } = useOperationMutation('tasks.create', {
    onDone: done,
    onFailed: showError,
  })
  const { mutate: createMyTask } = useOperationMutation('my_tasks.add', {
    onDone: (task) => 'ticket_number' in task && done(task),
    onFailed: showError,
  })
  const createOnBoard =
    (project_id: number) =>
    ({ agent_ids = [], ...fields }: TypedTask) =>
      createTask(
        { project_id, ...fields },
        { onSuccess: ({ task_id }) => assignAgents(task_id, agent_ids) },
      )
  const defaultBoard = currentBoard ?? me.profile.default_board
  const boards = me.boards.toSorted(
    (a, b) => Number(b.project_id === defaultBoard) - Number(a.project_id === defaultBoard),
  )
  if (!title.trim()) return []
  return boards.map(({ project_id, key, title: board }) => ({
    ...{
      id: `create ${project_id}`,
      name: t('shell.title_on_board', { title: title.trim(), board }),
      mark: key,
    },
    end: project_id === currentBoard ? '' : t('shell.assigned_to_me'),
    run: () =>
      project_id === currentBoard
        ? void typedTaskOf(project_id, title.trim()).then(createOnBoard(project_id))
        : createMyTask({ project_id, title: title.trim(), natural: true, keep_board: true }),
  }))
}
