import { eq } from 'drizzle-orm'
import type { Context } from '../../../kernel/caller.ts'
import { agentsOfTeam, manages } from '../../agents/index.ts'
import { boardActors } from '../../members/index.ts'
import { type ActorRow, actors } from '../../people/index.ts'
import type { Project } from '../../projects/index.ts'
import { type Called, calledBy, type Mark, marksIn } from './marks.ts'
import { type Reading, some, take } from './named.ts'

/**
 * Who of the board a line names: people by their whole or first name, agents by their whole one, if
 * the caller may assign them; `me` is the caller.
 */
export async function assigneesNamed(ctx: Context, board: Project, reading: Reading) {
  const marks = marksIn(reading.free, '@')
  if (!marks.length) return []
  const all = await boardActors(ctx, board)
  const mine = await assignable(ctx, board)
  const found = new Map<number, ActorRow>()
  for (const mark of marks) {
    const called = actorCalled(ctx, reading.free, mark, all)
    const [actor, ...others] = called?.rows ?? []
    const may = actor?.kind === 'person' || mine.has(actor?.actor_id ?? 0)
    if (actor && !others.length && may) {
      take(reading, 'assignees', mark.from, called!.to)
      found.set(actor.actor_id, actor)
    } else if (others.length) several(reading, board, mark, called!.rows)
    else if (actor) notYours(reading, actor)
    else
      nobody(
        reading,
        board,
        mark,
        all.filter(({ kind }) => kind === 'person'),
      )
  }
  return [...found.values()]
}

/** The agents that work is handed to by the caller, who may be one. */
async function assignable(ctx: Context, { team_id }: Project): Promise<Set<number>> {
  const agents = (await agentsOfTeam(ctx.tx, team_id, 'active')).filter(
    (agent) => agent.actor_id === ctx.caller.actor_id || manages(ctx, agent),
  )
  return new Set(agents.map(({ actor_id }) => actor_id))
}

function actorCalled(
  { caller }: Context,
  line: string,
  mark: Mark,
  all: readonly ActorRow[],
): Called<ActorRow> | undefined {
  const people = all.filter(({ kind }) => kind === 'person')
  const own = all.filter(({ actor_id }) => actor_id === caller.actor_id)
  return (
    calledBy(line, mark, all, ({ name }) => name) ??
    calledBy(line, mark, people, ({ name }) => name.split(/\s+/)[0]!) ??
    calledBy(line, mark, own, () => 'me')
  )
}

const listed = (rows: readonly ActorRow[]) =>
  some(
    rows.map(({ kind, name, actor_id, agent_id }) =>
      kind === 'person' ? `${name} (user_id ${actor_id})` : `${name} (agent ${agent_id})`,
    ),
  )

function several(
  { notes }: Reading,
  { title }: Project,
  { word }: Mark,
  rows: readonly ActorRow[],
) {
  const message = `@${word} stays in the title: it fits several on "${title}": ${listed(rows)}`
  notes.push({ code: 'ambiguous', message })
}

function notYours({ notes }: Reading, { name }: ActorRow) {
  const why = 'only its owner or an admin of the team may assign this agent'
  notes.push({ code: 'forbidden', message: `@${name} stays in the title: ${why}` })
}

function nobody(
  { notes }: Reading,
  { title }: Project,
  { word }: Mark,
  people: readonly ActorRow[],
) {
  const why = `nobody on "${title}" is called so`
  const message = `@${word} stays in the title: ${why}. People: ${listed(people)}`
  notes.push({ code: 'not_found', message })
}

export async function oneself({ tx, caller }: Context): Promise<ActorRow[]> {
  return tx.select().from(actors).where(eq(actors.actor_id, caller.actor_id))
}
