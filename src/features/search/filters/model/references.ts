import { and, inArray, isNull, not, or } from 'drizzle-orm'
import { agents } from '../../../agents/agents/model/index.ts'
import { labels, taskLabels } from '../../../boards/labels/model/index.ts'
import { foldName } from '../../../boards/projects/model/index.ts'
import { sections, sectionsById } from '../../../boards/sections/model/index.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { members } from '../../../identity/teams/model/index.ts'
import { hasAssignee, taskAssignees } from '../../../tasks/assignees/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import {
  anyOf,
  choiceFacet,
  type Facet,
  type FilterContext,
  invalidFilter,
  never,
  type Scalar,
} from './facets.ts'
import { hasRow, isLinked } from './links.ts'
import { onBoards } from './scope.ts'

/**
 * Filters by referenced objects: sections, labels, people, tasks. A deleted reference matches no
 * task.
 */

const isNumber = (ref: Scalar) => typeof ref === 'number' || /^\d{1,9}$/.test(String(ref))

function warnNotFound({ ctx, named: field }: FilterContext, kind: string, reference: Scalar): void {
  const quoted = typeof reference === 'number' ? reference : `"${String(reference).slice(0, 100)}"`
  ctx.warn(field, 'not_found', `${field}: there is no ${kind} ${quoted}`)
}

/** Resolves all references to ids. Unknown ones cause a warning. */
async function resolveAll(
  request: FilterContext,
  kind: string,
  refs: readonly Scalar[],
  find: (ref: Scalar) => number[] | Promise<number[]>,
): Promise<number[]> {
  const ids = new Set<number>()
  for (const ref of refs) {
    const found = await find(ref)
    if (!found.length) warnNotFound(request, kind, ref)
    for (const id of found) ids.add(id)
  }
  return [...ids]
}

/** Titles are compared in code, because databases fold the case of ASCII letters only. */
export function section(request: FilterContext): Facet {
  const { ctx, scope } = request
  return {
    any: async (refs) => {
      const sectionsInScope = refs.every((ref) => typeof ref === 'number')
        ? []
        : await ctx.tx
            .select({ section_id: sections.section_id, title: sections.title })
            .from(sections)
            .where(onBoards(ctx, scope, sections))
      const byId = await sectionsById(ctx.tx, refs.filter(isNumber).map(Number))
      const ids = await resolveAll(request, 'column', refs, (ref) => {
        const same = sectionsInScope.filter(
          ({ title }) => foldName(title) === foldName(String(ref)),
        )
        if (typeof ref !== 'number' && same.length) return same.map(({ section_id }) => section_id)
        const section = byId.get(Number(ref))
        const isInScope = scope.project_id === undefined || section?.project_id === scope.project_id
        return section && isInScope && scope.teams.includes(section.team_id)
          ? [section.section_id]
          : []
      })
      return ids.length ? inArray(tasks.section_id, ids) : never
    },
  }
}

export function label(request: FilterContext): Facet {
  const { ctx, scope } = request
  const links = async (refs: readonly Scalar[]) => ({
    ...{ table: taskLabels, column: taskLabels.label_id },
    ids: await findLabelIds(request, refs),
  })
  return {
    links,
    any: async (refs) => isLinked(ctx, scope, await links(refs)),
    empty: not(hasRow(ctx, taskLabels)),
  }
}

async function findLabelIds(request: FilterContext, refs: readonly Scalar[]): Promise<number[]> {
  const { ctx, scope } = request
  const labelsInScope = await ctx.tx
    .select({ label_id: labels.label_id, name: labels.name })
    .from(labels)
    .where(onBoards(ctx, scope, labels))
  return resolveAll(request, 'label', refs, (ref) =>
    labelsInScope
      .filter(
        ({ label_id, name }) =>
          foldName(name) === foldName(String(ref)) || String(label_id) === String(ref),
      )
      .map(({ label_id }) => label_id),
  )
}

export function assignee(request: FilterContext): Facet {
  const { ctx, scope } = request
  const isNone = (ref: Scalar) => foldName(String(ref)) === 'none'
  const isUnassigned = not(hasAssignee(ctx.tx))
  const linksTo = async (people: readonly Scalar[]) => ({
    ...{ table: taskAssignees, column: taskAssignees.actor_id },
    ids: await findActorIds(request, people),
  })
  return {
    links: async (refs) => (refs.some(isNone) ? undefined : linksTo(refs)),
    any: async (refs) => {
      const people = refs.filter((ref) => !isNone(ref))
      const isAssigned = isLinked(ctx, scope, await linksTo(people))
      return people.length < refs.length ? anyOf([isUnassigned, isAssigned]) : isAssigned
    },
    empty: isUnassigned,
  }
}

export function creator(request: FilterContext): Facet {
  return {
    any: async (refs) => {
      const ids = await findActorIds(request, refs)
      return ids.length ? inArray(tasks.created_by, ids) : never
    },
  }
}

/** The ids of people and agents of these teams, by `me` or `@me`, name, UUID or number. */
export const findActorIds = (request: FilterContext, refs: readonly Scalar[]): Promise<number[]> =>
  resolveAll(request, 'person or agent', refs, (ref) => actorIdsOf(request, ref))

/** The ids of everybody in these teams that one reference matches. */
async function actorIdsOf({ ctx, scope }: FilterContext, ref: Scalar): Promise<number[]> {
  const word = foldName(String(ref)).replace(/^@/, '')
  const teams = [...scope.teams]
  if (word === 'me' || word === 'self') return [ctx.caller.actor_id]
  if (isNumber(word)) return [Number(word)]
  const inTeams = ctx.tx
    .select({ actor_id: members.actor_id })
    .from(members)
    .where(inArray(members.team_id, teams))
  const ofTeams = ctx.tx
    .select({ actor_id: agents.actor_id })
    .from(agents)
    .where(inArray(agents.team_id, teams))
  const known = await ctx.tx
    .select({ actor_id: actors.actor_id, agent_id: actors.agent_id, name: actors.name })
    .from(actors)
    .where(or(inArray(actors.actor_id, inTeams), inArray(actors.actor_id, ofTeams)))
  return known
    .filter(({ agent_id, name }) => agent_id === word || foldName(name) === word)
    .map(({ actor_id }) => actor_id)
}

/** The parent task, by id or key. */
export function parent(request: FilterContext): Facet {
  const { ctx, scope } = request
  return {
    any: async (refs) => {
      const ids = refs.filter(isNumber).map(Number)
      const keys = refs.filter((ref) => !isNumber(ref)).map((ref) => String(ref).toUpperCase())
      const byKey = ctx.tx
        .select({ task_id: tasks.task_id })
        .from(tasks)
        .where(and(inArray(tasks.team_id, [...scope.teams]), inArray(tasks.ticket_number, keys)))
      const found = keys.length ? (await byKey).map(({ task_id }) => task_id) : []
      return choiceFacet(tasks.parent_task_id, Number).any!([...ids, ...found])
    },
    empty: isNull(tasks.parent_task_id),
  }
}

export const ticket = (request: FilterContext): Facet =>
  choiceFacet(tasks.ticket_number, (value) => {
    if (typeof value === 'string') return value.trim().toUpperCase()
    throw invalidFilter(
      request,
      'invalid_type',
      'the value must be a ticket key',
      value,
      'For example WEB-12',
    )
  })
