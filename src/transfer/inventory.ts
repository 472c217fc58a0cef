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
  [credentials, 'secrets stay on their server; the team creates new ones after the import'],
  [signingKeys, 'each server has its own'],
  [agents, EXPORTED],
  [agentPresence, 'recorded again when agents connect'],
  [projects, EXPORTED],
  [projectMembers, EXPORTED],
  [projectUses, 'recorded again when people open boards'],
  [guidanceVersions, 'a history; the current texts are exported with their boards and skills'],
  [sections, EXPORTED],
  [labels, EXPORTED],
  [skills, EXPORTED],
  [customFields, EXPORTED],
  [tasks, EXPORTED],
  [formerTickets, EXPORTED],
  [sectionCounts, 'counted again from the tasks'],
  [taskMoves, 'started again from the current state of the tasks'],
  [taskLabels, EXPORTED],
  [taskAssignees, EXPORTED],
  [taskMentions, 'only prevents duplicate notifications on its server'],
  [descriptionVersions, EXPORTED],
  [leases, 'valid on their server only'],
  [relations, EXPORTED],
  [taskFields, EXPORTED],
  [comments, EXPORTED],
  [commentMentions, EXPORTED],
  [commentReactions, EXPORTED],
  [attachments, EXPORTED],
  [fileUsage, 'counted again from the files'],
  [timeEntries, EXPORTED],
  [drafts, 'private to their authors'],
  [pages, EXPORTED],
  [pagePieces, EXPORTED],
  [pageVersions, EXPORTED],
  [taskTemplates, EXPORTED],
  [views, 'refer to columns, labels and people by the ids of their server'],
  [defaultViews, 'depend on the views'],
  [viewUses, 'depend on the views'],
  [myViews, EXPORTED],
  [calendarFeeds, 'their URLs belong to the server that created them'],
  [reports, EXPORTED],
  [pullRequests, EXPORTED],
  [pullRequestReceivers, 'their URLs and secrets belong to the server that created them'],
  [evidence, EXPORTED],
  [escalations, EXPORTED],
  [decisionRequests, EXPORTED],
  [runs, 'refer to agents connected to their server; their results are on the tasks'],
  [runEntries, 'depend on the runs'],
  [notifications, 'created from the change log of their server'],
  [mailings, 'email settings apply to one server'],
  [webhooks, 'their secrets belong to the server that signs with them'],
  [webhookDeliveries, 'the delivery log of one server'],
  [messagePlaces, 'positions in the change log of their server'],
  [messages, 'created from the change log of their server'],
  [chatThreads, 'private to the people who chat'],
  [chatMessages, 'depend on the threads'],
  [feedbackReports, 'belong to the server, not to a team'],
  [feedbackCounts, 'counts for one hour'],
  [invitations, 'their links lead to the server that created them'],
  [audit, 'refers to credentials and people of its server'],
  [changes, 'refers to rows by the ids of their server'],
  [followers, 'positions in that change log'],
  [searchWords, 'built again from the tasks'],
  [sweeps, 'start again on a restored database'],
  [imports, 'ends with the process that imports'],
  [importedActors, 'depends on the import'],
  [locks, 'coordinate the servers of one database'],
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
