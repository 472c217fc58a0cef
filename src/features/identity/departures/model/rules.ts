import type { Agent } from '../../../agents/agents/model/index.ts'

type State = Agent['state']

/** Actions that stop an agent, with the resulting state for each state they are allowed in. */
export const STATE_AFTER = {
  deactivate: { active: 'inactive', inactive: 'inactive' },
  revoke: { active: 'inactive', inactive: 'inactive', archived: 'archived' },
  archive: { active: 'archived', inactive: 'archived', archived: 'archived' },
} as const satisfies Record<string, Partial<Record<State, State>>>
export type StopAction = keyof typeof STATE_AFTER
