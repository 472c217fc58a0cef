import type { Agent } from '../agents/index.ts'

type State = Agent['state']

/** What ends an agent's work, and where it leads from each state it may be in. */
export const STOPS = {
  deactivate: { active: 'inactive', inactive: 'inactive' },
  revoke: { active: 'inactive', inactive: 'inactive', archived: 'archived' },
  archive: { active: 'archived', inactive: 'archived', archived: 'archived' },
} as const satisfies Record<string, Partial<Record<State, State>>>
export type Stop = keyof typeof STOPS
