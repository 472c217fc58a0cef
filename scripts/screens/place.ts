import type { Page } from 'playwright-core'
import type { World, Worlds } from './world.ts'

/** A screen, or a dialog above one, and how a person gets there. */
export interface Place {
  /** Begins the file name of the picture. */
  name: string
  world?: Exclude<keyof Worlds, 'stop'>
  path: string | ((world: World) => string)
  /** Nobody has signed in. */
  isStranger?: true
  /** Prepares the server before the browser opens the path. */
  before?(world: World): Promise<unknown>
  act?(page: Page, world: World, isNarrow: boolean): Promise<unknown>
  /** Console messages that are expected here: the browser reports every refused request. */
  may?: RegExp
  /** Reached by keyboard, or the same at every width: no picture on a phone. */
  isWide?: true
}
