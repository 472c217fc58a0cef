import type { Scope } from '../../kernel/caller.ts'
import type { TextKey } from '../../languages/index.ts'
import { say } from '../language.ts'

/** What a scope lets an app do, in the words of people. */
export const scopeText = (scope: Scope): string =>
  say(`pages.scope_${scope.replace(':', '_')}` as TextKey)

const DAYS = [1, 7, 30, 90]

export const durations = (): [value: string, words: string][] => [
  ...DAYS.map((days): [string, string] => [String(days), say('pages.for_days', { days })]),
  ['365', say('pages.for_1_year')],
  ['', say('pages.until_i_revoke_it')],
]
export const DEFAULT_DURATION = '90'
/** Agents that were set up with the command line end with its sign-in. */
export const COMMAND_LINE_DURATION = '365'
