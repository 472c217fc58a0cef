import type { Tool } from '../../ai/types.ts'
import { fault } from '../../kernel/fault.ts'
import type { Tools } from './types.ts'

/**
 * The tools that a model always sees. It opens others by group, so that a small model is not given
 * too many tools.
 */
const CORE = new Set([
  'user_context.get',
  'projects.list',
  'projects.manifest',
  'projects.members',
  'tasks.list',
  'tasks.get',
  'tasks.context',
  'tasks.create_many',
  'tasks.update',
  'tasks.update_many',
  'tasks.assign_to',
  'tasks.unassign',
  'tasks.add_label',
  'tasks.remove_label',
  'comments.list',
  'comments.add',
  'my_tasks.list',
  'search.tasks',
  'search.semantic',
  'search.help',
  'leases.claim',
  'leases.release',
])

/** Operations whose names begin with these nouns are opened together. */
const GROUPS = {
  boards: ['projects', 'sections', 'labels'],
  rules: ['rules'],
  tasks: ['tasks', 'relations', 'custom_fields'],
  templates: ['templates'],
  comments: ['comments', 'drafts'],
  pages: ['pages'],
  views: ['views', 'my_tasks', 'calendar'],
  inbox: ['inbox', 'decision_requests'],
  time: ['time'],
  files: ['attachments'],
  agents: ['agents', 'runs', 'webhooks', 'leases'],
  reports: ['reports'],
  skills: ['skills', 'guidance'],
  profile: ['user_context', 'feedback', 'search'],
} as const

const DESCRIPTIONS: Record<keyof typeof GROUPS, string> = {
  boards: 'open, change, archive boards; columns, labels, members, playbook',
  rules: 'rules of a board: what it does by itself',
  tasks: 'create one, move, snooze, subtasks, relations, versions, custom fields, next',
  templates: 'task templates',
  comments: 'edit and delete comments; drafts',
  pages: 'markdown pages of tasks',
  views: 'saved views; calendar',
  inbox: 'notifications; decision requests',
  time: 'timers and time spent',
  files: 'attached files',
  agents: 'agents, their runs and webhooks',
  reports: 'saved reports',
  skills: 'reusable instructions; versions of playbooks and instructions',
  profile: 'own profile; feedback about Corkboard',
}

export const CORE_GROUP = 'core'
export const MORE_TOOLS = 'more_tools'

export function groupOf(op: string): string {
  if (CORE.has(op)) return CORE_GROUP
  const noun = op.split('.')[0]!
  const [group] =
    Object.entries(GROUPS).find(([, nouns]) => (nouns as readonly string[]).includes(noun)) ?? []
  if (!group) throw new Error(`${op} is in the chat, and in no group of its tools`)
  return group
}

/** The core tools and those of the opened groups. */
export function visibleTools(tools: Tools, opened: ReadonlySet<string>): Tool[] {
  const isShown = (group: string) => group === CORE_GROUP || opened.has(group)
  const visible = [...tools.values()].filter(({ group }) => isShown(group)).map(toTool)
  const closed = groupsIn(tools).filter((group) => !opened.has(group))
  return closed.length ? [...visible, moreTools(closed)] : visible
}

const toTool = ({ name, description, schema }: Tool): Tool => ({ name, description, schema })

const groupsIn = (tools: Tools): string[] => {
  const present = new Set([...tools.values()].map(({ group }) => group))
  return Object.keys(GROUPS).filter((group) => present.has(group))
}

const moreTools = (closed: readonly string[]): Tool => ({
  name: MORE_TOOLS,
  description: `Opens more tools, for what those at hand cannot do.\n${closed
    .map((group) => `${group}: ${DESCRIPTIONS[group as keyof typeof GROUPS]}`)
    .join('\n')}`,
  schema: {
    type: 'object',
    properties: { group: { type: 'string', enum: closed } },
    required: ['group'],
    additionalProperties: false,
  },
})

/** The call of `more_tools` that makes a tool available. */
export function openingCall(tools: Tools, name: string): string | undefined {
  const group = tools.get(name)?.group
  return group && `${MORE_TOOLS} ${JSON.stringify({ group })}`
}

/** Handles a call of `more_tools`. */
export function openGroup(tools: Tools, opened: Set<string>, input: unknown): string {
  const { group } = (typeof input === 'object' && input !== null ? input : {}) as {
    group?: unknown
  }
  const known = groupsIn(tools)
  if (typeof group !== 'string' || !known.includes(group))
    throw fault.invalid('group', 'out_of_range', `group must be one of ${known.join(', ')}`, group)
  opened.add(group)
  const names = [...tools.values()].filter((tool) => tool.group === group).map(({ name }) => name)
  return `You can now call ${names.join(', ')}`
}
