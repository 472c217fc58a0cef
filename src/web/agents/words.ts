import type { Output } from '../data/client.ts'
import { agoWords } from '../parts/dates.ts'

export type Agent = Output<'agents.get'>
export type Scope = Agent['scopes'][number]
export type Run = Output<'sessions.list'>['items'][number]
export type RunState = Run['state']

/** What an agent can be allowed, in the order in which it is offered. */
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
  ['profile:write', 'Mind its inbox, name and webhook'],
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
  words: string
  scopes: readonly Scope[]
}

/** Usual sets of what an agent may do, of those that one may hand on. */
export const levelsOf = (may: ReadonlySet<string>): readonly Level[] => {
  const some = (scopes: readonly Scope[]) => scopes.filter((one) => may.has(one))
  return [
    { name: 'Reads', words: 'It looks, and changes nothing.', scopes: some(READS) },
    {
      name: 'Works',
      words: 'It works on tasks and writes pages; boards stay as they are.',
      scopes: some(WORKS),
    },
    {
      name: 'Everything',
      words:
        'It may do what you may do with boards, tasks and pages, except for changing instructions.',
      scopes: some(SCOPES.map(([scope]) => scope).filter((one) => one !== 'projects:instruct')),
    },
  ]
}

const isSame = (a: readonly Scope[], b: readonly Scope[]) =>
  a.length === b.length && a.every((one) => b.includes(one))

export const levelOf = (scopes: readonly Scope[], levels: readonly Level[]): Level | undefined =>
  levels.findLast((one) => isSame(one.scopes, scopes))

const ALL: readonly Level[] = levelsOf(new Set(SCOPES.map(([scope]) => scope)))

/** What it may do, as short as it can be said. */
export function mayWords({ scopes }: Pick<Agent, 'scopes'>): string {
  const level = levelOf(scopes, ALL)
  if (level) return { Reads: 'Reads', Works: 'Works', Everything: 'May do everything' }[level.name]!
  return `May do ${scopes.length} of ${SCOPES.length} things`
}

type Seen = Pick<Agent, 'state' | 'present' | 'last_seen_at'>

/** Whether it is there, and else when it was. */
export function presenceWords({ state, present, last_seen_at: at }: Seen): string {
  if (state === 'archived') return 'Archived'
  if (state === 'inactive') return 'Switched off'
  if (present) return 'Here now'
  return at ? `Seen ${agoWords(at).short}` : 'Has not called yet'
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
