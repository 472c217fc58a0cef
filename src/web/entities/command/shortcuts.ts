import { type Table, UNDO } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of every screen. */
export const EVERYWHERE = {
  find: { keys: ['$mod+k'], does: t('command.search_or_run_a_command') },
  chat: { keys: ['$mod+j'], does: t('command.open_or_close_the_chat') },
  create: { keys: ['c'], does: t('command.new_task') },
  undo: UNDO,
  home: { keys: ['g h'], does: t('command.go_to_your_default_board') },
  board: { keys: ['g b'], does: t('command.go_to_a_board') },
  mine: { keys: ['g m'], does: t('common.go_to_my_tasks') },
  inbox: { keys: ['g i'], does: t('command.go_to_inbox') },
  agents: { keys: ['g a'], does: t('command.go_to_agents') },
  reports: { keys: ['g r'], does: t('command.go_to_reports') },
  archive: { keys: ['g x'], does: t('command.go_to_archive') },
  search: { keys: ['/'], does: t('common.search_everything') },
  settings: { keys: ['g s'], does: t('command.go_to_settings') },
  side: { keys: ['[Control]+[Alt]+['], does: t('command.collapse_or_expand_the_sidebar') },
  theme: { keys: ['t'], does: t('command.light_or_dark_theme') },
  help: { keys: ['[Shift]+?'], does: t('command.show_keyboard_shortcuts') },
} as const satisfies Table
