import { and, asc, eq } from 'drizzle-orm'
import { customFields } from '../../features/custom_fields/index.ts'
import { labelsOf } from '../../features/labels/index.ts'
import { type Project, projectMembers, projects } from '../../features/projects/index.ts'
import { reports } from '../../features/reports/index.ts'
import { sectionsOf } from '../../features/sections/index.ts'
import { members, type Team } from '../../features/teams/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import type { FileStore } from '../../kernel/services.ts'
import { filesOf } from '../files.ts'
import type { Line } from '../lines.ts'
import { compare, type Participants, participantsOf } from '../participants.ts'
import { FORMAT, type Kind, type RecordOf, VERSION } from '../schema.ts'
import { myViewsOf } from './my-views.ts'
import { skillsOf, templatesOf } from './planning.ts'
import { relationsOf, tasksOf } from './tasks.ts'

const record = <K extends Kind>(kind: K, content: RecordOf<K>): Line => ({ [kind]: content })
const toIso = (date: Date) => date.toISOString()

/**
 * Streams a team as lines. Their order does not depend on when or where rows were created: two
 * exports of the same content are identical byte for byte.
 */
export async function* exportTeam(
  { tx, files, now = new Date() }: { tx: Tx; files: FileStore; now?: Date },
  team: Team,
  onProgress: (tasks: number) => void,
): AsyncGenerator<Line> {
  const { team_id, team_uuid, name, created_at } = team
  yield { format: FORMAT, version: VERSION }
  yield record('team', { team_uuid, name, created_at: toIso(created_at) })
  const boards = await tx.select().from(projects).where(eq(projects.team_id, team_id))
  boards.sort((a, b) => compare(a.key, b.key))
  const participants = await participantsOf(tx, team_id)
  yield* peopleOf(tx, team_id, participants, boards)
  yield* agentsOf(participants, boards)
  for (const board of boards) yield record('board', await boardOf(tx, board, participants))
  for (const board of boards)
    for (const report of await reportsOf(tx, board, participants)) yield record('report', report)
  for (const board of boards)
    for (const template of await templatesOf(tx, board, participants))
      yield record('template', template)
  for (const board of boards)
    for (const skill of await skillsOf(tx, board, participants)) yield record('skill', skill)
  let taskCount = 0
  for (const board of boards)
    for await (const line of tasksOf(tx, board, participants, now)) {
      yield line
      if (line.task) onProgress(++taskCount)
    }
  yield* relationsOf(tx, team_id, participants)
  for (const view of await myViewsOf(tx, team_id, boards, participants))
    yield record('my_view', view)
  for await (const file of filesOf(tx, files, team_id)) yield record('file', file)
}

async function* peopleOf(tx: Tx, team_id: number, participants: Participants, boards: Project[]) {
  const rows = await tx.select().from(members).where(eq(members.team_id, team_id))
  const roles = new Map(rows.map((row) => [row.actor_id, row]))
  for (const { actor_id, email, name, avatar, time_zone, locale, ...rest } of participants.people) {
    const { default_project_id, created_at } = rest
    const member = roles.get(actor_id)
    const board = boards.find(({ project_id }) => project_id === default_project_id)
    yield record('person', {
      ...{ email, name, avatar, time_zone, locale },
      default_board: board?.key ?? null,
      created_at: toIso(created_at),
      role: member?.role ?? null,
      joined_at: member ? toIso(member.joined_at) : null,
    })
  }
}

function* agentsOf(participants: Participants, boards: Project[]) {
  const keys = new Map(boards.map(({ project_id, key }) => [project_id, key]))
  for (const { agent_id, name, avatar, kind, state, scopes, ...rest } of participants.agents)
    yield record('agent', {
      ...{ agent_id, name, avatar },
      owner: participants.nameOf(rest.owner_id),
      ...{ kind, state, scopes },
      boards: rest.project_ids?.flatMap((id) => keys.get(id) ?? []).sort(compare) ?? null,
      instructions: rest.instructions,
      created_at: toIso(rest.created_at),
    })
}

async function boardOf(
  tx: Tx,
  board: Project,
  participants: Participants,
): Promise<RecordOf<'board'>> {
  const { team_id: _, project_id, created_by, created_at, updated_at, ...rest } = board
  return {
    ...rest,
    created_by: participants.nameOf(created_by),
    created_at: toIso(created_at),
    updated_at: toIso(updated_at),
    sections: (await sectionsOf(tx, board)).map(
      ({ section_id: _, team_id: __, project_id: ___, auto_assign, created_at, ...section }) => ({
        ...section,
        auto_assign: auto_assign === null ? null : participants.nameOf(auto_assign),
        created_at: toIso(created_at),
      }),
    ),
    labels: (await labelsOf(tx, board)).map(({ name, color, created_at }) => ({
      ...{ name, color },
      created_at: toIso(created_at),
    })),
    fields: await fieldsOf(tx, board, participants),
    members: await membersOf(tx, project_id, participants),
  }
}

async function membersOf(tx: Tx, project_id: number, participants: Participants) {
  const rows = await tx
    .select()
    .from(projectMembers)
    .where(eq(projectMembers.project_id, project_id))
    .orderBy(asc(projectMembers.actor_id))
  return rows
    .map(({ actor_id, added_at }) => ({
      who: participants.nameOf(actor_id),
      added_at: toIso(added_at),
    }))
    .sort((a, b) => compare(a.who, b.who))
}

async function fieldsOf(tx: Tx, { team_id, project_id }: Project, participants: Participants) {
  const rows = await tx
    .select()
    .from(customFields)
    .where(and(eq(customFields.team_id, team_id), eq(customFields.project_id, project_id)))
    .orderBy(asc(customFields.custom_field_id))
  return rows.map(({ field_id, name, type, options, created_by, created_at }) => ({
    ...{ field_id, name, type, options },
    created_by: participants.nameOf(created_by),
    created_at: toIso(created_at),
  }))
}

async function reportsOf(
  tx: Tx,
  { team_id, project_id, key }: Project,
  participants: Participants,
) {
  const rows = await tx
    .select()
    .from(reports)
    .where(and(eq(reports.team_id, team_id), eq(reports.project_id, project_id)))
    .orderBy(asc(reports.slug))
  return rows.map(({ title, slug, description, body_html, ...rest }) => ({
    ...{ board: key, title, slug, description, body_html },
    created_by: participants.nameOf(rest.created_by),
    created_at: toIso(rest.created_at),
    updated_at: toIso(rest.updated_at),
  }))
}
