import { and, asc, eq } from 'drizzle-orm'
import { customFields } from '../features/custom_fields/index.ts'
import { labelsOf } from '../features/labels/index.ts'
import { type Project, projectMembers, projects } from '../features/projects/index.ts'
import { reports } from '../features/reports/index.ts'
import { sectionsOf } from '../features/sections/index.ts'
import { members, type Team } from '../features/teams/index.ts'
import type { Tx } from '../kernel/caller.ts'
import type { FileStore } from '../kernel/outside.ts'
import { filesOf } from './files.ts'
import type { Line } from './lines.ts'
import { myViewsOf } from './my-views.ts'
import { type Cast, castOf, order } from './names.ts'
import { skillsOf, templatesOf } from './plans.ts'
import { FORMAT, type Kind, type RecordOf, VERSION } from './schema.ts'
import { relationsOf, tasksOf } from './work.ts'

const record = <K extends Kind>(kind: K, made: RecordOf<K>): Line => ({ [kind]: made })
const iso = (date: Date) => date.toISOString()

/**
 * A team as lines, everything in an order that does not depend on when or where it was made: two
 * exports of the same content are the same to the byte.
 */
export async function* exportTeam(
  { tx, files, now = new Date() }: { tx: Tx; files: FileStore; now?: Date },
  team: Team,
  told: (tasks: number) => void,
): AsyncGenerator<Line> {
  const { team_id, team_uuid, name, created_at } = team
  yield { format: FORMAT, version: VERSION }
  yield record('team', { team_uuid, name, created_at: iso(created_at) })
  const boards = await tx.select().from(projects).where(eq(projects.team_id, team_id))
  boards.sort((a, b) => order(a.key, b.key))
  const cast = await castOf(tx, team_id)
  yield* peopleOf(tx, team_id, cast, boards)
  yield* agentsOf(cast, boards)
  for (const board of boards) yield record('board', await boardOf(tx, board, cast))
  for (const board of boards)
    for (const report of await reportsOf(tx, board, cast)) yield record('report', report)
  for (const board of boards)
    for (const template of await templatesOf(tx, board, cast)) yield record('template', template)
  for (const board of boards)
    for (const skill of await skillsOf(tx, board, cast)) yield record('skill', skill)
  let done = 0
  for (const board of boards)
    for await (const line of tasksOf(tx, board, cast, now)) {
      yield line
      if (line.task) told(++done)
    }
  yield* relationsOf(tx, team_id, cast)
  for (const view of await myViewsOf(tx, team_id, boards, cast)) yield record('my_view', view)
  for await (const file of filesOf(tx, files, team_id)) yield record('file', file)
}

async function* peopleOf(tx: Tx, team_id: number, cast: Cast, boards: Project[]) {
  const rows = await tx.select().from(members).where(eq(members.team_id, team_id))
  const roles = new Map(rows.map((row) => [row.actor_id, row]))
  for (const { actor_id, email, name, avatar, time_zone, locale, ...rest } of cast.people) {
    const { default_project_id, created_at } = rest
    const member = roles.get(actor_id)
    const board = boards.find(({ project_id }) => project_id === default_project_id)
    yield record('person', {
      ...{ email, name, avatar, time_zone, locale },
      default_board: board?.key ?? null,
      created_at: iso(created_at),
      role: member?.role ?? null,
      joined_at: member ? iso(member.joined_at) : null,
    })
  }
}

function* agentsOf(cast: Cast, boards: Project[]) {
  const keys = new Map(boards.map(({ project_id, key }) => [project_id, key]))
  for (const { agent_id, name, avatar, kind, state, scopes, ...rest } of cast.agents)
    yield record('agent', {
      ...{ agent_id, name, avatar },
      owner: cast.of(rest.owner_id),
      ...{ kind, state, scopes },
      boards: rest.project_ids?.flatMap((id) => keys.get(id) ?? []).sort(order) ?? null,
      instructions: rest.instructions,
      created_at: iso(rest.created_at),
    })
}

async function boardOf(tx: Tx, board: Project, cast: Cast): Promise<RecordOf<'board'>> {
  const { team_id: _, project_id, created_by, created_at, updated_at, ...rest } = board
  return {
    ...rest,
    created_by: cast.of(created_by),
    created_at: iso(created_at),
    updated_at: iso(updated_at),
    sections: (await sectionsOf(tx, board)).map(
      ({ section_id: _, team_id: __, project_id: ___, auto_assign, created_at, ...section }) => ({
        ...section,
        auto_assign: auto_assign === null ? null : cast.of(auto_assign),
        created_at: iso(created_at),
      }),
    ),
    labels: (await labelsOf(tx, board)).map(({ name, color, created_at }) => ({
      ...{ name, color },
      created_at: iso(created_at),
    })),
    fields: await fieldsOf(tx, board, cast),
    members: await invited(tx, project_id, cast),
  }
}

async function invited(tx: Tx, project_id: number, cast: Cast) {
  const rows = await tx
    .select()
    .from(projectMembers)
    .where(eq(projectMembers.project_id, project_id))
    .orderBy(asc(projectMembers.actor_id))
  return rows
    .map(({ actor_id, added_at }) => ({ who: cast.of(actor_id), added_at: iso(added_at) }))
    .sort((a, b) => order(a.who, b.who))
}

async function fieldsOf(tx: Tx, { team_id, project_id }: Project, cast: Cast) {
  const rows = await tx
    .select()
    .from(customFields)
    .where(and(eq(customFields.team_id, team_id), eq(customFields.project_id, project_id)))
    .orderBy(asc(customFields.custom_field_id))
  return rows.map(({ field_id, name, type, options, created_by, created_at }) => ({
    ...{ field_id, name, type, options },
    created_by: cast.of(created_by),
    created_at: iso(created_at),
  }))
}

async function reportsOf(tx: Tx, { team_id, project_id, key }: Project, cast: Cast) {
  const rows = await tx
    .select()
    .from(reports)
    .where(and(eq(reports.team_id, team_id), eq(reports.project_id, project_id)))
    .orderBy(asc(reports.slug))
  return rows.map(({ title, slug, description, body_html, ...rest }) => ({
    ...{ board: key, title, slug, description, body_html },
    created_by: cast.of(rest.created_by),
    created_at: iso(rest.created_at),
    updated_at: iso(rest.updated_at),
  }))
}
