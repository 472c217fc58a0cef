import { defineShortcuts } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of a board; keys.ts implements them. */
export const ON_BOARD = defineShortcuts('board', {
  next: { keys: ['j', 'ArrowDown'], description: t('board.next_card'), repeats: true },
  back: { keys: ['k', 'ArrowUp'], description: t('board.previous_card'), repeats: true },
  right: { keys: ['ArrowRight'], description: t('board.next_column'), repeats: true },
  left: { keys: ['ArrowLeft'], description: t('board.previous_column'), repeats: true },
  moveByKeys: {
    keys: ['Shift+ArrowLeft', 'Shift+ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowRight'],
    keysText: 'Shift+Arrows',
    description: t('board.move_the_card'),
  },
  resizeByKeys: {
    keys: ['Alt+Shift+ArrowLeft', 'Alt+Shift+ArrowRight'],
    keysText: 'Alt+Shift+Arrows',
    description: t('board.change_the_due_date'),
  },
  open: { keys: ['Enter'], description: t('board.open_the_card') },
  fields: { keys: ['F2'], description: t('board.go_to_the_fields_of_the_card') },
  copy: { keys: ['$mod+c'], description: t('board.copy_the_key_title_and_link') },
  choose: { keys: ['x'], description: t('board.select_the_card') },
  extend: {
    keys: ['Shift+j', 'Shift+k'],
    description: t('board.extend_the_selection'),
    repeats: true,
  },
  all: { keys: ['$mod+a'], description: t('board.select_all') },
  create: { keys: ['c'], description: t('board.new_task_in_the_column') },
  filter: { keys: ['f'], description: t('board.filter') },
  column: { keys: ['s'], description: t('board.move_to_column'), icon: 'arrow' },
  assign: { keys: ['a'], description: t('board.assign'), icon: 'mine' },
  label: { keys: ['l'], description: t('common.label'), icon: 'tag' },
  priority: { keys: ['p'], description: t('board.set_priority'), icon: 'bars' },
  due: { keys: ['d'], description: t('board.set_due_date'), icon: 'calendar' },
  size: { keys: ['e'], description: t('board.set_size'), icon: 'list' },
  layout: {
    keys: ['v 1', 'v 2', 'v 3', 'v 4', 'v 5'],
    keysText: 'v 1…5',
    description: t('board.board_list_swimlanes_calendar_timeline'),
  },
  earlier: {
    keys: ['PageUp'],
    description: t('board.previous_period_calendar_timeline'),
    repeats: true,
  },
  later: { keys: ['PageDown'], description: t('board.next_period'), repeats: true },
  today: { keys: ['Home'], description: t('board.go_to_today') },
  timer: { keys: ['i'], description: t('common.start_or_stop_the_timer'), icon: 'clock' },
  leave: { keys: ['Escape'], description: t('board.clear_the_selection') },
})
