import { cache } from './cache.ts'
import type { Change } from './change-stream.ts'

/** Which changes make a cached result stale, by operation name or by the noun before its dot. */
const STALE_AFTER: Record<string, RegExp> = {
  access_tokens: /^credential\./,
  // A new transcript line does not change the agent.
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
  // The board merges changes of its tasks itself; only the actors it names are refetched.
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
  // The names that a task shows: its column, labels, fields, people and board.
  'tasks.get': /^(section|label|custom_field|agent|profile|project)\./,
  skills: /^skill\./,
  teams: /^(team|member|invitation|profile|agent)\./,
  templates: /^template\./,
  time: /^(time|label)\./,
  user_context: /^(profile|project|member|team)\./,
  views: /^view\./,
  webhooks: /^webhook\./,
}

/** Which changes of a task make results about that task stale; undefined means all of them. */
const STALE_AFTER_TASK_CHANGE: Record<string, RegExp | undefined> = {
  attachments: /^attachment\./,
  comments: undefined,
  decision_requests: /^decision\./,
  escalations: /^escalation\./,
  evidence: /^evidence\./,
  relations: /^(relation|task)\./,
  tasks: undefined,
}
/** Results that contain other tasks than the one in their input. */
const HOLDS_OTHER_TASKS = new Set(['relations.list', 'tasks.tree'])

/** Compares the change with the ids in the input and in the cached page. */
function isPageStale({ queryKey, state }: Query, { type, data }: Change): boolean {
  const [, input] = queryKey as [string, { page_id?: unknown; task_id?: number } | undefined]
  const cached = state.data as { page_id?: number; task_id?: number } | undefined
  if (type.startsWith('page.'))
    return (
      input?.task_id === data.task_id || [input?.page_id, cached?.page_id].includes(data.page_id)
    )
  // When a task moves to another board, the key of its page changes too.
  return (
    type.startsWith('task.') && cached?.task_id !== undefined && cached.task_id === data.task_id
  )
}

interface Query {
  queryKey: readonly unknown[]
  state: { data: unknown }
}

function isStale(query: Query, change: Change): boolean {
  const { queryKey, state } = query
  const { type, data } = change
  const [name, input] = queryKey as [string, { task_id?: number } | undefined]
  const noun = name.split('.')[0]!
  if ((STALE_AFTER[name] ?? STALE_AFTER[noun])?.test(type)) return true
  if (noun === 'pages') return isPageStale(query, change)
  if (!(noun in STALE_AFTER_TASK_CHANGE) || data.task_id === undefined) return false
  if (noun === 'tasks' && parentIdsIn(data).some((id) => id === input?.task_id)) return true
  if (STALE_AFTER_TASK_CHANGE[noun]?.test(type) === false) return false
  if (data.task_id === input?.task_id) return true
  return HOLDS_OTHER_TASKS.has(name) && mentionsTask(state.data, Number(data.task_id))
}

/** A task lists its subtasks, so it becomes stale when one is created, added or removed. */
const parentIdsIn = ({ parent_task_id, before, after }: Change['data']) =>
  [parent_task_id, before?.parent_task_id, after?.parent_task_id].filter((id) => id != null)

const mentionsTask = (answer: unknown, task_id: number) =>
  new RegExp(`_id":${task_id}\\b`).test(JSON.stringify(answer) ?? '')

/** Marks the queries that the changes affect as stale; those on screen are fetched again. */
export const invalidateStale = (changes: readonly Change[]) =>
  void cache.invalidateQueries({
    predicate: (query) => changes.some((change) => isStale(query, change)),
  })
