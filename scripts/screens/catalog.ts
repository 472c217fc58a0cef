import type { Page } from 'playwright-core'
import type { Instance, Instances } from './instances.ts'
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

/** A screen or dialog, and how a person gets there. */
export interface Screen {
  /** The file name of the screenshot. */
  name: string
  world?: Exclude<keyof Instances, 'stop'>
  path: string | ((world: Instance) => string)
  /** Nobody is signed in. */
  isSignedOut?: true
  /** Prepares data through the API. */
  before?(world: Instance): Promise<unknown>
  act?(page: Page, world: Instance, isNarrow: boolean): Promise<unknown>
  /** Console messages to ignore, because browsers report every error response. */
  allowed?: RegExp
  /** No narrow screenshot, because the screen needs keys or looks the same. */
  isWide?: true
}

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
