import type { Output } from '../../data/client.ts'
import { agoWords } from '../../kit/dates.ts'

export type Agent = Output<'agents.get'>
export type Scope = Agent['scopes'][number]
export type Run = Output<'sessions.list'>['items'][number]
export type RunState = Run['state']

/** The scopes an agent can have, in the order in which they are offered. */
export const SCOPES: readonly (readonly [Scope, string])[] = [
  ['tasks:read', 'Read tasks, comments and files'],
  ['tasks:write', 'Work on tasks, each under a lease'],
  ['pages:read', 'Read pages'],
  ['pages:write', 'Write pages'],
  ['projects:read', 'See boards, columns and labels'],
  ['projects:write', 'Change columns, labels and views'],
  ['projects:manage', 'Archive boards, delete columns, invite people'],
  ['projects:instruct', 'Change playbooks, instructions and board skills'],
  ['teams:read', 'See who is in the team'],
  ['profile:read', 'Read its own inbox'],
  ['profile:write', 'Manage its inbox, name and webhook'],
]

const READS: readonly Scope[] = [
  'tasks:read',
  'pages:read',
  'projects:read',
  'teams:read',
  'profile:read',
]
const WORKS: readonly Scope[] = [...READS, 'tasks:write', 'pages:write', 'profile:write']

export interface Level {
  name: string
  description: string
  scopes: readonly Scope[]
}

/** Common sets of scopes, limited to those that the user has. */
export const levelsOf = (allowed: ReadonlySet<string>): readonly Level[] => {
  const within = (scopes: readonly Scope[]) => scopes.filter((one) => allowed.has(one))
  return [
    { name: 'Read only', description: 'Sees everything, changes nothing.', scopes: within(READS) },
    {
      name: 'Read and write',
      description: 'Works on tasks and writes pages, but does not change boards.',
      scopes: within(WORKS),
    },
    {
      name: 'Full access',
      description:
        'Can do what you can do with boards, tasks and pages, except change instructions.',
      scopes: within(SCOPES.map(([scope]) => scope).filter((one) => one !== 'projects:instruct')),
    },
  ]
}

const isSame = (a: readonly Scope[], b: readonly Scope[]) =>
  a.length === b.length && a.every((one) => b.includes(one))

export const levelOf = (scopes: readonly Scope[], levels: readonly Level[]): Level | undefined =>
  levels.findLast((one) => isSame(one.scopes, scopes))

const ALL_LEVELS: readonly Level[] = levelsOf(new Set(SCOPES.map(([scope]) => scope)))

/** A short description of an agent's scopes. */
export function scopesText({ scopes }: Pick<Agent, 'scopes'>): string {
  const level = levelOf(scopes, ALL_LEVELS)
  if (level) return level.name
  return `${scopes.length} of ${SCOPES.length} scopes`
}

type PresenceFields = Pick<Agent, 'state' | 'present' | 'last_seen_at'>

/** Whether the agent is present, or else when it was last seen. */
export function presenceText({ state, present, last_seen_at: at }: PresenceFields): string {
  if (state === 'archived') return 'Archived'
  if (state === 'inactive') return 'Switched off'
  if (present) return 'Online'
  return at ? `Last seen ${agoWords(at).short}` : 'Has not connected yet'
}

export const STATES: Record<RunState, string> = {
  queued: 'Queued',
  running: 'Running',
  waiting: 'Waiting',
  stopped: 'Stopped',
  done: 'Done',
  failed: 'Failed',
}
const OPEN: ReadonlySet<RunState> = new Set(['queued', 'running', 'waiting'])
export const isOpen = ({ state }: Pick<Run, 'state'>) => OPEN.has(state)

export const agentActor = ({ agent_id, name }: Pick<Agent, 'agent_id' | 'name'>) => ({
  ...{ kind: 'agent' as const, agent_id, name },
})
