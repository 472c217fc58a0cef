import type { Scope } from '../../kernel/caller.ts'

/** What each scope lets an app do, in the words of people. */
export const SCOPE_WORDS: Record<Scope, string> = {
  'profile:read': 'See your name, inbox and settings',
  'profile:write': 'Change your profile, inbox and settings',
  'keys:read': 'See your keys, tokens and apps',
  'keys:manage': 'Create and revoke your keys and tokens',
  'teams:read': 'See your teams and their members',
  'teams:manage': 'Invite people and change their roles',
  'agents:manage': 'Create and change agents',
  'projects:read': 'See boards, columns and labels',
  'projects:write': 'Create boards and change columns and labels',
  'projects:manage': 'Archive boards and change who sees them',
  'projects:instruct': 'Change the instructions for agents',
  'tasks:read': 'See tasks and comments',
  'tasks:write': 'Create and change tasks and comments',
  'pages:read': 'See pages',
  'pages:write': 'Create and change pages',
}

export const DURATIONS: readonly [value: string, words: string][] = [
  ['1', 'For 1 day'],
  ['7', 'For 7 days'],
  ['30', 'For 30 days'],
  ['90', 'For 90 days'],
  ['365', 'For 1 year'],
  ['', 'Until I revoke it'],
]
export const DEFAULT_DURATION = '90'
/** Agents that were set up with the command line end with its sign-in. */
export const COMMAND_LINE_DURATION = '365'
