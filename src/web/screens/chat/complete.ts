import { useDeferredValue } from 'react'
import { useOperation } from '../../data/cache.ts'
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
  kind: 'skill' | 'name'
  /** The offset of the prefix in the text. */
  from: number
  query: string
}

/** The prefix before the caret that can be completed: `/skill` at the start, or `@name`. */
export function prefixAt(text: string, caret: number): Prefix | undefined {
  const before = text.slice(0, caret)
  const skill = /^\/([\p{L}\d-]*)$/u.exec(before)
  if (skill) return { kind: 'skill', from: 0, query: skill[1]! }
  const name = /(?:^|\s)@([\p{L}\p{N}._-]*)$/u.exec(before)
  if (name) return { kind: 'name', from: caret - name[1]!.length - 1, query: name[1]! }
  return undefined
}

const MAX_CHOICES = 8
const NONE: readonly Choice[] = []

/**
 * Completes skills after `/`, and people, agents and tasks after `@`. Undefined while skills load.
 */
export function useChoices(prefix: Prefix | undefined, project_id: number | undefined) {
  const skills = useSkills(prefix?.kind === 'skill', project_id)
  const names = useNames(prefix?.kind === 'name' ? prefix.query : undefined, project_id)
  if (!prefix) return NONE
  if (prefix.kind === 'name') return names
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

function useNames(query: string | undefined, project_id: number | undefined): readonly Choice[] {
  const deferredQuery = useDeferredValue(query)
  const { data } = useOperation(
    'projects.members',
    { project_id: project_id ?? 0, limit: 50 },
    { enabled: project_id !== undefined && query !== undefined },
  )
  const members = data?.items ?? []
  const tasks = useOperation(
    'search.tasks',
    {
      query: deferredQuery || 'is:open',
      limit: 5,
      ...(project_id !== undefined && { project_id }),
    },
    { enabled: deferredQuery !== undefined, keepPrevious: true },
  )
  if (query === undefined) return NONE
  const people = members
    .filter(({ name }) => matchScore(query, name) > 0)
    .map(({ name, kind, user_id, agent_id }) => ({
      ...{ id: `who ${agent_id ?? user_id}`, replacement: `@${name} `, name },
      end: kind === 'agent' ? 'agent' : '',
    }))
  const taskChoices = (tasks.data?.items ?? []).map(({ ticket_number, title }) => ({
    ...{
      id: `task ${ticket_number}`,
      replacement: `${ticket_number} `,
      name: ticket_number,
      end: title,
    },
  }))
  return [...people.slice(0, MAX_CHOICES - Math.min(taskChoices.length, 4)), ...taskChoices].slice(
    0,
    MAX_CHOICES,
  )
}
