import type { Page } from 'playwright-core'
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
import { SETTINGS } from './settings.ts'
import type { World, Worlds } from './world.ts'

/** A screen, or what stands above one, and how a person comes there. */
export interface Place {
  /** Of the picture. */
  name: string
  world?: Exclude<keyof Worlds, 'stop'>
  path: string | ((world: World) => string)
  /** Nobody has signed in. */
  isStranger?: true
  /** What the server is told first. */
  before?(world: World): Promise<unknown>
  act?(page: Page, world: World, isNarrow: boolean): Promise<unknown>
  /** What the browser may complain of here: it tells of every refusal. */
  may?: RegExp
  /** It is made with keys, or looks the same: no picture of it on a phone. */
  isWide?: true
}

/** All of them: what is pictured, and what is searched for faults. */
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
