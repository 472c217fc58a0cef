import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { findTeam, TeamRef } from '../../../identity/teams/model/index.ts'
import { ProjectRow, Status } from '../model/schema.ts'
import { mayManage, type Project, urlOf, visibleProjects } from '../model/store.ts'
import { projects, projectUses } from '../model/tables.ts'

export const list = operation({
  name: 'projects.list',
  summary: 'Boards you can see',
  needs: 'projects:read',
  dependsOn: ['project', 'member', 'profile', 'agent'],
  on: {
    rest: 'GET /api/v1/projects',
    mcp: 'svc_projects.list',
    cli: { usage: 'projects list', example: '--sort title' },
    chat: true,
  },
  input: listInput(
    {
      status: t.Optional(Status),
      team_id: t.Optional(TeamRef),
    },
    ['title', 'createdAt', 'updatedAt', 'lastUsedAt'],
  ),
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
        matchesSearch(input, [projects.title, projects.key, projects.description]),
      ),
      sorts: {
        title: { key: projects.title },
        createdAt: { key: projects.created_at },
        updatedAt: { key: projects.updated_at },
        lastUsedAt: lastUse(ctx),
      },
      id: 'project_id',
    })
    const uses = await lastUses(
      ctx,
      rows.map(({ project_id }) => project_id),
    )
    return { items: rows.map((row) => toRow(ctx, row as Project, uses.get(row.project_id))), page }
  },
})

/** Sorts by the caller's own last change on a board; boards without one come last. */
function lastUse({ caller }: Context) {
  const used = sql`(select ${projectUses.last_used_at} from ${projectUses} where ${projectUses.project_id} = ${projects.project_id} and ${projectUses.actor_id} = ${caller.actor_id})`
  return {
    key: used,
    emptyLast: { none: sql`${used} is null`, some: sql`${used} is not null` },
    valueColumn: projectUses.last_used_at,
  }
}

async function lastUses({ tx, caller }: Context, ids: number[]) {
  const isMine = and(
    eq(projectUses.actor_id, caller.actor_id),
    inArray(projectUses.project_id, ids),
  )
  const rows = ids.length ? await tx.select().from(projectUses).where(isMine) : []
  return new Map(rows.map((row) => [row.project_id, row.last_used_at]))
}

/** Converts a board to its output form in lists. */
export async function toProjectRow(ctx: Context, project: Project): Promise<ProjectRow> {
  const uses = await lastUses(ctx, [project.project_id])
  return toRow(ctx, project, uses.get(project.project_id))
}

function toRow(ctx: Context, row: Project, lastUsedAt: Date | undefined): ProjectRow {
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
    last_used_at: lastUsedAt?.toISOString() ?? null,
    may_manage: mayManage(ctx.caller, row as Project),
    url: urlOf(ctx, row),
  }
}
