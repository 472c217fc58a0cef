import { getTableColumns, is, Table } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import * as agents from '../features/agents/agents/model/index.ts'
import * as leases from '../features/agents/leases/model/index.ts'
import * as messages from '../features/agents/messages/model/index.ts'
import * as runs from '../features/agents/runs/model/index.ts'
import * as skills from '../features/agents/skills/model/index.ts'
import * as webhooks from '../features/agents/webhooks/model/index.ts'
import * as customFields from '../features/boards/custom_fields/model/index.ts'
import * as imports from '../features/boards/imports/model/index.ts'
import * as labels from '../features/boards/labels/model/index.ts'
import * as projects from '../features/boards/projects/model/index.ts'
import * as rules from '../features/boards/rules/model/index.ts'
import * as sections from '../features/boards/sections/model/index.ts'
import * as templates from '../features/boards/templates/model/index.ts'
import * as views from '../features/boards/views/model/index.ts'
import * as boardWebhooks from '../features/boards/webhooks/model/index.ts'
import * as codeHosts from '../features/code/hosts/model/index.ts'
import * as issues from '../features/code/issues/model/index.ts'
import * as repositories from '../features/code/repositories/model/index.ts'
import * as chat from '../features/conversation/chat/model/index.ts'
import * as comments from '../features/conversation/comments/model/index.ts'
import * as decisionRequests from '../features/conversation/decision_requests/model/index.ts'
import * as escalations from '../features/conversation/escalations/model/index.ts'
import * as evidence from '../features/conversation/evidence/model/index.ts'
import * as accountEmails from '../features/identity/account_emails/model/index.ts'
import * as credentials from '../features/identity/credentials/model/index.ts'
import * as factors from '../features/identity/factors/model/index.ts'
import * as grants from '../features/identity/grants/model/index.ts'
import * as invitations from '../features/identity/invitations/model/index.ts'
import * as linkedIdentities from '../features/identity/linked_identities/model/index.ts'
import * as people from '../features/identity/people/model/index.ts'
import * as signIns from '../features/identity/sign_ins/model/index.ts'
import * as teamPolicy from '../features/identity/team_policy/model/index.ts'
import * as teams from '../features/identity/teams/model/index.ts'
import * as channels from '../features/inbox/channels/model/index.ts'
import * as mail from '../features/inbox/mail/model/index.ts'
import * as myTasks from '../features/inbox/my_tasks/model/index.ts'
import * as notifications from '../features/inbox/notifications/model/index.ts'
import * as sidebar from '../features/inbox/sidebar/model/index.ts'
import * as pages from '../features/pages/pages/model/index.ts'
import * as feedback from '../features/reports/feedback/model/index.ts'
import * as flow from '../features/reports/flow/model/index.ts'
import * as reports from '../features/reports/reports/model/index.ts'
import * as search from '../features/search/search/model/index.ts'
import * as assignees from '../features/tasks/assignees/model/index.ts'
import * as descriptions from '../features/tasks/descriptions/model/index.ts'
import * as drafts from '../features/tasks/drafts/model/index.ts'
import * as files from '../features/tasks/files/model/index.ts'
import * as pullRequests from '../features/tasks/pull_requests/model/index.ts'
import * as relations from '../features/tasks/relations/model/index.ts'
import * as sharedTexts from '../features/tasks/shared_texts/model/index.ts'
import * as tasks from '../features/tasks/tasks/model/index.ts'
import * as watchers from '../features/tasks/watchers/model/index.ts'
import * as calendar from '../features/time/calendar/model/index.ts'
import * as time from '../features/time/time/model/index.ts'
import { portabilityOf } from '../store/portability/index.ts'
import { referencesOf } from '../store/scan.ts'
import * as store from '../store/tables.ts'

/** Every module with tables. A test compares them with the files that declare tables. */
const MODULES: readonly Record<string, unknown>[] = [
  store,
  people,
  teams,
  teamPolicy,
  credentials,
  signIns,
  factors,
  linkedIdentities,
  projects,
  agents,
  sections,
  skills,
  files,
  tasks,
  labels,
  customFields,
  assignees,
  watchers,
  descriptions,
  sharedTexts,
  relations,
  flow,
  leases,
  notifications,
  comments,
  drafts,
  pages,
  decisionRequests,
  evidence,
  escalations,
  runs,
  templates,
  time,
  imports,
  mail,
  views,
  myTasks,
  sidebar,
  calendar,
  reports,
  pullRequests,
  codeHosts,
  repositories,
  issues,
  feedback,
  search,
  messages,
  webhooks,
  boardWebhooks,
  rules,
  channels,
  chat,
  invitations,
  grants,
  accountEmails,
]

/** The tables in an order in which each comes after those it refers to. */
export function inOrderOfReferences(some: Iterable<PgTable>): PgTable[] {
  const ordered = new Set<PgTable>()
  const add = (table: PgTable) => {
    if (ordered.has(table)) return
    for (const { foreignTable } of referencesOf(table))
      if (foreignTable !== table) add(foreignTable)
    ordered.add(table)
  }
  for (const table of some) add(table)
  return [...ordered]
}

/** Every table, each after those it refers to. */
export const tables: readonly PgTable[] = inOrderOfReferences(
  MODULES.flatMap((module) => Object.values(module)).filter((value) =>
    is(value, Table),
  ) as PgTable[],
)

/** The tables that a backup contains. */
export const savedTables = tables.filter((table) => !portabilityOf(table).unsaved)

/** Tables to which an import adds rows before it is published. */
export const stagedTables = savedTables.filter(
  (table) => 'team_id' in getTableColumns(table) && !portabilityOf(table).unstaged,
)
