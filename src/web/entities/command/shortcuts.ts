import { type Table, UNDO } from '../../kit/shortcuts.ts'

/** The shortcuts of every screen. */
export const EVERYWHERE = {
  find: { keys: ['$mod+k'], does: 'Search or run a command' },
  chat: { keys: ['$mod+j'], does: 'Open or close the chat' },
  create: { keys: ['c'], does: 'New task' },
  undo: UNDO,
  home: { keys: ['g h'], does: 'Go to your default board' },
  board: { keys: ['g b'], does: 'Go to a board…' },
  mine: { keys: ['g m'], does: 'Go to My Tasks' },
  inbox: { keys: ['g i'], does: 'Go to Inbox' },
  agents: { keys: ['g a'], does: 'Go to Agents' },
  reports: { keys: ['g r'], does: 'Go to Reports' },
  archive: { keys: ['g x'], does: 'Go to Archive' },
  search: { keys: ['/'], does: 'Search everything' },
  settings: { keys: ['g s'], does: 'Go to Settings' },
  side: { keys: ['[Control]+[Alt]+['], does: 'Collapse or expand the sidebar' },
  theme: { keys: ['t'], does: 'Light or dark theme' },
  help: { keys: ['[Shift]+?'], does: 'Show keyboard shortcuts' },
} as const satisfies Table
