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
import type { Place } from './place.ts'
import { SETTINGS } from './settings.ts'

/** Every screen: `npm run screens` takes its picture, `npm run figures` looks for faults in it. */
export const PLACES: readonly Place[] = [
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
