import { and, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { Context, Scope, Tx } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { foldName } from '../../../boards/projects/model/index.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { lockTeam, members, requireTeamScope } from '../../../identity/teams/model/index.ts'
import type { Restrictions } from './restrictions.ts'
import { agents } from './tables.ts'

export type Agent = typeof agents.$inferSelect
export type NamedAgent = Agent & { name: string }
/** The states in which an agent is a visible member of the team. */
const LISTED_STATES: Agent['state'][] = ['active', 'inactive']

const agentsWithName = (tx: Tx) =>
  tx
    .select({ ...getTableColumns(agents), name: actors.name })
    .from(agents)
    .innerJoin(actors, eq(actors.actor_id, agents.actor_id))

/** The agents of a team, with names. A team has few agents. */
export function agentsOfTeam(
  tx: Tx,
  team_id: number,
  state?: Agent['state'],
): Promise<NamedAgent[]> {
  const states = state ? [state] : LISTED_STATES
  return agentsWithName(tx).where(and(eq(agents.team_id, team_id), inArray(agents.state, states)))
}

/** Agents by actor id. */
export const namedAgents = async (tx: Tx, actor_ids: readonly number[]): Promise<NamedAgent[]> =>
  actor_ids.length ? agentsWithName(tx).where(inArray(agents.actor_id, [...actor_ids])) : []

export const agentsOwnedBy = (tx: Tx, owner_id: number): Promise<NamedAgent[]> =>
  agentsWithName(tx).where(eq(agents.owner_id, owner_id))

/** Loads an agent in a team of the caller, by UUID or as `self`. */
export async function findAgent(
  ctx: Pick<Context, 'caller' | 'tx'>,
  ref: string,
): Promise<NamedAgent> {
  const { caller, tx } = ctx
  if (ref === 'self' && caller.kind === 'person')
    throw fault.invalid(
      'agent_id',
      'out_of_range',
      'self is only for agents with their own token; this credential belongs to a person',
      ref,
      'Use the UUID of the agent: GET /api/v1/agents lists them',
    )
  const agent_id = ref === 'self' ? caller.agent_id! : ref.toLowerCase()
  const [agent] = await agentsWithName(tx).where(eq(agents.agent_id, agent_id))
  if (agent && agent.state !== 'deleted' && caller.teams.has(agent.team_id)) return agent
  throw fault.notFound(
    'agent_id',
    `There is no agent ${ref} in your teams`,
    ref,
    'List them: svc_agents list, or GET /api/v1/agents',
  )
}

/**
 * Whether the caller manages the agent: its owner, or an owner or admin of the team; never an
 * agent.
 */
export function manages({ caller }: Pick<Context, 'caller'>, agent: Agent): boolean {
  const role = caller.teams.get(agent.team_id)
  const isResponsible = role === 'owner' || role === 'admin' || caller.actor_id === agent.owner_id
  return caller.kind === 'person' && role !== undefined && isResponsible
}

/**
 * Loads an agent that the caller manages, and locks the agents of the team until the transaction
 * ends.
 */
export async function lockManagedAgent(ctx: Context, ref: string): Promise<NamedAgent> {
  const found = await findAgent(ctx, ref)
  requireTeamScope(ctx, found.team_id)
  if (!manages(ctx, found))
    throw new Fault(
      'not_manager',
      `${found.name} is not an agent of yours`,
      {},
      'Ask its owner, or an owner or admin of the team',
    )
  await lockTeam(ctx.tx, found.team_id)
  return findAgent(ctx, ref)
}

/** Locks every agent of a team until the transaction ends, so that none of them claims a task. */
export async function lockAgents(tx: Tx, team_id: number): Promise<void> {
  const ofTeam = tx.select({ actor_id: agents.actor_id }).from(agents)
  await forUpdate(ofTeam.where(eq(agents.team_id, team_id)).orderBy(agents.actor_id))
}

/**
 * Agent names are unique in a team. Two agents with one name could not be told apart in assignments
 * and mentions, and an agent with a person's name could impersonate them.
 */
export async function claimName(
  { tx }: Context,
  field: string,
  { team_id, name, actor_id }: { team_id: number; name: string; actor_id?: number },
) {
  const folded = foldLookalikes(name)
  const person = (await peopleOfTeam(tx, team_id)).find(
    (candidate) => foldLookalikes(candidate.name) === folded,
  )
  if (person)
    throw fault.conflict(
      `${person.name} is a person in this team, and agents cannot use the name of a person`,
      { field, value: name, user_id: person.actor_id },
      'Give it another name',
    )
  const namesake = (await agentsOfTeam(tx, team_id)).find(
    (agent) => foldLookalikes(agent.name) === folded && agent.actor_id !== actor_id,
  )
  if (namesake)
    throw fault.conflict(
      `This team already has an agent named ${namesake.name}`,
      { field, value: name, agent_id: namesake.agent_id },
      'Give it another name',
    )
}

/**
 * Folds names that look alike to the same text: compatibility forms, case, and invisible
 * characters.
 */
const foldLookalikes = (name: string) => foldName(name.normalize('NFKC').replace(/\p{Cf}/gu, ''))

const peopleOfTeam = (tx: Tx, team_id: number) =>
  tx
    .select({ actor_id: actors.actor_id, name: actors.name })
    .from(members)
    .innerJoin(actors, eq(actors.actor_id, members.actor_id))
    .where(eq(members.team_id, team_id))

export interface NewAgent {
  team_id: number
  owner_id: number
  name: string
  kind?: Agent['kind']
  scopes: Scope[]
  project_ids: number[] | null
  instructions?: string | null
}

export async function insertAgent(tx: Tx, draft: NewAgent, now: Date): Promise<NamedAgent> {
  const { name, kind = 'external', ...rest } = draft
  const agent_id = crypto.randomUUID()
  const [actor] = await tx
    .insert(actors)
    .values({ kind: 'agent', agent_id, name, created_at: now })
    .returning({ actor_id: actors.actor_id })
  const { actor_id } = actor!
  const [agent] = await tx
    .insert(agents)
    .values({ ...rest, actor_id, agent_id, kind, state: 'active', created_at: now })
    .returning()
  return { ...agent!, name }
}

type AgentChange = Partial<
  Pick<Agent, 'state' | 'scopes' | 'project_ids' | 'instructions' | keyof Restrictions>
>

export async function setAgent<A extends Agent>(tx: Tx, agent: A, set: AgentChange): Promise<A> {
  if (Object.keys(set).length)
    await tx.update(agents).set(set).where(eq(agents.actor_id, agent.actor_id))
  return { ...agent, ...set }
}
