import type { Table } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of a board; keys.ts implements them. */
export const ON_BOARD = {
  next: { keys: ['j', 'ArrowDown'], does: t('board.next_card'), held: true },
  back: { keys: ['k', 'ArrowUp'], does: t('board.previous_card'), held: true },
  right: { keys: ['ArrowRight'], does: t('board.next_column'), held: true },
  left: { keys: ['ArrowLeft'], does: t('board.previous_column'), held: true },
  carry: {
    keys: ['Shift+ArrowLeft', 'Shift+ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowRight'],
    shown: 'Shift+Arrows',
    does: t('board.move_the_card'),
  },
  open: { keys: ['Enter'], does: t('board.open_the_card') },
  copy: { keys: ['$mod+c'], does: t('board.copy_the_key_title_and_link') },
  choose: { keys: ['x'], does: t('board.select_the_card') },
  extend: { keys: ['Shift+j', 'Shift+k'], does: t('board.extend_the_selection'), held: true },
  all: { keys: ['$mod+a'], does: t('board.select_all') },
  create: { keys: ['c'], does: t('board.new_task_in_the_column') },
  filter: { keys: ['f'], does: t('board.filter') },
  column: { keys: ['s'], does: t('board.move_to_column'), icon: 'arrow' },
  assign: { keys: ['a'], does: t('board.assign'), icon: 'mine' },
  label: { keys: ['l'], does: t('common.label'), icon: 'tag' },
  priority: { keys: ['p'], does: t('board.set_priority'), icon: 'bars' },
  due: { keys: ['d'], does: t('board.set_due_date'), icon: 'calendar' },
  size: { keys: ['e'], does: t('board.set_size'), icon: 'list' },
  layout: {
    keys: ['v 1', 'v 2', 'v 3', 'v 4', 'v 5'],
    shown: 'v 1…5',
    does: t('board.board_list_swimlanes_calendar_timeline'),
  },
  earlier: { keys: ['PageUp'], does: t('board.previous_period_calendar_timeline'), held: true },
  later: { keys: ['PageDown'], does: t('board.next_period'), held: true },
  today: { keys: ['Home'], does: t('board.go_to_today') },
  timer: { keys: ['i'], does: t('common.start_or_stop_the_timer'), icon: 'clock' },
  leave: { keys: ['Escape'], does: t('board.clear_the_selection') },
} as const satisfies Table
