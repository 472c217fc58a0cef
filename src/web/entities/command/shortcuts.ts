import { defineShortcuts, UNDO } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of every screen. */
export const EVERYWHERE = defineShortcuts('everywhere', {
  find: { keys: ['$mod+k'], description: t('command.search_or_run_a_command') },
  chat: { keys: ['$mod+j'], description: t('command.open_or_close_the_chat') },
  create: { keys: ['c'], description: t('command.new_task') },
  undo: UNDO,
  history: { keys: ['g z'], description: t('command.show_undo_history') },
  home: { keys: ['g h'], description: t('command.go_to_your_default_board') },
  board: { keys: ['g b'], description: t('command.go_to_a_board') },
  mine: { keys: ['g m'], description: t('common.go_to_my_tasks') },
  inbox: { keys: ['g i'], description: t('command.go_to_inbox') },
  agents: { keys: ['g a'], description: t('command.go_to_agents') },
  reports: { keys: ['g r'], description: t('command.go_to_reports') },
  archive: { keys: ['g x'], description: t('command.go_to_archive') },
  search: { keys: ['/'], description: t('common.search_everything') },
  settings: { keys: ['g s'], description: t('command.go_to_settings') },
  side: { keys: ['[Control]+[Alt]+['], description: t('command.collapse_or_expand_the_sidebar') },
  theme: { keys: ['t'], description: t('command.light_or_dark_theme') },
  preview: { keys: ['Alt+KeyP'], description: t('command.preview_the_focused_link') },
  help: { keys: ['[Shift]+?'], description: t('command.show_keyboard_shortcuts') },
})
