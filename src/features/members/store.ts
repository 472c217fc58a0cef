import { and, eq, inArray, or, type SQL } from 'drizzle-orm'
import type { Context, Role, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { param, prepared } from '../../store/prepared.ts'
import { agentsOfTeam } from '../agents/index.ts'
import { type ActorRow, actors, people } from '../people/index.ts'
import { type Project, projectMembers } from '../projects/index.ts'
import { members } from '../teams/index.ts'

type Board = Pick<Project, 'team_id' | 'project_id' | 'access'>

/** People who can see the board: the rule by which `findProject` lets them in, seen from here. */
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

/** People who can see the board, and active agents whose owner can and who are not kept from it. */
export async function onBoard(tx: Tx, project: Project): Promise<SQL> {
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
  const seeing = new Set(owners.map(({ actor_id }) => actor_id))
  const admitted = agents
    .filter(({ owner_id }) => seeing.has(owner_id))
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
    .where(await onBoard(tx, project))
    .orderBy(actors.actor_id)
}

const boardActor = prepared((tx) => {
  const here = { team_id: param('team_id'), project_id: param('project_id') }
  const where = (name: string, visible?: SQL) =>
    tx
      .select()
      .from(actors)
      .where(and(eq(actors.actor_id, param('actor_id')), visible))
      .prepare(`board_actor_${name}`)
  return {
    own: where('own'),
    team: where('team', peopleOnBoard(tx, { ...here, access: 'team' })),
    invited: where('invited', peopleOnBoard(tx, { ...here, access: 'invited' })),
  }
})

/** Somebody of the board by user_id, `me` or `self`, agent UUID, e-mail or display name. */
export async function findBoardActor(
  ctx: Context,
  project: Project,
  ref: number | string,
  field: string,
): Promise<ActorRow> {
  const word = String(ref).trim()
  const isNumber = /^\d{1,9}$/.test(word)
  const own = word === 'me' || word === 'self'
  if (isNumber || own) {
    const { team_id, project_id, access } = project
    const asked = { team_id, project_id, actor_id: own ? ctx.caller.actor_id : Number(word) }
    const [actor] = await boardActor(ctx.tx)[own ? 'own' : access].execute(asked)
    return actor ?? nobody(project, ref, field)
  }
  const matches = await named(ctx, project, word.toLowerCase())
  if (matches.length > 1) throw ambiguous(ref, field, matches)
  return matches[0] ?? nobody(project, ref, field)
}

/** Names are compared here and not by the database, which folds the case of ASCII alone. */
async function named(ctx: Context, project: Project, word: string): Promise<ActorRow[]> {
  const everybody = await boardActors(ctx, project)
  const exact = everybody.filter(({ agent_id }) => agent_id === word)
  if (exact.length) return exact
  const [holder] = await ctx.tx.select().from(people).where(eq(people.email, word))
  return everybody.filter(
    ({ actor_id, name }) => actor_id === holder?.actor_id || name.toLowerCase() === word,
  )
}

function nobody({ title }: Project, ref: number | string, field: string): never {
  throw fault.invalid(
    field,
    'not_found',
    `${field} names nobody who can see the board "${title}": ${String(ref).slice(0, 200)}`,
    ref,
    'List who can: svc_projects members',
  )
}

function ambiguous(ref: number | string, field: string, matches: ActorRow[]) {
  const candidates = matches.map(({ kind, actor_id, agent_id, name }) =>
    kind === 'person' ? `${name} (user_id ${actor_id})` : `${name} (agent ${agent_id})`,
  )
  return fault.invalid(
    field,
    'ambiguous',
    `${field} fits more than one: ${candidates.join(', ')}`,
    ref,
    'Name a person by user_id and an agent by its UUID',
  )
}

/** Being added again changes nothing. Answers whether it did. */
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
