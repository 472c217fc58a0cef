import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, gte, lt, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf, type Paging } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { AUDITED } from '../../../../store/audit.ts'
import { pageOf, type Row } from '../../../../store/page.ts'
import { audit } from '../../../../store/tables.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { normalizeDate } from '../../../time/dates/model/index.ts'
import { type Actor, actorsOf, asActor, UserId } from '../../people/model/index.ts'
import { findTeam, TeamRef } from '../../teams/model/index.ts'
import { type EntryDetails, parseEntry } from '../model/rules.ts'
import { AuditRow, Moment } from '../model/schema.ts'

const filters = {
  user_id: t.Optional({ ...UserId, description: 'Only actions of this person' }),
  since: t.Optional(Moment),
  until: t.Optional({ ...Moment, description: 'Only entries before this moment' }),
}

export const listTeamAudit = operation({
  name: 'audit.list',
  summary: 'Changes to the access to a team and to the guidance of its agents',
  needs: 'teams:manage',
  dependsOn: AUDITED,
  on: {
    rest: 'GET /api/v1/teams/:team_id/audit',
    cli: { usage: 'audit list [team_id]', example: '' },
  },
  input: listInput({ ...filters, team_id: TeamRef }, ['createdAt']),
  output: listOf(AuditRow),
  async run(input, ctx) {
    const { team_id } = await findTeam(ctx, input.team_id)
    return listEntries(ctx, input, `audit of team ${team_id}`, eq(audit.team_id, team_id))
  },
})

export const listOwnAudit = operation({
  name: 'audit.own',
  summary: 'Changes to your credentials, agents and memberships',
  needs: 'keys:read',
  dependsOn: AUDITED,
  on: { rest: 'GET /api/v1/audit', cli: { usage: 'audit own', example: '--limit 5' } },
  input: listInput(filters, ['createdAt']),
  output: listOf(AuditRow),
  run: async (input, ctx) =>
    listEntries(ctx, input, 'audit of oneself', eq(audit.subject_id, ctx.caller.actor_id)),
})

type Entry = Row<ReturnType<typeof getTableColumns<typeof audit>>>

type AuditQuery = Paging & { user_id?: number; since?: string; until?: string }

async function listEntries(ctx: Context, input: AuditQuery, name: string, where: SQL) {
  const { user_id, since, until } = input
  const { rows, page } = await pageOf(ctx.tx, input, {
    name,
    from: audit,
    columns: getTableColumns(audit),
    where: and(
      where,
      user_id === undefined ? undefined : eq(audit.actor_id, user_id),
      since === undefined ? undefined : gte(audit.created_at, parseMoment(since, 'since')),
      until === undefined ? undefined : lt(audit.created_at, parseMoment(until, 'until')),
      matchesSearch(input, [audit.type]),
    ),
    sorts: { createdAt: { key: audit.created_at } },
    id: 'audit_id',
  })
  const entries = rows.map((row) => ({ row, ...parseEntry(row.type, row.data) }))
  const actors = await actorsOf(ctx.tx, entries.flatMap(actorIdsIn))
  return { items: entries.map((entry) => toAuditRow(entry, actors)), page }
}

function parseMoment(text: string, field: string): Date {
  const date = normalizeDate(text, 'UTC')
  if (date !== undefined) return new Date(date)
  throw fault.invalid(
    field,
    'invalid_format',
    `${field} is not a valid date or time: ${text}`,
    text,
    'Write it as 2026-01-31 or 2026-01-31T09:30:00Z',
  )
}

type ParsedEntry = EntryDetails & { row: Entry }
type Actors = Awaited<ReturnType<typeof actorsOf>>

const actorIdsIn = ({ row, on }: ParsedEntry): number[] => [
  row.actor_id,
  ...(on && 'user_id' in on ? [on.user_id] : []),
]

function toAuditRow({ row, on, changed, details }: ParsedEntry, actors: Actors) {
  return {
    audit_id: row.audit_id,
    created_at: row.created_at.toISOString(),
    type: row.type,
    team_id: row.team_id,
    project_id: row.project_id,
    actor: asActor(actors.get(row.actor_id)!),
    credential: row.credential?.startsWith('operator') ? 'operator' : row.credential,
    address: row.address,
    on: targetActor(on, actors),
    changed,
    details,
  } satisfies AuditRow
}

function targetActor(on: EntryDetails['on'], actors: Actors): Actor | null {
  if (!on) return null
  if ('agent_id' in on) return { kind: 'agent', ...on }
  const person = actors.get(on.user_id)
  return person ? asActor(person) : null
}
