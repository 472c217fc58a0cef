import { join } from 'node:path'
import { catalog } from '../../src/catalog.ts'
import { samples as agents } from '../features/agents/agents/samples.ts'
import { samples as leases } from '../features/agents/leases/samples.ts'
import { samples as messages } from '../features/agents/messages/samples.ts'
import { samples as runs } from '../features/agents/runs/samples.ts'
import { samples as skills } from '../features/agents/skills/samples.ts'
import { samples as webhooks } from '../features/agents/webhooks/samples.ts'
import { samples as customFields } from '../features/boards/custom_fields/samples.ts'
import { samples as imports } from '../features/boards/imports/samples.ts'
import { samples as labels } from '../features/boards/labels/samples.ts'
import { samples as presence } from '../features/boards/presence/samples.ts'
import { samples as projects } from '../features/boards/projects/samples.ts'
import { samples as rules } from '../features/boards/rules/samples.ts'
import { samples as sections } from '../features/boards/sections/samples.ts'
import { samples as templates } from '../features/boards/templates/samples.ts'
import { samples as views } from '../features/boards/views/samples.ts'
import { samples as boardWebhooks } from '../features/boards/webhooks/samples.ts'
import { samples as codeHosts } from '../features/code/hosts/samples.ts'
import { samples as repositories } from '../features/code/repositories/samples.ts'
import { samples as chat } from '../features/conversation/chat/samples.ts'
import { samples as comments } from '../features/conversation/comments/samples.ts'
import { samples as decisionRequests } from '../features/conversation/decision_requests/samples.ts'
import { samples as escalations } from '../features/conversation/escalations/samples.ts'
import { samples as evidence } from '../features/conversation/evidence/samples.ts'
import { samples as accounts } from '../features/identity/accounts/samples.ts'
import { samples as audit } from '../features/identity/audit/samples.ts'
import { samples as credentials } from '../features/identity/credentials/samples.ts'
import { samples as factors } from '../features/identity/factors/samples.ts'
import { samples as grants } from '../features/identity/grants/samples.ts'
import { samples as invitations } from '../features/identity/invitations/samples.ts'
import { samples as linkedIdentities } from '../features/identity/linked_identities/samples.ts'
import { samples as profile } from '../features/identity/profile/samples.ts'
import { samples as teamPolicy } from '../features/identity/team_policy/samples.ts'
import { samples as teams } from '../features/identity/teams/samples.ts'
import { samples as channels } from '../features/inbox/channels/samples.ts'
import { samples as inbox } from '../features/inbox/inbox/samples.ts'
import { samples as mail } from '../features/inbox/mail/samples.ts'
import { samples as myTasks } from '../features/inbox/my_tasks/samples.ts'
import { samples as sidebar } from '../features/inbox/sidebar/samples.ts'
import { samples as pages } from '../features/pages/pages/samples.ts'
import { samples as feedback } from '../features/reports/feedback/samples.ts'
import { samples as flow } from '../features/reports/flow/samples.ts'
import { samples as reports } from '../features/reports/reports/samples.ts'
import { samples as search } from '../features/search/search/samples.ts'
import { samples as attachments } from '../features/tasks/attachments/samples.ts'
import { samples as drafts } from '../features/tasks/drafts/samples.ts'
import { samples as pullRequests } from '../features/tasks/pull_requests/samples.ts'
import { samples as relations } from '../features/tasks/relations/samples.ts'
import { samples as sharedTexts } from '../features/tasks/shared_texts/samples.ts'
import { samples as tasks } from '../features/tasks/tasks/samples.ts'
import { samples as trash } from '../features/tasks/trash/samples.ts'
import { samples as watchers } from '../features/tasks/watchers/samples.ts'
import { samples as calendar } from '../features/time/calendar/samples.ts'
import { samples as time } from '../features/time/time/samples.ts'
import type { Fields, OperationSample } from './operation-sample.ts'
import { readFiles, root } from './source-files.ts'
import type { World } from './world.ts'

/** The samples of each noun, by the file they are written in. */
export const sampleFiles: Record<string, Record<string, OperationSample>> = {
  'test/features/agents/agents/samples.ts': agents,
  'test/features/agents/leases/samples.ts': leases,
  'test/features/agents/messages/samples.ts': messages,
  'test/features/agents/runs/samples.ts': runs,
  'test/features/agents/skills/samples.ts': skills,
  'test/features/agents/webhooks/samples.ts': webhooks,
  'test/features/boards/custom_fields/samples.ts': customFields,
  'test/features/boards/imports/samples.ts': imports,
  'test/features/boards/labels/samples.ts': labels,
  'test/features/boards/presence/samples.ts': presence,
  'test/features/boards/projects/samples.ts': projects,
  'test/features/boards/rules/samples.ts': rules,
  'test/features/boards/sections/samples.ts': sections,
  'test/features/boards/templates/samples.ts': templates,
  'test/features/boards/views/samples.ts': views,
  'test/features/boards/webhooks/samples.ts': boardWebhooks,
  'test/features/code/hosts/samples.ts': codeHosts,
  'test/features/code/repositories/samples.ts': repositories,
  'test/features/conversation/chat/samples.ts': chat,
  'test/features/conversation/comments/samples.ts': comments,
  'test/features/conversation/decision_requests/samples.ts': decisionRequests,
  'test/features/conversation/escalations/samples.ts': escalations,
  'test/features/conversation/evidence/samples.ts': evidence,
  'test/features/identity/accounts/samples.ts': accounts,
  'test/features/identity/audit/samples.ts': audit,
  'test/features/identity/credentials/samples.ts': credentials,
  'test/features/identity/factors/samples.ts': factors,
  'test/features/identity/grants/samples.ts': grants,
  'test/features/identity/invitations/samples.ts': invitations,
  'test/features/identity/linked_identities/samples.ts': linkedIdentities,
  'test/features/identity/profile/samples.ts': profile,
  'test/features/identity/team_policy/samples.ts': teamPolicy,
  'test/features/identity/teams/samples.ts': teams,
  'test/features/inbox/channels/samples.ts': channels,
  'test/features/inbox/inbox/samples.ts': inbox,
  'test/features/inbox/mail/samples.ts': mail,
  'test/features/inbox/my_tasks/samples.ts': myTasks,
  'test/features/inbox/sidebar/samples.ts': sidebar,
  'test/features/pages/pages/samples.ts': pages,
  'test/features/reports/feedback/samples.ts': feedback,
  'test/features/reports/flow/samples.ts': flow,
  'test/features/reports/reports/samples.ts': reports,
  'test/features/search/search/samples.ts': search,
  'test/features/tasks/attachments/samples.ts': attachments,
  'test/features/tasks/drafts/samples.ts': drafts,
  'test/features/tasks/pull_requests/samples.ts': pullRequests,
  'test/features/tasks/relations/samples.ts': relations,
  'test/features/tasks/shared_texts/samples.ts': sharedTexts,
  'test/features/tasks/tasks/samples.ts': tasks,
  'test/features/tasks/trash/samples.ts': trash,
  'test/features/tasks/watchers/samples.ts': watchers,
  'test/features/time/calendar/samples.ts': calendar,
  'test/features/time/time/samples.ts': time,
}

/** The file for the sample of each operation: beside the tests of the noun that lists it. */
export async function expectedFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const { path } of readFiles('src/features/*/*/operations/index.ts')) {
    const { operations } = await import(join(root, path))
    const file = path.replace(/^src(.*)\/operations\/index\.ts$/, 'test$1/samples.ts')
    for (const { name } of operations as OperationList) files.set(name, file)
  }
  return files
}

type OperationList = readonly { name: string }[]

/** Operations without a sample and samples without an operation, with the file to edit. */
export async function sampleProblems(
  names: readonly string[],
  files = sampleFiles,
): Promise<string[]> {
  const known = new Set(Object.values(files).flatMap((samples) => Object.keys(samples)))
  const missing = names.filter((name) => !known.has(name))
  const expected = missing.length ? await expectedFiles() : new Map<string, string>()
  const unknown = Object.entries(files).flatMap(([file, samples]) =>
    Object.keys(samples)
      .filter((name) => !names.includes(name))
      .map((name) => `${file} has an entry for ${name}, which is no operation`),
  )
  return [
    ...missing.map((name) => `${expected.get(name)} has no entry for the operation ${name}`),
    ...unknown,
  ]
}

const problems = await sampleProblems(catalog.map(({ name }) => name))
if (problems.length) throw new Error(problems.join('\n'))

/** What the suites over the whole catalog need to know of each operation, by its name. */
export const samples: Record<string, OperationSample> = Object.assign(
  {},
  ...Object.values(sampleFiles),
)

/** A valid input of an operation; empty if a test has planted the operation. */
export const sampleInput = async (name: string, w: World): Promise<Fields> => ({
  ...(await samples[name]?.input(w)),
})

/** The person or agent who may make the call with that input. */
export const sampleCaller = <A>({ ada, bot }: { ada: A; bot: A }, name: string): A =>
  samples[name]?.caller === 'agent' ? bot : ada
