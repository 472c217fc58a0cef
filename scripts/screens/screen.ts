import type { Page } from 'playwright-core'
import type { Instance, Instances } from './instances.ts'

/** A screen or dialog, and how to open it. */
export interface Screen {
  /** The file name of the screenshot. */
  name: string
  /** The demo if left out. */
  instance?: Exclude<keyof Instances, 'stop'>
  path: string | ((instance: Instance) => string)
  /** The page is opened without signing in. */
  isSignedOut?: true
  /** Prepares data through the API. */
  prepare?(instance: Instance): Promise<unknown>
  /** Performs the actions that lead from `path` to the screen. */
  act?(page: Page, instance: Instance, isNarrow: boolean): Promise<unknown>
  /** Console messages to ignore, because browsers report every error response. */
  ignoredMessages?: RegExp
  /** No narrow screenshot, because the screen needs keys or looks the same. */
  isWideOnly?: true
}
