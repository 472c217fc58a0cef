import { EVERYWHERE } from '../../entities/command/shortcuts.ts'
import type { Shortcut } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'
import { ON_BOARD } from '../../screens/board/shortcuts.ts'

interface Step {
  title: string
  text: string
  shortcut?: Shortcut
  /** Selectors of what is highlighted; the first that is visible counts. */
  targets: readonly string[]
}

/** What the tour shows. In a layout without one of the controls, that step highlights nothing. */
export const STEPS: readonly Step[] = [
  {
    title: t('tour.add_tasks'),
    text: t('tour.add_tasks_text'),
    shortcut: ON_BOARD.create,
    targets: ['#main .column .actions > .button:last-child', '#main .empty .button'],
  },
  {
    title: t('tour.open_a_task'),
    text: t('tour.open_a_task_text'),
    shortcut: ON_BOARD.open,
    targets: ['#main [data-task]'],
  },
  {
    title: t('tour.filter_the_board'),
    text: t('tour.filter_the_board_text'),
    shortcut: ON_BOARD.filter,
    targets: ['#main .head .end > button'],
  },
  {
    title: t('tour.switch_the_layout'),
    text: t('tour.switch_the_layout_text'),
    shortcut: ON_BOARD.layout,
    targets: ['#main .head .end > button:last-of-type'],
  },
  {
    title: t('tour.find_and_run_anything'),
    text: t('tour.find_and_run_anything_text'),
    shortcut: EVERYWHERE.find,
    targets: ['.side .open-search', '.top-bar > .button:last-of-type'],
  },
  {
    title: t('tour.connect_an_agent'),
    text: t('tour.connect_an_agent_text'),
    targets: ['.side a[href*="connect="]', '.side a[href="/agents"]', '.top-bar > .button'],
  },
]
