import { and, eq, exists, inArray, isNull, not, or, type SQL, sql } from 'drizzle-orm'
import { agents } from '../../agents/index.ts'
import { labels } from '../../labels/index.ts'
import { actors } from '../../people/index.ts'
import { folded } from '../../projects/index.ts'
import { sections, sectionsById } from '../../sections/index.ts'
import { members } from '../../teams/index.ts'
import { taskAssignees, taskLabels, tasks } from '../tables.ts'
import { type Asked, anyOf, choice, type Facet, never, type Scalar, wrong } from './facets.ts'
import { onBoards } from './scope.ts'

/** Fields that name something else: a column, labels, people, a task. What is gone fits no task. */

const isNumber = (ref: Scalar) => typeof ref === 'number' || /^\d{1,9}$/.test(String(ref))

function warn({ ctx, named }: Asked, what: string, ref: Scalar): void {
  const quoted = typeof ref === 'number' ? ref : `"${String(ref).slice(0, 100)}"`
  ctx.warn(named, 'not_found', `${named}: there is no ${what} ${quoted}`)
}

/** Each ref's numbers together; whoever names nothing is told. */
async function gathered(
  asked: Asked,
  what: string,
  refs: readonly Scalar[],
  find: (ref: Scalar) => number[] | Promise<number[]>,
): Promise<number[]> {
  const ids = new Set<number>()
  for (const ref of refs) {
    const found = await find(ref)
    if (!found.length) warn(asked, what, ref)
    for (const id of found) ids.add(id)
  }
  return [...ids]
}

/** Titles are compared here: databases fold the case of ASCII alone. */
export function section(asked: Asked): Facet {
  const { ctx, scope } = asked
  return {
    any: async (refs) => {
      const titled = refs.every((ref) => typeof ref === 'number')
        ? []
        : await ctx.tx
            .select({ section_id: sections.section_id, title: sections.title })
            .from(sections)
            .where(onBoards(ctx, scope, sections))
      const byId = await sectionsById(ctx.tx, refs.filter(isNumber).map(Number))
      const ids = await gathered(asked, 'column', refs, (ref) => {
        const same = titled.filter(({ title }) => folded(title) === folded(String(ref)))
        if (typeof ref !== 'number' && same.length) return same.map(({ section_id }) => section_id)
        const one = byId.get(Number(ref))
        const here = scope.project_id === undefined || one?.project_id === scope.project_id
        return one && here && scope.teams.includes(one.team_id) ? [one.section_id] : []
      })
      return ids.length ? inArray(tasks.section_id, ids) : never
    },
  }
}

export function label(asked: Asked): Facet {
  const { ctx, scope } = asked
  const teams = [...scope.teams]
  const tagged = (by?: SQL) =>
    exists(
      ctx.tx
        .select({ one: sql`1` })
        .from(taskLabels)
        .where(
          and(eq(taskLabels.team_id, tasks.team_id), eq(taskLabels.task_id, tasks.task_id), by),
        ),
    )
  return {
    any: async (refs) => {
      const known = await ctx.tx
        .select({ label_id: labels.label_id, name: labels.name })
        .from(labels)
        .where(onBoards(ctx, scope, labels))
      const ids = await gathered(asked, 'label', refs, (ref) =>
        known
          .filter(
            (one) =>
              folded(one.name) === folded(String(ref)) || String(one.label_id) === String(ref),
          )
          .map(({ label_id }) => label_id),
      )
      if (!ids.length) return never
      // The sign keeps SQLite from looking through all that has these labels, once for each task.
      if (scope.few) return tagged(inArray(sql`+${taskLabels.label_id}`, ids))
      const holders = ctx.tx
        .select({ task_id: taskLabels.task_id })
        .from(taskLabels)
        .where(and(inArray(taskLabels.team_id, teams), inArray(taskLabels.label_id, ids)))
      return inArray(tasks.task_id, holders)
    },
    empty: not(tagged()),
  }
}

export function assignee(asked: Asked): Facet {
  const { ctx, scope } = asked
  const held = (by?: SQL) =>
    exists(
      ctx.tx
        .select({ one: sql`1` })
        .from(taskAssignees)
        .where(
          and(
            eq(taskAssignees.team_id, tasks.team_id),
            eq(taskAssignees.task_id, tasks.task_id),
            by,
          ),
        ),
    )
  const heldBy = (ids: readonly number[]): SQL => {
    const theirs = inArray(taskAssignees.actor_id, [...ids])
    // In a team somebody may hold far more tasks than a board has; without a board all are wanted.
    if (scope.project_id !== undefined || scope.few) return held(theirs)
    const all = ctx.tx
      .select({ task_id: taskAssignees.task_id })
      .from(taskAssignees)
      .where(and(inArray(taskAssignees.team_id, [...scope.teams]), theirs))
    return inArray(tasks.task_id, all)
  }
  const isNone = (ref: Scalar) => folded(String(ref)) === 'none'
  return {
    any: async (refs) => {
      const people = refs.filter((ref) => !isNone(ref))
      const ids = await gathered(asked, 'person or agent', people, (ref) => meant(asked, ref))
      return anyOf([
        ...(people.length < refs.length ? [not(held())] : []),
        ...(ids.length ? [heldBy(ids)] : []),
      ])
    },
    empty: not(held()),
  }
}

export function creator(asked: Asked): Facet {
  return {
    any: async (refs) => {
      const ids = await actorsMeant(asked, refs)
      return ids.length ? inArray(tasks.created_by, ids) : never
    },
  }
}

/** People and agents of these teams, by `me`, a name, a UUID or a number. */
export const actorsMeant = (asked: Asked, refs: readonly Scalar[]): Promise<number[]> =>
  gathered(asked, 'person or agent', refs, (ref) => meant(asked, ref))

/** Everybody in these teams who is meant by a word. */
async function meant({ ctx, scope }: Asked, ref: Scalar): Promise<number[]> {
  const word = folded(String(ref))
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
    .filter(({ agent_id, name }) => agent_id === word || folded(name) === word)
    .map(({ actor_id }) => actor_id)
}

/** The task that these are sub-tasks of, by its id or key. */
export function parent(asked: Asked): Facet {
  const { ctx, scope } = asked
  return {
    any: async (refs) => {
      const ids = refs.filter(isNumber).map(Number)
      const keys = refs.filter((ref) => !isNumber(ref)).map((ref) => String(ref).toUpperCase())
      const named = ctx.tx
        .select({ task_id: tasks.task_id })
        .from(tasks)
        .where(and(inArray(tasks.team_id, [...scope.teams]), inArray(tasks.ticket_number, keys)))
      const found = keys.length ? (await named).map(({ task_id }) => task_id) : []
      return choice(tasks.parent_task_id, Number).any!([...ids, ...found])
    },
    empty: isNull(tasks.parent_task_id),
  }
}

export const ticket = (asked: Asked): Facet =>
  choice(tasks.ticket_number, (given) => {
    if (typeof given === 'string') return given.trim().toUpperCase()
    throw wrong(asked, 'invalid_type', 'the value must be a ticket key', given, 'Write WEB-12')
  })
