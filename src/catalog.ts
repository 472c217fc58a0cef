import * as accounts from './features/accounts/index.ts'
import * as agents from './features/agents/index.ts'
import * as attachments from './features/attachments/index.ts'
import * as audit from './features/audit/index.ts'
import * as boards from './features/boards/index.ts'
import * as calendar from './features/calendar/index.ts'
import * as chat from './features/chat/index.ts'
import * as comments from './features/comments/index.ts'
import * as context from './features/context/index.ts'
import * as credentials from './features/credentials/index.ts'
import * as customFields from './features/custom_fields/index.ts'
import * as decisionRequests from './features/decision_requests/index.ts'
import * as departures from './features/departures/index.ts'
import * as drafts from './features/drafts/index.ts'
import * as escalations from './features/escalations/index.ts'
import * as evidence from './features/evidence/index.ts'
import * as feedback from './features/feedback/index.ts'
import * as files from './features/files/index.ts'
import * as flow from './features/flow/index.ts'
import * as guidance from './features/guidance/index.ts'
import * as inbox from './features/inbox/index.ts'
import * as invitations from './features/invitations/index.ts'
import * as labels from './features/labels/index.ts'
import * as leases from './features/leases/index.ts'
import * as mail from './features/mail/index.ts'
import * as members from './features/members/index.ts'
import * as messages from './features/messages/index.ts'
import * as myTasks from './features/my_tasks/index.ts'
import * as pages from './features/pages/index.ts'
import * as profile from './features/profile/index.ts'
import * as projects from './features/projects/index.ts'
import * as pullRequests from './features/pull_requests/index.ts'
import * as relations from './features/relations/index.ts'
import * as reports from './features/reports/index.ts'
import * as runs from './features/runs/index.ts'
import * as search from './features/search/index.ts'
import * as sections from './features/sections/index.ts'
import * as skills from './features/skills/index.ts'
import * as tasks from './features/tasks/index.ts'
import * as teams from './features/teams/index.ts'
import * as templates from './features/templates/index.ts'
import * as time from './features/time/index.ts'
import * as views from './features/views/index.ts'
import * as webhooks from './features/webhooks/index.ts'
import type { AnyOperation, Client as ClientOf } from './kernel/operation.ts'

/** What each role may do, for those who show it. */
export { ROLES } from './features/teams/index.ts'

/** Every operation there is, in the order that lists and documents show them. */
export const catalog = [
  ...projects.operations,
  ...guidance.operations,
  ...boards.operations,
  ...members.operations,
  ...profile.operations,
  ...comments.operations,
  ...tasks.operations,
  ...leases.operations,
  ...context.operations,
  ...relations.operations,
  ...templates.operations,
  ...drafts.operations,
  ...pages.operations,
  ...files.operations,
  ...sections.operations,
  ...views.operations,
  ...myTasks.operations,
  ...calendar.operations,
  ...inbox.operations,
  ...mail.operations,
  ...time.operations,
  ...flow.operations,
  ...attachments.operations,
  ...customFields.operations,
  ...decisionRequests.operations,
  ...evidence.operations,
  ...escalations.operations,
  ...runs.operations,
  ...labels.operations,
  ...skills.operations,
  ...pullRequests.operations,
  ...feedback.operations,
  ...reports.operations,
  ...search.operations,
  ...chat.operations,
  ...messages.operations,
  ...webhooks.operations,
  ...teams.operations,
  ...invitations.operations,
  ...agents.operations,
  ...departures.operations,
  ...audit.operations,
  ...credentials.operations,
  ...accounts.operations,
] as const satisfies readonly AnyOperation[]

export type Client = ClientOf<typeof catalog>
