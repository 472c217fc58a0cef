import { AGENTS } from './agents.ts'
import { BOARD } from './board.ts'
import { BOARD_SETTINGS } from './board-settings.ts'
import { CHAT } from './chat.ts'
import { INBOX } from './inbox.ts'
import { OTHER } from './other.ts'
import { PAGE } from './page.ts'
import { REPORTS } from './reports.ts'
import type { Screen } from './screen.ts'
import { SEARCH } from './search.ts'
import { SETTINGS } from './settings.ts'
import { TASK } from './task.ts'

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
  ...OTHER,
]
