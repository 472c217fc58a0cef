import { useDeferredValue } from 'react'
import { useAsk } from '../data/cache.ts'
import { fit } from '../frame/rank.ts'

/** One of those that what is typed may mean. */
export interface Choice {
  id: string
  /** What is written in the place of what was typed. */
  words: string
  name: string
  end: string
}

interface Typed {
  kind: 'skill' | 'name'
  /** Where it begins in the text. */
  from: number
  query: string
}

/** What is being typed before the caret, where that can be completed. */
export function typedAt(text: string, caret: number): Typed | undefined {
  const before = text.slice(0, caret)
  const skill = /^\/([\p{L}\d-]*)$/u.exec(before)
  if (skill) return { kind: 'skill', from: 0, query: skill[1]! }
  const name = /(?:^|\s)@([\p{L}\p{N}._-]*)$/u.exec(before)
  if (name) return { kind: 'name', from: caret - name[1]!.length - 1, query: name[1]! }
  return undefined
}

const MOST = 8
const NONE: readonly Choice[] = []

/** Skills behind a /, people, agents and tasks behind an @; nothing while skills are fetched. */
export function useChoices(typed: Typed | undefined, project_id: number | undefined) {
  const skills = useSkills(typed?.kind === 'skill', project_id)
  const names = useNames(typed?.kind === 'name' ? typed.query : undefined, project_id)
  if (!typed) return NONE
  if (typed.kind === 'name') return names
  return skills?.filter(({ words }) => fit(typed.query, words.slice(1)) > 0).slice(0, MOST)
}

/** One's own and the board's; the board's is meant where both have the slug. */
function useSkills(isOn: boolean, project_id: number | undefined) {
  const asked = { limit: 50, sort: 'title:asc' }
  const own = useAsk('skills.list', asked, { enabled: isOn }).data?.items
  const board = useAsk(
    'skills.list',
    { ...asked, ...(project_id !== undefined && { project_id }) },
    { enabled: isOn && project_id !== undefined },
  ).data?.items
  if (!own || (project_id !== undefined && !board)) return undefined
  const on = [...own, ...(board ?? [])].filter(({ enabled }) => enabled)
  const bySlug = new Map(on.map((one) => [one.slug, one]))
  return [...bySlug.values()].map(
    ({ slug, description, argument_hint }): Choice => ({
      ...{ id: `skill ${slug}`, words: `/${slug} `, end: description },
      name: `/${slug}${argument_hint ? ` ${argument_hint}` : ''}`,
    }),
  )
}

function useNames(query: string | undefined, project_id: number | undefined): readonly Choice[] {
  const late = useDeferredValue(query)
  const { data } = useAsk(
    'projects.members',
    { project_id: project_id ?? 0, limit: 50 },
    { enabled: project_id !== undefined && query !== undefined },
  )
  const members = data?.items ?? []
  const tasks = useAsk(
    'search.tasks',
    { query: late || 'is:open', limit: 5, ...(project_id !== undefined && { project_id }) },
    { enabled: late !== undefined, keep: true },
  )
  if (query === undefined) return NONE
  const people = members
    .filter(({ name }) => fit(query, name) > 0)
    .map(({ name, kind, user_id, agent_id }) => ({
      ...{ id: `who ${agent_id ?? user_id}`, words: `@${name} `, name },
      end: kind === 'agent' ? 'agent' : '',
    }))
  const found = (tasks.data?.items ?? []).map(({ ticket_number, title }) => ({
    ...{ id: `task ${ticket_number}`, words: `${ticket_number} `, name: ticket_number, end: title },
  }))
  return [...people.slice(0, MOST - Math.min(found.length, 4)), ...found].slice(0, MOST)
}
