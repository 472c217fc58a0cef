import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Caller, Context, Scope, Tx } from '../../kernel/caller.ts'
import { lacking } from '../../kernel/dispatch.ts'
import { fault } from '../../kernel/fault.ts'
import { manyWriters } from '../../store/columns.ts'
import { param, prepared } from '../../store/prepared.ts'
import { recall } from '../../store/recall.ts'
import { ROLES } from '../teams/index.ts'
import { projectMembers, projects } from './tables.ts'

export type Project = typeof projects.$inferSelect
type Seer = Pick<Context, 'tx' | 'caller'>

const statements = prepared((tx) => ({
  byId: tx
    .select()
    .from(projects)
    .where(eq(projects.project_id, param('project_id')))
    .prepare('project_by_id'),
  invited: tx
    .select({ project_id: projectMembers.project_id })
    .from(projectMembers)
    .where(
      and(
        eq(projectMembers.team_id, param('team_id')),
        eq(projectMembers.project_id, param('project_id')),
        eq(projectMembers.actor_id, param('actor_id')),
      ),
    )
    .prepare('project_invited'),
}))

const byId = recall<number, Project>({
  key: (project_id) => project_id,
  from: [[projects.project_id]],
  async load(tx, ids) {
    const rows: Project[] = []
    for (const project_id of ids) rows.push(...(await statements(tx).byId.execute({ project_id })))
    return new Map(rows.map((row) => [row.project_id, row]))
  },
})

/** The board, if the caller can see it and may do there what it asks. */
export async function findProject(
  ctx: Seer & Pick<Context, 'needs'>,
  project_id: number,
  field = 'project_id',
): Promise<Project> {
  const project = await seenProject(ctx, project_id)
  if (!project)
    throw fault.notFound(
      field,
      `There is no board ${project_id} that you can see`,
      project_id,
      'List your boards: svc_projects list, or GET /api/v1/projects',
    )
  allowOn(ctx, project)
  return project
}

/** The board, or nothing where even its existence is none of the caller's business. */
export async function seenProject(ctx: Seer, project_id: number): Promise<Project | undefined> {
  const project = await byId.one(ctx.tx, project_id)
  return project && (await sees(ctx, project)) ? project : undefined
}

async function sees({ tx, caller }: Seer, project: Project): Promise<boolean> {
  const { team_id, project_id } = project
  const role = caller.teams.get(team_id)
  if (!role || (caller.projects && !caller.projects.has(project_id))) return false
  if (role === 'owner' || role === 'admin') return true
  if (role === 'member' && project.access === 'team') return true
  return isInvited(tx, team_id, project_id, caller.person_id)
}

async function isInvited(tx: Tx, team_id: number, project_id: number, actor_id: number) {
  return (await statements(tx).invited.execute({ team_id, project_id, actor_id })).length > 0
}

/** Whoever opened a board may also manage it, by an agent of theirs too. */
function allowOn({ caller, needs }: Pick<Context, 'caller' | 'needs'>, project: Project) {
  const role = caller.teams.get(project.team_id)!
  if (ROLES[role].has(needs)) return
  if (needs === 'projects:manage' && isOwn(caller, project)) return
  throw lacking(needs, role)
}

const isOwn = ({ actor_id, person_id }: Caller, { created_by }: Project) =>
  created_by === actor_id || created_by === person_id

/** Whether somebody who sees a board may also archive it and say who else does. */
export function mayManage(caller: Caller, project: Project): boolean {
  const role = caller.teams.get(project.team_id)!
  const has = (scopes: ReadonlySet<Scope>) => scopes.has('projects:manage')
  return has(caller.scopes) && (has(ROLES[role]) || isOwn(caller, project))
}

/** The same rule as `sees`, for lists over several boards. */
export function visibleProjects({ tx, caller }: Pick<Context, 'tx' | 'caller'>): SQL | undefined {
  const held = (roles: string[]) =>
    [...caller.teams].filter(([, role]) => roles.includes(role)).map(([team_id]) => team_id)
  const invited = tx
    .select({ project_id: projectMembers.project_id })
    .from(projectMembers)
    .where(
      and(
        eq(projectMembers.actor_id, caller.person_id),
        inArray(projectMembers.team_id, [...caller.teams.keys()]),
      ),
    )
  return and(
    or(
      inArray(projects.team_id, held(['owner', 'admin'])),
      and(inArray(projects.team_id, held(['member'])), eq(projects.access, 'team')),
      inArray(projects.project_id, invited),
    ),
    caller.projects ? inArray(projects.project_id, [...caller.projects]) : undefined,
  )
}

/** The next ticket number of a board. Writers queue for the row, so numbers have no gaps. */
export async function takeNumber(tx: Tx, project_id: number): Promise<number> {
  const [row] = await numbers(tx).execute({ project_id })
  return row!.next_number - 1
}

const numbers = prepared((tx) =>
  tx
    .update(projects)
    .set({ next_number: sql`${projects.next_number} + 1` })
    .where(eq(projects.project_id, param('project_id')))
    .returning({ next_number: projects.next_number })
    .prepare('project_number'),
)

/** A board and its team, as the place of a change. */
export const placeOf = ({ team_id, project_id }: { team_id: number; project_id: number }) => ({
  team_id,
  project_id,
})

/** Where people look at a board. */
export const urlOf = (
  { server }: Pick<Context, 'server'>,
  { project_id }: { project_id: number },
) => `${server.url}/projects/${project_id}`

/** Writers that compare or order what a board holds queue for the board's own row. */
export async function holdProject(tx: Tx, { project_id }: Project): Promise<void> {
  if (!manyWriters) return
  await tx
    .update(projects)
    .set({ updated_at: sql`${projects.updated_at}` })
    .where(eq(projects.project_id, project_id))
}

/**
 * Marks the board as changed. Its row stays locked until the transaction ends, so that checks made
 * after this (a free title, the next place) still hold when they are acted on.
 */
export async function touchProject(tx: Tx, { project_id }: { project_id: number }, now: Date) {
  await touches(tx).execute({ project_id, now })
}

const touches = prepared((tx) =>
  tx
    .update(projects)
    .set({ updated_at: param('now') })
    .where(eq(projects.project_id, param('project_id')))
    .prepare('project_touch'),
)
