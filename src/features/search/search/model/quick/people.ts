import type { Context, Tx } from '../../../../../kernel/caller.ts'
import { matchNames, type Named, toNamed } from '../../../../../search/titles/names.ts'
import { titleWords } from '../../../../../search/titles/words.ts'
import { cachedLoader } from '../../../../../store/cache.ts'
import { agents } from '../../../../agents/agents/model/index.ts'
import { findProject } from '../../../../boards/projects/model/index.ts'
import { canSeeBoard, inTeam } from '../../../../identity/members/model/index.ts'
import { type ActorRow, actors } from '../../../../identity/people/model/index.ts'
import { members, ROLES } from '../../../../identity/teams/model/index.ts'
import type { QuickMatch } from './schema.ts'

type Person = Pick<ActorRow, 'actor_id' | 'kind' | 'agent_id' | 'name'>

/** The people and agents of a team. */
const namesOfTeam = cachedLoader<number, Named<Person>[]>({
  key: (team_id) => team_id,
  dependsOn: [actors, members, agents],
  async load(tx, ids) {
    const names = new Map<number, Named<Person>[]>()
    for (const team_id of ids)
      names.set(
        team_id,
        (await peopleOf(tx, team_id)).map((person) => toNamed(person, person.name)),
      )
    return names
  },
})

function peopleOf(tx: Tx, team_id: number): Promise<Person[]> {
  const { actor_id, kind, agent_id, name } = actors
  return tx.select({ actor_id, kind, agent_id, name }).from(actors).where(inTeam(tx, team_id))
}

/** People and agents of the caller's teams, or those who can see the given board. */
export async function personMatches(
  ctx: Context,
  query: string,
  project_id: number | undefined,
  limit: number,
): Promise<QuickMatch[]> {
  const project = project_id === undefined ? undefined : await findProject(ctx, project_id)
  const teams = project
    ? [project.team_id]
    : [...ctx.caller.teams].filter(([, role]) => ROLES[role].has('teams:read')).map(([id]) => id)
  const names = new Map<number, Named<Person>>()
  for (const team_id of teams)
    for (const named of (await namesOfTeam.get(ctx.tx, team_id)) ?? [])
      names.set(named.item.actor_id, named)
  const admitted = project && new Set(await actorIdsOf(ctx.tx, await canSeeBoard(ctx.tx, project)))
  const visible = [...names.values()].filter(({ item }) => admitted?.has(item.actor_id) ?? true)
  return matchNames(titleWords(query), visible, limit).map(({ item, score }) => ({
    kind: item.kind === 'agent' ? 'agent' : 'person',
    ...{ id: item.agent_id ?? item.actor_id, title: item.name, key: null },
    ...{ board: null, project_id: null, done: false, url: null, score },
  }))
}

async function actorIdsOf(tx: Tx, where: Awaited<ReturnType<typeof canSeeBoard>>) {
  const rows = await tx.select({ actor_id: actors.actor_id }).from(actors).where(where)
  return rows.map(({ actor_id }) => actor_id)
}
