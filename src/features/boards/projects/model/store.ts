import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Caller, Context, Scope, Tx } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { cachedLoader } from '../../../../store/cache.ts'
import { hasConcurrentWriters } from '../../../../store/columns.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { ROLES } from '../../../identity/teams/model/index.ts'
import { projectMembers, projects } from './tables.ts'

export type Project = typeof projects.$inferSelect
type VisibilityContext = Pick<Context, 'tx' | 'caller'>

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

const projectCache = cachedLoader<number, Project>({
  key: (project_id) => project_id,
  dependsOn: [[projects.project_id]],
  async load(tx, ids) {
    const rows: Project[] = []
    for (const project_id of ids) rows.push(...(await statements(tx).byId.execute({ project_id })))
    return new Map(rows.map((row) => [row.project_id, row]))
  },
})

/** A board, also if the caller cannot see it. */
export const projectById = (tx: Tx, project_id: number) => projectCache.get(tx, project_id)

/**
 * Finds a board. Throws not_found if the caller cannot see it, and refuses callers without the
 * scope that the operation needs.
 */
export async function findProject(
  ctx: VisibilityContext & Pick<Context, 'needs'>,
  project_id: number,
  field = 'project_id',
): Promise<Project> {
  const project = await findVisibleProject(ctx, project_id)
  if (!project)
    throw fault.notFound(
      field,
      `There is no board ${project_id} that you can see`,
      project_id,
      'List your boards: svc_projects list, or GET /api/v1/projects',
    )
  checkPermission(ctx, project)
  return project
}

/** The board; undefined if the caller cannot see it. */
export async function findVisibleProject(
  ctx: VisibilityContext,
  project_id: number,
): Promise<Project | undefined> {
  const project = await projectCache.get(ctx.tx, project_id)
  return project && (await canSee(ctx, project)) ? project : undefined
}

async function canSee({ tx, caller }: VisibilityContext, project: Project): Promise<boolean> {
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

/** The creator of a board may also manage it, and so may their agents. */
function checkPermission({ caller, needs }: Pick<Context, 'caller' | 'needs'>, project: Project) {
  const role = caller.teams.get(project.team_id)!
  if (ROLES[role].has(needs)) return
  if (needs === 'projects:manage' && isCreator(caller, project)) return
  throw missingScope(needs, role)
}

const isCreator = ({ actor_id, person_id }: Caller, { created_by }: Project) =>
  created_by === actor_id || created_by === person_id

/** Whether a caller who sees the board may archive it and change its access. */
export function mayManage(caller: Caller, project: Project): boolean {
  const role = caller.teams.get(project.team_id)!
  const has = (scopes: ReadonlySet<Scope>) => scopes.has('projects:manage')
  return has(caller.scopes) && (has(ROLES[role]) || isCreator(caller, project))
}

/** The rule of `canSee` as a SQL condition, for queries over several boards. */
export function visibleProjects({ tx, caller }: Pick<Context, 'tx' | 'caller'>): SQL | undefined {
  const teamsWithRole = (roles: string[]) =>
    [...caller.teams].filter(([, role]) => roles.includes(role)).map(([team_id]) => team_id)
  const invited = tx
    .select({ project_id: projectMembers.project_id })
    .from(projectMembers)
    .where(
      and(
        eq(projectMembers.actor_id, caller.person_id),
        // Without the plus, SQLite would read all members of all boards of these teams.
        inArray(sql`+${projectMembers.team_id}`, [...caller.teams.keys()]),
      ),
    )
  return and(
    // The other conditions imply this one, which an index serves.
    inArray(projects.team_id, [...caller.teams.keys()]),
    or(
      inArray(projects.team_id, teamsWithRole(['owner', 'admin'])),
      and(inArray(projects.team_id, teamsWithRole(['member'])), eq(projects.access, 'team')),
      inArray(projects.project_id, invited),
    ),
    caller.projects ? inArray(projects.project_id, [...caller.projects]) : undefined,
  )
}

/** Takes the next ticket number of a board. The update locks the row, so numbers have no gaps. */
export async function nextTicketNumber(tx: Tx, project_id: number): Promise<number> {
  const [row] = await incrementNumber(tx).execute({ project_id })
  return row!.next_number - 1
}

const incrementNumber = prepared((tx) =>
  tx
    .update(projects)
    .set({ next_number: sql`${projects.next_number} + 1` })
    .where(eq(projects.project_id, param('project_id')))
    .returning({ next_number: projects.next_number })
    .prepare('project_number'),
)

/** The board and the team of an emitted change. */
export const placeOf = ({ team_id, project_id }: { team_id: number; project_id: number }) => ({
  team_id,
  project_id,
})

/** The URL of a board in the app. */
export const urlOf = (
  { server }: Pick<Context, 'server'>,
  { project_id }: { project_id: number },
) => `${server.url}/projects/${project_id}`

/**
 * Locks the board's row, for writers that compare or order its content. A database with a single
 * writer needs no lock.
 */
export async function lockProject(tx: Tx, { project_id }: Project): Promise<void> {
  if (!hasConcurrentWriters) return
  await tx
    .update(projects)
    .set({ updated_at: sql`${projects.updated_at}` })
    .where(eq(projects.project_id, project_id))
}

/**
 * Marks the board as changed. Its row stays locked until the transaction ends, so that later checks
 * (a unique title, the next position) still hold at commit.
 */
export async function touchProject(tx: Tx, { project_id }: { project_id: number }, now: Date) {
  await updateTouched(tx).execute({ project_id, now })
}

const updateTouched = prepared((tx) =>
  tx
    .update(projects)
    .set({ updated_at: param('now') })
    .where(eq(projects.project_id, param('project_id')))
    .prepare('project_touch'),
)
