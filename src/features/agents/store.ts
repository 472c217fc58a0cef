import { and, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { Context, Scope, Tx } from '../../kernel/caller.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { actors } from '../people/index.ts'
import { folded } from '../projects/index.ts'
import { allow, holdTeam, members } from '../teams/index.ts'
import { agents } from './tables.ts'

export type Agent = typeof agents.$inferSelect
export type NamedAgent = Agent & { name: string }
/** States in which an agent belongs to the team as far as others see. */
const SHOWN: Agent['state'][] = ['active', 'inactive']

const named = (tx: Tx) =>
  tx
    .select({ ...getTableColumns(agents), name: actors.name })
    .from(agents)
    .innerJoin(actors, eq(actors.actor_id, agents.actor_id))

/** The agents of a team, with their names; a team has few. */
export function agentsOfTeam(
  tx: Tx,
  team_id: number,
  state?: Agent['state'],
): Promise<NamedAgent[]> {
  const states = state ? [state] : SHOWN
  return named(tx).where(and(eq(agents.team_id, team_id), inArray(agents.state, states)))
}

/** Agents by the numbers of their actors. */
export const namedAgents = async (tx: Tx, actor_ids: readonly number[]): Promise<NamedAgent[]> =>
  actor_ids.length ? named(tx).where(inArray(agents.actor_id, [...actor_ids])) : []

export const agentsOwnedBy = (tx: Tx, owner_id: number): Promise<NamedAgent[]> =>
  named(tx).where(eq(agents.owner_id, owner_id))

/** An agent of a team that the caller belongs to, by its UUID or as `self`. */
export async function findAgent(
  ctx: Pick<Context, 'caller' | 'tx'>,
  ref: string,
): Promise<NamedAgent> {
  const { caller, tx } = ctx
  if (ref === 'self' && caller.kind === 'person')
    throw fault.invalid(
      'agent_id',
      'out_of_range',
      'self is for an agent with its own token, and this is a person’s',
      ref,
      'Name the agent by its UUID: GET /api/v1/agents lists them',
    )
  const agent_id = ref === 'self' ? caller.agent_id! : ref.toLowerCase()
  const [agent] = await named(tx).where(eq(agents.agent_id, agent_id))
  if (agent && agent.state !== 'deleted' && caller.teams.has(agent.team_id)) return agent
  throw fault.notFound(
    'agent_id',
    `There is no agent ${ref} in a team of yours`,
    ref,
    'List them: svc_agents list, or GET /api/v1/agents',
  )
}

/** Its owner, or an owner or admin of its team; never an agent. */
export function manages({ caller }: Pick<Context, 'caller'>, agent: Agent): boolean {
  const role = caller.teams.get(agent.team_id)
  const answers = role === 'owner' || role === 'admin' || caller.actor_id === agent.owner_id
  return caller.kind === 'person' && role !== undefined && answers
}

/** An agent that the caller manages. Nobody else changes agents of the team until this is over. */
export async function findManaged(ctx: Context, ref: string): Promise<NamedAgent> {
  const seen = await findAgent(ctx, ref)
  allow(ctx, seen.team_id)
  if (!manages(ctx, seen))
    throw new Fault(
      'not_manager',
      `${seen.name} is not an agent of yours`,
      {},
      'Ask its owner, or an owner or admin of the team',
    )
  await holdTeam(ctx.tx, seen.team_id)
  return findAgent(ctx, ref)
}

/**
 * An agent has the name of nobody else in its team: neither of another agent, which could not be told
 * from it where they are assigned or mentioned, nor of a person, in whose name it would then speak.
 */
export async function claimName(
  { tx }: Context,
  field: string,
  { team_id, name, actor_id }: { team_id: number; name: string; actor_id?: number },
) {
  const word = seen(name)
  const person = (await peopleOfTeam(tx, team_id)).find((one) => seen(one.name) === word)
  if (person)
    throw fault.conflict(
      `${person.name} is a person of this team, and an agent may not have their name`,
      { field, value: name, user_id: person.actor_id },
      'Give it another name',
    )
  const taken = (await agentsOfTeam(tx, team_id)).find(
    (agent) => seen(agent.name) === word && agent.actor_id !== actor_id,
  )
  if (taken)
    throw fault.conflict(
      `This team has an agent named ${taken.name} already`,
      { field, value: name, agent_id: taken.agent_id },
      'Give it another name',
    )
}

/** Names that look alike are the same: whatever their script forms, and without invisible characters. */
const seen = (name: string) => folded(name.normalize('NFKC').replace(/\p{Cf}/gu, ''))

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

type Settable = Partial<Pick<Agent, 'state' | 'scopes' | 'project_ids' | 'instructions'>>

export async function setAgent<A extends Agent>(tx: Tx, agent: A, set: Settable): Promise<A> {
  if (Object.keys(set).length)
    await tx.update(agents).set(set).where(eq(agents.actor_id, agent.actor_id))
  return { ...agent, ...set }
}
