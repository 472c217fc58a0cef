import type { Output } from '../../data/client.ts'
import { agoText } from '../../kit/dates.ts'
import { t } from '../../messages/t.ts'

export type Agent = Output<'agents.get'>
export type Scope = Agent['scopes'][number]
export type Run = Output<'sessions.list'>['items'][number]
export type RunState = Run['state']

/** The scopes an agent can have, in the order in which they are offered. */
export const SCOPES: readonly (readonly [Scope, string])[] = [
  ['tasks:read', t('agent.read_tasks_comments_and_files')],
  ['tasks:write', t('agent.work_on_tasks_each_under_a_lease')],
  ['pages:read', t('agent.read_pages')],
  ['pages:write', t('agent.write_pages')],
  ['projects:read', t('agent.see_boards_columns_and_labels')],
  ['projects:write', t('agent.change_columns_labels_and_views')],
  ['projects:manage', t('agent.archive_boards_delete_columns_invite')],
  ['projects:instruct', t('agent.change_playbooks_instructions_and_board')],
  ['teams:read', t('agent.see_who_is_in_the_team')],
  ['profile:read', t('agent.read_its_own_inbox')],
  ['profile:write', t('agent.manage_its_inbox_name_and_webhook')],
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
    {
      name: t('agent.read_only'),
      description: t('agent.sees_everything_changes_nothing'),
      scopes: within(READS),
    },
    {
      name: t('agent.read_and_write'),
      description: t('agent.works_on_tasks_and_writes_pages_but'),
      scopes: within(WORKS),
    },
    {
      name: t('agent.full_access'),
      description: t('agent.can_do_what_you_can_do_with'),
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
  return t('agent.count_of_count2_scopes', { count: scopes.length, count2: SCOPES.length })
}

type PresenceFields = Pick<Agent, 'state' | 'present' | 'last_seen_at'>

/** Whether the agent is present, or else when it was last seen. */
export function presenceText({ state, present, last_seen_at: at }: PresenceFields): string {
  if (state === 'archived') return t('common.archived')
  if (state === 'inactive') return t('agent.switched_off')
  if (present) return t('agent.online')
  return at
    ? t('agent.last_seen_short', { short: agoText(at).short })
    : t('agent.has_not_connected_yet')
}

export const STATES: Record<RunState, string> = {
  queued: t('agent.queued'),
  running: t('agent.running'),
  waiting: t('agent.waiting'),
  stopped: t('agent.stopped'),
  done: t('common.done'),
  failed: t('common.failed'),
}
const OPEN: ReadonlySet<RunState> = new Set(['queued', 'running', 'waiting'])
export const isOpen = ({ state }: Pick<Run, 'state'>) => OPEN.has(state)

export const agentActor = ({ agent_id, name }: Pick<Agent, 'agent_id' | 'name'>) => ({
  ...{ kind: 'agent' as const, agent_id, name },
})
