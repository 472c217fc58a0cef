import { cache } from './cache.ts'
import type { Happening } from './live.ts'

/** Which changes make an answer old, by its operation or the noun of that. */
const CONCERNS: Record<string, RegExp> = {
  access_tokens: /^credential\./,
  // A line of a transcript changes nothing about its agent.
  agents: /^(agent|credential|lease|run)\.(?!transcript)/,
  api_keys: /^credential\./,
  browser_sessions: /^session\./,
  calendar: /^(task|section)\./,
  calendar_feeds: /^calendar_feed\./,
  chat: /^chat\./,
  custom_fields: /^custom_field\./,
  'decision_requests.get': /^decision\./,
  flow: /^(task|section|board)\./,
  guidance: /^(playbook|instructions|skill)\./,
  'inbox.summary':
    /^(notification|inbox|member|project)\.|^comment\.deleted$|^task\.(updated|left)$|^(decision|escalation)\.(answered|cancelled|resolved)$/,
  invitations: /^(invitation|member|project)\./,
  labels: /^label\./,
  leases: /^(lease|member)\./,
  mail: /^(mail|profile)\./,
  my_views: /^my_view\./,
  projects: /^(project|member|profile|agent)\./,
  // It follows its tasks by itself; whom it names are no tasks.
  'projects.board': /^(member|profile|agent)\./,
  'projects.get_instructions': /^instructions\./,
  'projects.get_playbook': /^playbook\./,
  'projects.manifest': /^(project|member|profile|agent|section|label|playbook|instructions)\./,
  pull_request_receivers: /^pull_request_receiver\./,
  reports: /^report\./,
  runs: /^run\.(?!transcript)/,
  'search.tasks': /^(task|label|section)\./,
  sections: /^(section|profile|agent)\./,
  sessions: /^(run|agent)\.(?!transcript)/,
  // What it names beside itself.
  'tasks.get': /^(section|label|custom_field|agent|profile|project)\./,
  skills: /^skill\./,
  teams: /^(team|member|invitation|profile|agent)\./,
  templates: /^template\./,
  time: /^(time|label)\./,
  user_context: /^(profile|project|member|team)\./,
  views: /^view\./,
  webhooks: /^webhook\./,
}

/** Which changes of a task make an answer about it old; none: all of them. */
const OF_TASK: Record<string, RegExp | undefined> = {
  attachments: /^attachment\./,
  comments: undefined,
  decision_requests: /^decision\./,
  escalations: /^escalation\./,
  evidence: /^evidence\./,
  relations: /^(relation|task)\./,
  tasks: undefined,
}
/** They hold more tasks than the one that they are about. */
const ABOUT_OTHERS = new Set(['relations.list', 'tasks.tree'])

/** What is known of a page says which one it is, and often of which task. */
function isPageOld({ queryKey, state }: Query, { type, data }: Happening): boolean {
  const [, input] = queryKey as [string, { page_id?: unknown; task_id?: number } | undefined]
  const known = state.data as { page_id?: number; task_id?: number } | undefined
  if (type.startsWith('page.'))
    return (
      input?.task_id === data.task_id || [input?.page_id, known?.page_id].includes(data.page_id)
    )
  // Its key goes with its task to another board.
  return type.startsWith('task.') && known?.task_id !== undefined && known.task_id === data.task_id
}

interface Query {
  queryKey: readonly unknown[]
  state: { data: unknown }
}

function isOld(query: Query, happening: Happening): boolean {
  const { queryKey, state } = query
  const { type, data } = happening
  const [name, input] = queryKey as [string, { task_id?: number } | undefined]
  const noun = name.split('.')[0]!
  if ((CONCERNS[name] ?? CONCERNS[noun])?.test(type)) return true
  if (noun === 'pages') return isPageOld(query, happening)
  if (!(noun in OF_TASK) || data.task_id === undefined) return false
  if (noun === 'tasks' && parentsIn(data).some((id) => id === input?.task_id)) return true
  if (OF_TASK[noun]?.test(type) === false) return false
  if (data.task_id === input?.task_id) return true
  return ABOUT_OTHERS.has(name) && isIn(state.data, Number(data.task_id))
}

/** A task shows its sub-tasks, so it changes with one that is created there, or comes or goes. */
const parentsIn = ({ parent_task_id, before, after }: Happening['data']) =>
  [parent_task_id, before?.parent_task_id, after?.parent_task_id].filter((id) => id != null)

const isIn = (answer: unknown, task_id: number) =>
  new RegExp(`_id":${task_id}\\b`).test(JSON.stringify(answer) ?? '')

/** Marks as old what the changes concern; what is on the screen is asked for again. */
export const refresh = (happenings: readonly Happening[]) =>
  void cache.invalidateQueries({
    predicate: (query) => happenings.some((one) => isOld(query, one)),
  })
