import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { agents } from '../features/agents/index.ts'
import { commentMentions, commentReactions, comments } from '../features/comments/index.ts'
import { customFields } from '../features/custom_fields/index.ts'
import { decisionRequests } from '../features/decision_requests/index.ts'
import { escalations } from '../features/escalations/index.ts'
import { evidence } from '../features/evidence/index.ts'
import { attachments } from '../features/files/index.ts'
import { pages, pageVersions } from '../features/pages/index.ts'
import { actors, people } from '../features/people/index.ts'
import { projectMembers, projects } from '../features/projects/index.ts'
import { pullRequests } from '../features/pull_requests/index.ts'
import { reports } from '../features/reports/index.ts'
import { sections } from '../features/sections/index.ts'
import { skills } from '../features/skills/index.ts'
import { descriptionVersions, relations, taskAssignees, tasks } from '../features/tasks/index.ts'
import { members } from '../features/teams/index.ts'
import { taskTemplates } from '../features/templates/index.ts'
import { timeEntries } from '../features/time/index.ts'
import type { Tx } from '../kernel/caller.ts'

/** Every column of a team's tables that refers to an actor: table, team column, actor column. */
const ACTOR_COLUMNS: readonly (readonly [PgTable, PgColumn, PgColumn])[] = [
  [members, members.team_id, members.actor_id],
  [agents, agents.team_id, agents.actor_id],
  [agents, agents.team_id, agents.owner_id],
  [projects, projects.team_id, projects.created_by],
  [projectMembers, projectMembers.team_id, projectMembers.actor_id],
  [sections, sections.team_id, sections.auto_assign],
  [tasks, tasks.team_id, tasks.created_by],
  [taskAssignees, taskAssignees.team_id, taskAssignees.actor_id],
  [descriptionVersions, descriptionVersions.team_id, descriptionVersions.author_id],
  [customFields, customFields.team_id, customFields.created_by],
  [relations, relations.team_id, relations.created_by],
  [comments, comments.team_id, comments.author_id],
  [commentMentions, commentMentions.team_id, commentMentions.actor_id],
  [commentReactions, commentReactions.team_id, commentReactions.actor_id],
  [decisionRequests, decisionRequests.team_id, decisionRequests.created_by],
  [decisionRequests, decisionRequests.team_id, decisionRequests.closed_by],
  [attachments, attachments.team_id, attachments.created_by],
  [evidence, evidence.team_id, evidence.created_by],
  [escalations, escalations.team_id, escalations.to_id],
  [escalations, escalations.team_id, escalations.created_by],
  [escalations, escalations.team_id, escalations.resolved_by],
  [pages, pages.team_id, pages.created_by],
  [pages, pages.team_id, pages.updated_by],
  [pageVersions, pageVersions.team_id, pageVersions.author_id],
  [pullRequests, pullRequests.team_id, pullRequests.created_by],
  [reports, reports.team_id, reports.created_by],
  [skills, skills.team_id, skills.actor_id],
  [taskTemplates, taskTemplates.team_id, taskTemplates.created_by],
  [timeEntries, timeEntries.team_id, timeEntries.actor_id],
]

export interface Participants {
  people: (typeof people.$inferSelect & Pick<typeof actors.$inferSelect, 'name' | 'avatar'>)[]
  agents: (typeof agents.$inferSelect & Pick<typeof actors.$inferSelect, 'name' | 'avatar'>)[]
  /** How the file names an actor: a person by email, an agent by `agentName`. */
  nameOf(actor_id: number): string
}

export const agentName = (agent_id: string) => `agent:${agent_id}`

/** Every actor that a team's rows refer to, including people who have left the team. */
export async function participantsOf(tx: Tx, team_id: number): Promise<Participants> {
  const ids = new Set<number>()
  for (const [table, team, column] of ACTOR_COLUMNS) {
    const rows = await tx
      .selectDistinct({ actor_id: column })
      .from(table)
      .where(and(eq(team, team_id), isNotNull(column)))
    for (const { actor_id } of rows) ids.add(actor_id as number)
  }
  for (const who of await decisionRecipients(tx, team_id)) ids.add(who)
  const actor_ids = [...ids]
  const actorColumns = { name: actors.name, avatar: actors.avatar }
  const personRows = await tx
    .select({ row: people, ...actorColumns })
    .from(people)
    .innerJoin(actors, eq(actors.actor_id, people.actor_id))
    .where(inArray(people.actor_id, actor_ids))
  const agentRows = await tx
    .select({ row: agents, ...actorColumns })
    .from(agents)
    .innerJoin(actors, eq(actors.actor_id, agents.actor_id))
    .where(inArray(agents.actor_id, actor_ids))
  const names = new Map<number, string>([
    ...personRows.map(({ row }) => [row.actor_id, row.email] as const),
    ...agentRows.map(({ row }) => [row.actor_id, agentName(row.agent_id)] as const),
  ])
  return {
    people: personRows
      .map(({ row, ...rest }) => ({ ...row, ...rest }))
      .sort((a, b) => compare(a.email, b.email)),
    agents: agentRows
      .map(({ row, ...rest }) => ({ ...row, ...rest }))
      .sort((a, b) => compare(a.agent_id, b.agent_id)),
    nameOf: (actor_id) => names.get(actor_id)!,
  }
}

/** Compares by UTF-16 code unit, which does not depend on a locale. */
export const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The recipients of decision requests are an array column, so `ACTOR_COLUMNS` cannot list them. */
async function decisionRecipients(tx: Tx, team_id: number): Promise<number[]> {
  const rows = await tx
    .select({ asked: decisionRequests.asked })
    .from(decisionRequests)
    .where(eq(decisionRequests.team_id, team_id))
  return rows.flatMap(({ asked }) => asked)
}
