import { and, eq, getTableColumns, ne } from 'drizzle-orm'
import type { Context, Scope, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { actors } from '../people/index.ts'
import { agents } from './tables.ts'

export type Agent = typeof agents.$inferSelect

/** The agents of a team, with their names; a team has few. */
export function agentsOfTeam(tx: Tx, team_id: number, state?: Agent['state']) {
  return tx
    .select({ ...getTableColumns(agents), name: actors.name })
    .from(agents)
    .innerJoin(actors, eq(actors.actor_id, agents.actor_id))
    .where(
      and(
        eq(agents.team_id, team_id),
        state ? eq(agents.state, state) : ne(agents.state, 'archived'),
      ),
    )
}

/** Two agents of one name could not be told apart where they are assigned or mentioned. */
export async function claimName(
  { tx }: Context,
  field: string,
  { team_id, name, actor_id }: { team_id: number; name: string; actor_id?: number },
) {
  const word = name.toLowerCase()
  const taken = (await agentsOfTeam(tx, team_id)).find(
    (agent) => agent.name.toLowerCase() === word && agent.actor_id !== actor_id,
  )
  if (taken)
    throw fault.conflict(
      `This team has an agent named ${taken.name} already`,
      { field, value: name, agent_id: taken.agent_id },
      'Give it another name',
    )
}

export interface NewAgent {
  team_id: number
  owner_id: number
  name: string
  scopes: Scope[]
  project_ids: number[] | null
}

export async function insertAgent(tx: Tx, draft: NewAgent, now: Date): Promise<Agent> {
  const { name, ...rest } = draft
  const agent_id = crypto.randomUUID()
  const [actor] = await tx
    .insert(actors)
    .values({ kind: 'agent', agent_id, name, created_at: now })
    .returning({ actor_id: actors.actor_id })
  const { actor_id } = actor!
  const [agent] = await tx
    .insert(agents)
    .values({ ...rest, actor_id, agent_id, kind: 'external', state: 'active', created_at: now })
    .returning()
  return agent!
}
