import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { listing, listOf } from '../../kernel/list.ts'
import { operation } from '../../kernel/operation.ts'
import { pageOf } from '../../store/page.ts'
import { matching } from '../../store/text.ts'
import { findTeam, TeamRef } from '../teams/index.ts'
import { nameOf } from './names.ts'
import {
  AutoArchiveDays,
  ProjectId,
  ProjectReceipt,
  ProjectRow,
  ProjectTitle,
  Status,
} from './schema.ts'
import { findProject, type Project, placeOf, urlOf, visibleProjects } from './store.ts'
import { projects, projectUses } from './tables.ts'

export const list = operation({
  name: 'projects.list',
  summary: 'Boards you can see',
  needs: 'projects:read',
  on: {
    rest: 'GET /api/v1/projects',
    mcp: 'svc_projects.list',
    cli: 'projects list',
    chat: true,
  },
  input: listing({
    status: t.Optional(Status),
    team_id: t.Optional(TeamRef),
  }),
  output: listOf(ProjectRow),
  async run(input, ctx) {
    const team = input.team_id === undefined ? undefined : await findTeam(ctx, input.team_id)
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: 'projects',
      from: projects,
      columns: getTableColumns(projects),
      where: and(
        visibleProjects(ctx),
        eq(projects.status, input.status ?? 'Normal'),
        team && eq(projects.team_id, team.team_id),
        matching(input, [projects.title, projects.key, projects.description]),
      ),
      sorts: {
        title: { key: projects.title },
        createdAt: { key: projects.created_at },
        updatedAt: { key: projects.updated_at },
        lastUsedAt: lastUse(ctx),
      },
      id: 'project_id',
    })
    const uses = await usesOf(
      ctx,
      rows.map(({ project_id }) => project_id),
    )
    return { items: rows.map((row) => shown(ctx, row as Project, uses.get(row.project_id))), page }
  },
})

export const rename = operation({
  name: 'projects.rename',
  summary: 'Give a board another title; its key stays',
  needs: 'projects:write',
  on: {
    rest: 'POST /api/v1/projects/:project_id/rename',
    mcp: 'svc_projects.rename',
    cli: 'projects rename <project_id> <title>',
    chat: true,
  },
  input: t.Object({ project_id: ProjectId, title: ProjectTitle }),
  output: ProjectReceipt,
  async run({ project_id, title: given }, ctx) {
    const project = await findProject(ctx, project_id)
    const title = nameOf('title', given)
    if (title === project.title) return receipt(ctx, project, [])
    return receipt(ctx, await renamed(ctx, project, title), ['title'])
  },
})

export const update = operation({
  name: 'projects.update',
  summary: 'Change the title or the settings of a board',
  needs: 'projects:write',
  on: {
    rest: 'PATCH /api/v1/projects/:project_id',
    cli: 'projects update <project_id>',
    chat: true,
  },
  input: t.Object({
    project_id: ProjectId,
    title: t.Optional(ProjectTitle),
    auto_archive_days: t.Optional(AutoArchiveDays),
  }),
  output: ProjectReceipt,
  async run({ project_id, title: given, auto_archive_days: days }, ctx) {
    let project = await findProject(ctx, project_id)
    const changed: string[] = []
    const title = given === undefined ? project.title : nameOf('title', given)
    if (title !== project.title) {
      project = await renamed(ctx, project, title)
      changed.push('title')
    }
    if (days !== undefined && days !== project.auto_archive_days) {
      project = await archivingAfter(ctx, project, days)
      changed.push('auto_archive_days')
    }
    return receipt(ctx, project, changed)
  },
})

export const archive = operation({
  name: 'projects.archive',
  summary: 'Hide a board without deleting it, or show it again (status Normal)',
  needs: 'projects:manage',
  on: {
    rest: 'POST /api/v1/projects/:project_id/archive',
    mcp: 'svc_projects.archive',
    cli: 'projects archive <project_id>',
    chat: true,
  },
  input: t.Object({
    project_id: ProjectId,
    status: t.Optional(t.Union(Status.anyOf, { description: 'Archive, unless told' })),
  }),
  output: ProjectReceipt,
  async run({ project_id, status = 'Archive' }, ctx) {
    const project = await findProject(ctx, project_id)
    if (status === project.status) return receipt(ctx, project, [])
    const changed = await change(ctx, project, { status })
    const type = status === 'Archive' ? 'project.archived' : 'project.unarchived'
    ctx.emit(type, placeOf(project), { title: project.title })
    return receipt(ctx, changed, ['status'])
  },
})

async function renamed(ctx: Context, project: Project, title: string): Promise<Project> {
  ctx.emit('project.renamed', placeOf(project), { title, before: project.title })
  return change(ctx, project, { title })
}

async function archivingAfter(ctx: Context, project: Project, auto_archive_days: number | null) {
  ctx.emit('project.updated', placeOf(project), {
    ...{ title: project.title, changed: ['auto_archive_days'] },
    before: { auto_archive_days: project.auto_archive_days },
    after: { auto_archive_days },
  })
  return change(ctx, project, { auto_archive_days })
}

async function change({ tx, now }: Context, { project_id }: Project, to: Partial<Project>) {
  const [project] = await tx
    .update(projects)
    .set({ ...to, updated_at: now })
    .where(eq(projects.project_id, project_id))
    .returning()
  return project!
}

const receipt = (ctx: Context, project: Project, changed: string[]) => ({
  project_id: project.project_id,
  key: project.key,
  title: project.title,
  status: project.status,
  changed,
  url: urlOf(ctx, project),
})

/** Each person's own last change on a board; boards never used come last. */
function lastUse({ caller }: Context) {
  const used = sql`(select ${projectUses.last_used_at} from ${projectUses} where ${projectUses.project_id} = ${projects.project_id} and ${projectUses.actor_id} = ${caller.actor_id})`
  return {
    key: used,
    last: { none: sql`${used} is null`, some: sql`${used} is not null` },
    like: projectUses.last_used_at,
  }
}

async function usesOf({ tx, caller }: Context, ids: number[]) {
  const mine = and(eq(projectUses.actor_id, caller.actor_id), inArray(projectUses.project_id, ids))
  const rows = ids.length ? await tx.select().from(projectUses).where(mine) : []
  return new Map(rows.map((row) => [row.project_id, row.last_used_at]))
}

/** One board as lists show it. */
export async function shownProject(ctx: Context, project: Project): Promise<ProjectRow> {
  const uses = await usesOf(ctx, [project.project_id])
  return shown(ctx, project, uses.get(project.project_id))
}

function shown(ctx: Context, row: Project, used: Date | undefined): ProjectRow {
  return {
    project_id: row.project_id,
    key: row.key,
    title: row.title,
    description: row.description,
    team_id: row.team_id,
    access: row.access,
    status: row.status,
    auto_archive_days: row.auto_archive_days,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    last_used_at: used?.toISOString() ?? null,
    url: urlOf(ctx, row),
  }
}
