import * as agents from './features/agents/agents/operations/index.ts'
import * as leases from './features/agents/leases/operations/index.ts'
import * as messages from './features/agents/messages/operations/index.ts'
import * as runs from './features/agents/runs/operations/index.ts'
import * as skills from './features/agents/skills/operations/index.ts'
import * as webhooks from './features/agents/webhooks/operations/index.ts'
import * as customFields from './features/boards/custom_fields/operations/index.ts'
import * as imports from './features/boards/imports/operations/index.ts'
import * as labels from './features/boards/labels/operations/index.ts'
import * as presence from './features/boards/presence/operations/index.ts'
import * as projects from './features/boards/projects/operations/index.ts'
import * as rules from './features/boards/rules/operations/index.ts'
import * as sections from './features/boards/sections/operations/index.ts'
import * as templates from './features/boards/templates/operations/index.ts'
import * as views from './features/boards/views/operations/index.ts'
import * as boardWebhooks from './features/boards/webhooks/operations/index.ts'
import * as codeHosts from './features/code/hosts/operations/index.ts'
import * as repositories from './features/code/repositories/operations/index.ts'
import * as chat from './features/conversation/chat/operations/index.ts'
import * as comments from './features/conversation/comments/operations/index.ts'
import * as decisionRequests from './features/conversation/decision_requests/operations/index.ts'
import * as escalations from './features/conversation/escalations/operations/index.ts'
import * as evidence from './features/conversation/evidence/operations/index.ts'
import * as accounts from './features/identity/accounts/operations/index.ts'
import * as audit from './features/identity/audit/operations/index.ts'
import * as credentials from './features/identity/credentials/operations/index.ts'
import * as factors from './features/identity/factors/operations/index.ts'
import * as grants from './features/identity/grants/operations/index.ts'
import * as invitations from './features/identity/invitations/operations/index.ts'
import * as linkedIdentities from './features/identity/linked_identities/operations/index.ts'
import * as profile from './features/identity/profile/operations/index.ts'
import * as teamPolicy from './features/identity/team_policy/operations/index.ts'
import * as teams from './features/identity/teams/operations/index.ts'
import * as channels from './features/inbox/channels/operations/index.ts'
import * as inbox from './features/inbox/inbox/operations/index.ts'
import * as mail from './features/inbox/mail/operations/index.ts'
import * as myTasks from './features/inbox/my_tasks/operations/index.ts'
import * as sidebar from './features/inbox/sidebar/operations/index.ts'
import * as pages from './features/pages/pages/operations/index.ts'
import * as feedback from './features/reports/feedback/operations/index.ts'
import * as flow from './features/reports/flow/operations/index.ts'
import * as reports from './features/reports/reports/operations/index.ts'
import * as search from './features/search/search/operations/index.ts'
import * as attachments from './features/tasks/attachments/operations/index.ts'
import * as drafts from './features/tasks/drafts/operations/index.ts'
import * as pullRequests from './features/tasks/pull_requests/operations/index.ts'
import * as relations from './features/tasks/relations/operations/index.ts'
import * as sharedTexts from './features/tasks/shared_texts/operations/index.ts'
import * as tasks from './features/tasks/tasks/operations/index.ts'
import * as trash from './features/tasks/trash/operations/index.ts'
import * as watchers from './features/tasks/watchers/operations/index.ts'
import * as calendar from './features/time/calendar/operations/index.ts'
import * as time from './features/time/time/operations/index.ts'
import type { AnyOperation, Client as ClientOf } from './kernel/operation.ts'

export { ROLES } from './features/identity/teams/model/index.ts'
/** What each role may do, for those who show it. */
export { editableFields as TASK_FIELDS } from './features/tasks/fields/model/index.ts'

/** Every operation there is, in the order that lists and documents show them. */
export const catalog = [
  ...projects.operations,
  ...sections.operations,
  ...labels.operations,
  ...teams.operations,
  ...teamPolicy.operations,
  ...profile.operations,
  ...comments.operations,
  ...tasks.operations,
  ...watchers.operations,
  ...trash.operations,
  ...customFields.operations,
  ...leases.operations,
  ...relations.operations,
  ...templates.operations,
  ...drafts.operations,
  ...sharedTexts.operations,
  ...presence.operations,
  ...pages.operations,
  ...views.operations,
  ...myTasks.operations,
  ...sidebar.operations,
  ...calendar.operations,
  ...inbox.operations,
  ...mail.operations,
  ...channels.operations,
  ...time.operations,
  ...flow.operations,
  ...attachments.operations,
  ...decisionRequests.operations,
  ...evidence.operations,
  ...escalations.operations,
  ...runs.operations,
  ...skills.operations,
  ...pullRequests.operations,
  ...codeHosts.operations,
  ...repositories.operations,
  ...imports.operations,
  ...feedback.operations,
  ...reports.operations,
  ...search.operations,
  ...chat.operations,
  ...messages.operations,
  ...webhooks.operations,
  ...boardWebhooks.operations,
  ...rules.operations,
  ...invitations.operations,
  ...agents.operations,
  ...credentials.operations,
  ...audit.operations,
  ...accounts.operations,
  ...factors.operations,
  ...grants.operations,
  ...linkedIdentities.operations,
] as const satisfies readonly AnyOperation[]

export type Client = ClientOf<typeof catalog>
