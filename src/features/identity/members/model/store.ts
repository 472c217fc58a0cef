import { and, eq, inArray, or, type SQL } from 'drizzle-orm'
import type { Context, Role, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { agentsOfTeam } from '../../../agents/agents/model/index.ts'
import { type Project, projectMembers } from '../../../boards/projects/model/index.ts'
import { type ActorRow, actors, people } from '../../people/model/index.ts'
import { members } from '../../teams/model/index.ts'

type Board = Pick<Project, 'team_id' | 'project_id' | 'access'>

/** Selects the people who can see a board. The same rule as in `findProject`, per board. */
function peopleOnBoard(tx: Tx, { team_id, project_id, access }: Board): SQL {
  const invited = tx
    .select({ actor_id: projectMembers.actor_id })
    .from(projectMembers)
    .where(and(eq(projectMembers.team_id, team_id), eq(projectMembers.project_id, project_id)))
  const roles: Role[] = access === 'team' ? ['owner', 'admin', 'member'] : ['owner', 'admin']
  return inArray(
    actors.actor_id,
    tx
      .select({ actor_id: members.actor_id })
      .from(members)
      .where(
        and(
          eq(members.team_id, team_id),
          or(inArray(members.role, roles), inArray(members.actor_id, invited)),
        ),
      ),
  )
}

/**
 * Selects people who can see a board, and active agents whose owner can, unless excluded from it.
 */
export async function canSeeBoard(tx: Tx, project: Project): Promise<SQL> {
  const visible = peopleOnBoard(tx, project)
  const agents = await agentsOfTeam(tx, project.team_id, 'active')
  if (!agents.length) return visible
  const owners = await tx
    .select({ actor_id: actors.actor_id })
    .from(actors)
    .where(
      and(
        visible,
        inArray(
          actors.actor_id,
          agents.map(({ owner_id }) => owner_id),
        ),
      ),
    )
  const ownersWithAccess = new Set(owners.map(({ actor_id }) => actor_id))
  const admitted = agents
    .filter(({ owner_id }) => ownersWithAccess.has(owner_id))
    .filter(({ project_ids }) => project_ids?.includes(project.project_id) ?? true)
  const ids = admitted.map(({ actor_id }) => actor_id)
  return ids.length ? or(visible, inArray(actors.actor_id, ids))! : visible
}

export async function boardActors(
  { tx }: Pick<Context, 'tx'>,
  project: Project,
): Promise<ActorRow[]> {
  return tx
    .select()
    .from(actors)
    .where(await canSeeBoard(tx, project))
    .orderBy(actors.actor_id)
}

const selectBoardActor = prepared((tx) => {
  const board = { team_id: param('team_id'), project_id: param('project_id') }
  const byActor = (name: string, visible?: SQL) =>
    tx
      .select()
      .from(actors)
      .where(and(eq(actors.actor_id, param('actor_id')), visible))
      .prepare(`board_actor_${name}`)
  return {
    own: byActor('own'),
    team: byActor('team', peopleOnBoard(tx, { ...board, access: 'team' })),
    invited: byActor('invited', peopleOnBoard(tx, { ...board, access: 'invited' })),
  }
})

/** Finds an actor of the board by user_id, `me`, `self`, agent UUID, email or display name. */
export async function findBoardActor(
  ctx: Context,
  project: Project,
  ref: number | string,
  field: string,
): Promise<ActorRow> {
  const word = String(ref).trim()
  const isNumber = /^\d{1,9}$/.test(word)
  const isSelf = word === 'me' || word === 'self'
  if (isNumber || isSelf) {
    const { team_id, project_id, access } = project
    const params = { team_id, project_id, actor_id: isSelf ? ctx.caller.actor_id : Number(word) }
    const [actor] = await selectBoardActor(ctx.tx)[isSelf ? 'own' : access].execute(params)
    return actor ?? actorNotFound(project, ref, field)
  }
  const matches = await matchActors(ctx, project, word.toLowerCase())
  if (matches.length > 1) throw ambiguous(ref, field, matches)
  return matches[0] ?? actorNotFound(project, ref, field)
}

/** Compares names here, because the database ignores the case of ASCII letters only. */
async function matchActors(ctx: Context, project: Project, word: string): Promise<ActorRow[]> {
  const viewers = await boardActors(ctx, project)
  const exact = viewers.filter(({ agent_id }) => agent_id === word)
  if (exact.length) return exact
  const [person] = await ctx.tx.select().from(people).where(eq(people.email, word))
  return viewers.filter(
    ({ actor_id, name }) => actor_id === person?.actor_id || name.toLowerCase() === word,
  )
}

function actorNotFound({ title }: Project, ref: number | string, field: string): never {
  throw fault.invalid(
    field,
    'not_found',
    `${field} is not a member of the board "${title}": ${String(ref).slice(0, 200)}`,
    ref,
    'List the members: svc_projects members',
  )
}

function ambiguous(ref: number | string, field: string, matches: ActorRow[]) {
  const candidates = matches.map(({ kind, actor_id, agent_id, name }) =>
    kind === 'person' ? `${name} (user_id ${actor_id})` : `${name} (agent ${agent_id})`,
  )
  return fault.invalid(
    field,
    'ambiguous',
    `${field} matches several: ${candidates.join(', ')}`,
    ref,
    'Use the user_id of a person or the UUID of an agent',
  )
}

/** Adds a person to a board. Returns false if they were added before. */
export async function addToBoard(
  tx: Tx,
  { team_id, project_id }: Pick<Project, 'team_id' | 'project_id'>,
  actor_id: number,
  now: Date,
): Promise<boolean> {
  const added = await tx
    .insert(projectMembers)
    .values({ team_id, project_id, actor_id, added_at: now })
    .onConflictDoNothing()
    .returning({ actor_id: projectMembers.actor_id })
  return added.length > 0
}
