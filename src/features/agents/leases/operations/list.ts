import { type Static, Type as t } from '@sinclair/typebox'
import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { ProjectId, projects, visibleProjects } from '../../../boards/projects/model/index.ts'
import { Actor, actorsOf, asActor, Timestamp } from '../../../identity/people/model/index.ts'
import { findTeam, TeamRef } from '../../../identity/teams/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { leases } from '../model/tables.ts'

const LeaseRow = t.Object({
  task_id: t.Integer(),
  ticket_number: t.String(),
  title: t.String(),
  project_id: ProjectId,
  holder: Actor,
  expires_at: Timestamp,
})

export const list = operation({
  name: 'leases.list',
  summary: 'Tasks of a team that are claimed now, with their holders',
  needs: 'tasks:read',
  dependsOn: ['lease', 'member'],
  on: { rest: 'GET /api/v1/leases', cli: { usage: 'leases list [team_id]', example: '' } },
  input: listInput({ team_id: TeamRef }, ['title', 'createdAt']),
  output: listOf(LeaseRow),
  async run({ team_id: team, ...paging }, ctx) {
    const { team_id } = await findTeam(ctx, team)
    const { task_id, ticket_number, title, project_id } = tasks
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `leases ${team_id}`,
      from: tasks,
      columns: { task_id, ticket_number, title, project_id },
      where: and(
        inArray(task_id, liveLeases(ctx, team_id)),
        inArray(project_id, visibleProjectIds(ctx)),
        eq(tasks.status, 'Normal'),
        matchesSearch(paging, [title, ticket_number]),
      ),
      sorts: { title: { key: title }, createdAt: { key: tasks.created_at } },
      id: 'task_id',
    })
    return { items: await withHolders(ctx, rows), page }
  },
})

const liveLeases = ({ tx, now }: Context, team_id: number) =>
  tx
    .select({ task_id: leases.task_id })
    .from(leases)
    .where(and(eq(leases.team_id, team_id), isNull(leases.ended_at), gt(leases.expires_at, now)))

const visibleProjectIds = (ctx: Context) =>
  ctx.tx.select({ project_id: projects.project_id }).from(projects).where(visibleProjects(ctx))

type Row = Pick<Static<typeof LeaseRow>, 'task_id' | 'ticket_number' | 'title' | 'project_id'>

async function withHolders({ tx }: Context, rows: readonly Row[]) {
  const ids = rows.map(({ task_id }) => task_id)
  const leaseRows = await tx.select().from(leases).where(inArray(leases.task_id, ids))
  const byTask = new Map(leaseRows.map((lease) => [lease.task_id, lease]))
  const holders = await actorsOf(
    tx,
    leaseRows.map(({ holder_id }) => holder_id),
  )
  return rows.map((row) => {
    const { holder_id, expires_at } = byTask.get(row.task_id)!
    return {
      ...row,
      holder: asActor(holders.get(holder_id)!),
      expires_at: expires_at.toISOString(),
    }
  })
}
