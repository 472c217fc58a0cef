import { useOperation } from '../../data/cache.ts'
import { tasksIn, useQuickFind } from '../../entities/quick-find/quick-find.ts'
import { matchScore } from '../../kit/rank.ts'

/** A completion. */
export interface Choice {
  id: string
  /** The text that replaces the prefix. */
  replacement: string
  name: string
  end: string
}

interface Prefix {
  kind: 'skill' | 'name' | 'task'
  /** The offset of the prefix in the text. */
  from: number
  query: string
}

/** The prefix before the caret to complete: `/skill` at the start, `@name`, or `#task`. */
export function prefixAt(text: string, caret: number): Prefix | undefined {
  const before = text.slice(0, caret)
  const skill = /^\/([\p{L}\d-]*)$/u.exec(before)
  if (skill) return { kind: 'skill', from: 0, query: skill[1]! }
  const name = /(?:^|\s)@([\p{L}\p{N}._-]*)$/u.exec(before)
  if (name) return { kind: 'name', from: caret - name[1]!.length - 1, query: name[1]! }
  const task = /(?:^|\s)#([\p{L}\p{N}-]+)$/u.exec(before)
  if (task) return { kind: 'task', from: caret - task[1]!.length - 1, query: task[1]! }
  return undefined
}

const MAX_CHOICES = 8
const NONE: readonly Choice[] = []

/**
 * Completes skills after `/`, people, agents and tasks after `@`, and tasks after `#`. Undefined
 * while skills load.
 */
export function useChoices(prefix: Prefix | undefined, project_id: number | undefined) {
  const skills = useSkills(prefix?.kind === 'skill', project_id)
  const names = useNames(prefix?.kind === 'name' ? prefix.query : undefined, project_id)
  const tasks = useTasks(prefix && prefix.kind !== 'skill' ? prefix.query : undefined, project_id)
  if (!prefix) return NONE
  if (prefix.kind === 'task') return tasks
  if (prefix.kind === 'name')
    return [...names.slice(0, MAX_CHOICES - Math.min(tasks.length, 4)), ...tasks].slice(
      0,
      MAX_CHOICES,
    )
  return skills
    ?.filter(({ replacement }) => matchScore(prefix.query, replacement.slice(1)) > 0)
    .slice(0, MAX_CHOICES)
}

/** The user's own skills and the board's. If both have a slug, the board's skill wins. */
function useSkills(isEnabled: boolean, project_id: number | undefined) {
  const query = { limit: 50, sort: 'title:asc' }
  const ownSkills = useOperation('skills.list', query, { enabled: isEnabled }).data?.items
  const board = useOperation(
    'skills.list',
    { ...query, ...(project_id !== undefined && { project_id }) },
    { enabled: isEnabled && project_id !== undefined },
  ).data?.items
  if (!ownSkills || (project_id !== undefined && !board)) return undefined
  const enabledSkills = [...ownSkills, ...(board ?? [])].filter(({ enabled }) => enabled)
  const bySlug = new Map(enabledSkills.map((one) => [one.slug, one]))
  return [...bySlug.values()].map(
    ({ slug, description, argument_hint }): Choice => ({
      ...{ id: `skill ${slug}`, replacement: `/${slug} `, end: description },
      name: `/${slug}${argument_hint ? ` ${argument_hint}` : ''}`,
    }),
  )
}

/** People and agents; those of the board come first while nothing is typed. */
function useNames(query: string | undefined, project_id: number | undefined): readonly Choice[] {
  const scope = project_id === undefined ? {} : { project_id }
  const { data } = useOperation(
    'projects.members',
    { project_id: project_id ?? 0, limit: MAX_CHOICES },
    { enabled: project_id !== undefined && query === '' },
  )
  const quick = useQuickFind(query ?? '', { kinds: 'person', limit: MAX_CHOICES, ...scope })
  if (query === undefined) return NONE
  const people = query
    ? quick.matches.map(({ id, kind, title }) => ({ id, kind, name: title }))
    : (data?.items ?? []).map(({ kind, user_id, agent_id, name }) => ({
        ...{ id: agent_id ?? user_id ?? 0, kind, name },
      }))
  return people.map(({ id, kind, name }) => ({
    ...{ id: `who ${id}`, replacement: `@${name} `, name },
    end: kind === 'agent' ? 'agent' : '',
  }))
}

const MAX_TASKS = 5

/** Tasks by title or key; open ones while nothing is typed. */
function useTasks(query: string | undefined, project_id: number | undefined): readonly Choice[] {
  const scope = project_id === undefined ? {} : { project_id }
  const openTasks = useOperation(
    'search.tasks',
    { query: 'is:open', limit: MAX_TASKS, ...scope },
    { enabled: query === '' },
  )
  const quick = useQuickFind(query ?? '', { kinds: 'task', limit: MAX_TASKS, ...scope })
  if (query === undefined) return NONE
  const tasks = query ? tasksIn(quick.matches) : (openTasks.data?.items ?? [])
  return tasks.map(({ ticket_number, title }) => ({
    ...{ id: `task ${ticket_number}`, replacement: `${ticket_number} ` },
    ...{ name: ticket_number, end: title },
  }))
}
