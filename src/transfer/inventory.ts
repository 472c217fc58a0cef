import { getTableColumns } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { agentPresence, agents } from '../features/agents/index.ts'
import { calendarFeeds } from '../features/calendar/index.ts'
import { chatMessages, chatThreads } from '../features/chat/index.ts'
import { commentMentions, commentReactions, comments } from '../features/comments/index.ts'
import { credentials, signingKeys } from '../features/credentials/index.ts'
import { customFields } from '../features/custom_fields/index.ts'
import { decisionRequests } from '../features/decision_requests/index.ts'
import { drafts } from '../features/drafts/index.ts'
import { escalations } from '../features/escalations/index.ts'
import { evidence } from '../features/evidence/index.ts'
import { feedbackCounts, feedbackReports } from '../features/feedback/index.ts'
import { attachments, fileUsage } from '../features/files/index.ts'
import { invitations } from '../features/invitations/index.ts'
import { labels } from '../features/labels/index.ts'
import { mailings } from '../features/mail/index.ts'
import { messagePlaces, messages } from '../features/messages/index.ts'
import { myViews } from '../features/my_tasks/index.ts'
import { notifications } from '../features/notifications/index.ts'
import { pagePieces, pages, pageVersions } from '../features/pages/index.ts'
import { actors, people } from '../features/people/index.ts'
import {
  guidanceVersions,
  projectMembers,
  projects,
  projectUses,
} from '../features/projects/index.ts'
import { pullRequestReceivers, pullRequests } from '../features/pull_requests/index.ts'
import { reports } from '../features/reports/index.ts'
import { runEntries, runs } from '../features/runs/index.ts'
import { searchWords } from '../features/search/index.ts'
import { sections } from '../features/sections/index.ts'
import { skills } from '../features/skills/index.ts'
import {
  descriptionVersions,
  formerTickets,
  leases,
  relations,
  sectionCounts,
  taskAssignees,
  taskFields,
  taskLabels,
  taskMentions,
  taskMoves,
  tasks,
} from '../features/tasks/index.ts'
import { members, teams } from '../features/teams/index.ts'
import { taskTemplates } from '../features/templates/index.ts'
import { timeEntries } from '../features/time/index.ts'
import { defaultViews, views, viewUses } from '../features/views/index.ts'
import { webhookDeliveries, webhooks } from '../features/webhooks/index.ts'
import {
  answers,
  audit,
  changes,
  followers,
  importedActors,
  imports,
  locks,
  sweeps,
} from '../store/tables.ts'

const EXPORTED = 'carried'

/**
 * Every table, each after those it refers to. The second entry says that a team export carries the
 * table, or why it does not.
 */
export const inventory: readonly (readonly [PgTable, string])[] = [
  [actors, EXPORTED],
  [people, EXPORTED],
  [teams, EXPORTED],
  [members, EXPORTED],
  [credentials, 'secrets stay on their server; new ones are made where the team goes'],
  [signingKeys, 'each server has its own'],
  [agents, EXPORTED],
  [agentPresence, 'who is there is seen anew'],
  [projects, EXPORTED],
  [projectMembers, EXPORTED],
  [projectUses, 'gathered anew from what people do'],
  [guidanceVersions, 'a history of its server; what is in force goes along'],
  [sections, EXPORTED],
  [labels, EXPORTED],
  [skills, EXPORTED],
  [customFields, EXPORTED],
  [tasks, EXPORTED],
  [formerTickets, EXPORTED],
  [sectionCounts, 'counted anew from the tasks'],
  [taskMoves, 'begun anew with what the tasks say of themselves'],
  [taskLabels, EXPORTED],
  [taskAssignees, EXPORTED],
  [taskMentions, 'who was told of a description on their server'],
  [descriptionVersions, EXPORTED],
  [leases, 'end with the server that they were taken on'],
  [relations, EXPORTED],
  [taskFields, EXPORTED],
  [comments, EXPORTED],
  [commentMentions, EXPORTED],
  [commentReactions, EXPORTED],
  [attachments, EXPORTED],
  [fileUsage, 'counts the files of teams and what was sent today; follows from what is there'],
  [timeEntries, EXPORTED],
  [drafts, 'nobody has seen them but their authors'],
  [pages, EXPORTED],
  [pagePieces, EXPORTED],
  [pageVersions, EXPORTED],
  [taskTemplates, EXPORTED],
  [views, 'name columns, labels and people by the numbers they have on their server'],
  [defaultViews, 'go with the views'],
  [viewUses, 'go with the views'],
  [myViews, EXPORTED],
  [calendarFeeds, 'their addresses are of the server that made them'],
  [reports, EXPORTED],
  [pullRequests, EXPORTED],
  [pullRequestReceivers, 'their addresses and secrets are of the server that made them'],
  [evidence, EXPORTED],
  [escalations, EXPORTED],
  [decisionRequests, EXPORTED],
  [runs, 'work at the server that the agents call; what came of it is told on the tasks'],
  [runEntries, 'go with the runs'],
  [notifications, 'told by the change log of their server'],
  [mailings, 'what people ask of the server that mails them'],
  [webhooks, 'their secrets are of the server that signs with them'],
  [webhookDeliveries, 'what that server sent'],
  [messagePlaces, 'places in the change log of their server'],
  [messages, 'told by the change log of their server'],
  [chatThreads, 'what somebody said to the model of their server is theirs alone'],
  [chatMessages, 'go with the threads'],
  [feedbackReports, 'of the server, not of a team'],
  [feedbackCounts, 'counts of one hour'],
  [invitations, 'their links lead to the server that made them'],
  [audit, 'tells of credentials and people of its server'],
  [changes, 'names rows by the numbers they have on their server'],
  [followers, 'places in that change log'],
  [searchWords, 'gathered anew from the tasks'],
  [sweeps, 'a restored database begins them anew'],
  [imports, 'ends with the process that imports'],
  [importedActors, 'goes with it'],
  [locks, 'what servers of one database take turns at'],
  [answers, 'kept for a day, for retries on their server'],
]

/**
 * The tables whose rows a backup holds. The signing key is in the manifest instead. The progress of
 * sweeps would be wrong for restored rows, and running imports are not part of a backup.
 */
export const savedTables: readonly PgTable[] = inventory
  .map(([table]) => table)
  .filter((table) => ![signingKeys, sweeps, imports, importedActors].includes(table as never))

/** Tables that an import writes only when it is published, or not at all. */
const NEVER_STAGED: readonly PgTable[] = [teams, members, agents, audit, changes]

/** Tables whose rows an import may hold before it is published, each after those it refers to. */
export const teamTables: readonly PgTable[] = savedTables.filter(
  (table) => 'team_id' in getTableColumns(table) && !NEVER_STAGED.includes(table),
)
