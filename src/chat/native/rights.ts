import { and, eq } from 'drizzle-orm'
import { projects, visibleProjects } from '../../features/boards/projects/model/index.ts'
import { agentFor, callerFor } from '../../features/identity/callers/model/index.ts'
import { actorsOf } from '../../features/identity/people/model/index.ts'
import { ROLES } from '../../features/identity/teams/model/index.ts'
import type { Caller, Tx } from '../../kernel/caller.ts'
import type { AgentRuntime } from './runtime.ts'

/**
 * The agent with its current rights: those of its token, or undefined if it would not be let in.
 * For what others ask of it, the rights are limited to what each of them may do.
 */
export const currentAgent = (
  { store }: AgentRuntime,
  actor_id: number,
  askers: readonly number[] = [],
): Promise<Caller | undefined> =>
  store.read(async (tx) => {
    let agent = await agentFor(tx, actor_id)
    for (const asker of (await actorsOf(tx, askers)).values()) {
      if (!agent || asker.kind === 'system' || isSelfOrOwner(agent, asker.actor_id)) continue
      const load = asker.kind === 'agent' ? agentFor : callerFor
      agent = await withRightsOfBoth(tx, agent, await load(tx, asker.actor_id))
    }
    return agent
  })

/** An agent never has more rights than its owner, so the owner does not limit it further. */
const isSelfOrOwner = ({ actor_id, person_id }: Caller, asker: number) =>
  asker === actor_id || asker === person_id

/** The rights that both have; undefined if the asker is no longer in the team. */
async function withRightsOfBoth(
  tx: Tx,
  agent: Caller,
  asker: Caller | undefined,
): Promise<Caller | undefined> {
  const [team_id] = [...agent.teams.keys()]
  const role = asker?.teams.get(team_id!)
  if (!asker || !role) return undefined
  const shared = [...agent.scopes].filter(
    (scope) => asker.scopes.has(scope) && ROLES[role].has(scope),
  )
  const scopes = new Set(shared)
  const isEverywhere = !asker.projects && (role === 'owner' || role === 'admin')
  if (isEverywhere) return { ...agent, scopes }
  const rows = await tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(and(eq(projects.team_id, team_id!), visibleProjects({ tx, caller: asker })))
  const visible = rows.map(({ project_id }) => project_id)
  const { projects: own } = agent
  return {
    ...agent,
    scopes,
    projects: new Set(own ? visible.filter((id) => own.has(id)) : visible),
  }
}
