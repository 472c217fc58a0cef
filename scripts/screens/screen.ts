import type { Page } from 'playwright-core'
import type { Instance, Instances } from './instances.ts'

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
