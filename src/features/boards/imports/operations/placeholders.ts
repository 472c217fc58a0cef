import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, isNull } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { actorsOf, UserId } from '../../../identity/people/model/index.ts'
import { findTeam, roleOf, TeamRef } from '../../../identity/teams/model/index.ts'
import { findPlaceholder } from '../model/people.ts'
import { replaceInImports, replaceInNextRows } from '../model/replace-placeholder.ts'
import { placeholders } from '../model/tables.ts'
import { requireAdmin } from './imports.ts'

const Placeholder = t.Object({
  user_id: UserId,
  name: t.String(),
  email: t.Union([t.String(), t.Null()]),
})

export const list = operation({
  name: 'placeholders.list',
  summary: 'People of imported tasks who are not members; for owners and admins',
  needs: 'teams:read',
  dependsOn: ['import', 'member'],
  on: {
    rest: 'GET /api/v1/placeholders',
    cli: { usage: 'placeholders list', example: '' },
  },
  input: listInput({ team_id: TeamRef }, ['createdAt']),
  output: listOf(Placeholder),
  async run({ team_id: ref, ...paging }, ctx) {
    const { team_id } = await findTeam(ctx, ref)
    requireAdmin(ctx, team_id)
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `placeholders ${team_id}`,
      from: placeholders,
      columns: getTableColumns(placeholders),
      where: and(
        eq(placeholders.team_id, team_id),
        isNull(placeholders.replaced_by),
        matchesSearch(paging, [placeholders.email]),
      ),
      sorts: { createdAt: { key: placeholders.created_at } },
      id: 'actor_id',
    })
    const found = rows as (typeof placeholders.$inferSelect)[]
    const people = await actorsOf(
      ctx.tx,
      found.map(({ actor_id }) => actor_id),
    )
    const items = found.map(({ actor_id: user_id, email }) => ({
      ...{ user_id, name: people.get(user_id)!.name, email },
    }))
    return { items, page }
  },
})

export const assign = operation({
  name: 'placeholders.assign',
  summary: 'Make a member the author and assignee of what a placeholder stands for',
  needs: 'teams:manage',
  destroys: true,
  on: {
    rest: 'POST /api/v1/placeholders/:user_id/assign',
    cli: { usage: 'placeholders assign <user_id>', example: '900 --to-user-id Cleo' },
  },
  input: t.Object({ team_id: TeamRef, user_id: UserId, to_user_id: UserId }),
  output: t.Object({ user_id: UserId, to_user_id: UserId, replaced_rows: t.Integer() }),
  steps: {
    async hasMore({ user_id }, { tx }) {
      const own = eq(placeholders.actor_id, user_id)
      const [row] = await tx.select().from(placeholders).where(own)
      return row !== undefined && !isReplaced(row)
    },
    async runStep(input, ctx) {
      const placeholder = await findBoth(ctx, input)
      if (placeholder.replaced_by === null)
        await replaceInImports(ctx.tx, placeholder, input.to_user_id)
      return replaceInNextRows(ctx, placeholder, input.to_user_id)
    },
  },
  async run(input, ctx, _, replaced_rows = 0) {
    const { user_id, to_user_id } = input
    const { team_id } = await findBoth(ctx, input)
    ctx.emit('import.person_replaced', { team_id }, { user_id, to_user_id })
    // Lists show the names of people, so they are read again.
    ctx.emit('profile.updated', { team_id }, { user_id: to_user_id })
    return { user_id, to_user_id, replaced_rows }
  },
})

const isReplaced = ({ replaced_by, progress }: typeof placeholders.$inferSelect) =>
  replaced_by !== null && progress === null

interface Input {
  team_id: number | string
  user_id: number
  to_user_id: number
}

/** Loads the placeholder, and refuses an unknown member and a second replacement. */
async function findBoth(ctx: Context, { team_id: ref, user_id, to_user_id }: Input) {
  const { team_id } = await findTeam(ctx, ref)
  const placeholder = await findPlaceholder(ctx.tx, team_id, user_id)
  if (!placeholder)
    throw fault.notFound(
      'user_id',
      `There is no placeholder ${user_id} in this team`,
      user_id,
      'List them: GET /api/v1/placeholders',
    )
  if (!(await roleOf(ctx.tx, team_id, to_user_id)))
    throw fault.notFound(
      'to_user_id',
      `There is no member ${to_user_id} in this team`,
      to_user_id,
      'List its members: GET /api/v1/teams/{team_id}/members',
    )
  if (placeholder.replaced_by !== null && placeholder.replaced_by !== to_user_id)
    throw fault.conflict(
      'Another member has replaced this placeholder already',
      { field: 'user_id', value: user_id, replaced_by: placeholder.replaced_by },
      'Assign the tasks of that member instead',
    )
  return placeholder
}
