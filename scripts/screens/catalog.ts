import { AGENTS } from './on-agents.ts'
import { BOARD } from './on-board.ts'
import { BOARD_SETTINGS } from './on-board-settings.ts'
import { CHAT } from './on-chat.ts'
import { INBOX } from './on-inbox.ts'
import { PAGE } from './on-page.ts'
import { REPORTS } from './on-reports.ts'
import { SEARCH } from './on-search.ts'
import { TASK } from './on-task.ts'
import { OTHERS } from './others.ts'
import type { Screen } from './screen.ts'
import { SETTINGS } from './settings.ts'

/** All screens, for screenshots and for checks. */
export const SCREENS: readonly Screen[] = [
  ...BOARD,
  ...TASK,
  ...REPORTS,
  ...SETTINGS,
  ...BOARD_SETTINGS,
  ...AGENTS,
  ...PAGE,
  ...SEARCH,
  ...INBOX,
  ...CHAT,
  ...OTHERS,
]
