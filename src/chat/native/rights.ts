import { and, eq } from 'drizzle-orm'
import { agentFor, callerFor } from '../../features/callers/index.ts'
import { actorsOf } from '../../features/people/index.ts'
import { projects, visibleProjects } from '../../features/projects/index.ts'
import { ROLES } from '../../features/teams/index.ts'
import type { Caller, Tx } from '../../kernel/caller.ts'
import type { Desk } from './desk.ts'

/**
 * The agent with the rights that it has by now: those that a token of it would have, and none where
 * it would not be let in. Whoever asks it for something gets through it no further than they come
 * themselves.
 */
export const agentNow = (
  { store }: Desk,
  actor_id: number,
  askers: readonly number[] = [],
): Promise<Caller | undefined> =>
  store.read(async (tx) => {
    let agent = await agentFor(tx, actor_id)
    for (const asker of (await actorsOf(tx, askers)).values()) {
      if (!agent || asker.kind === 'system' || isItself(agent, asker.actor_id)) continue
      const ask = asker.kind === 'agent' ? agentFor : callerFor
      agent = await together(tx, agent, await ask(tx, asker.actor_id))
    }
    return agent
  })

/** Beyond its owner it never comes. */
const isItself = ({ actor_id, person_id }: Caller, asker: number) =>
  asker === actor_id || asker === person_id

/** What both may; nothing where the one is not of the team any more. */
async function together(
  tx: Tx,
  agent: Caller,
  asker: Caller | undefined,
): Promise<Caller | undefined> {
  const [team_id] = [...agent.teams.keys()]
  const role = asker?.teams.get(team_id!)
  if (!asker || !role) return undefined
  const both = [...agent.scopes].filter((one) => asker.scopes.has(one) && ROLES[role].has(one))
  const scopes = new Set(both)
  const isEverywhere = !asker.projects && (role === 'owner' || role === 'admin')
  if (isEverywhere) return { ...agent, scopes }
  const rows = await tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(and(eq(projects.team_id, team_id!), visibleProjects({ tx, caller: asker })))
  const seen = rows.map(({ project_id }) => project_id)
  const { projects: own } = agent
  return { ...agent, scopes, projects: new Set(own ? seen.filter((id) => own.has(id)) : seen) }
}
