import { eq } from 'drizzle-orm'
import type { Context } from '../../../../../kernel/caller.ts'
import { agentsOfTeam, manages } from '../../../../agents/agents/model/index.ts'
import type { Project } from '../../../../boards/projects/model/index.ts'
import { boardActors } from '../../../../identity/members/model/index.ts'
import { type ActorRow, actors } from '../../../../identity/people/model/index.ts'
import { findMarks, type Mark, type MarkMatch, matchMark } from './marks.ts'
import { joinNames, type Reading, takePart } from './references.ts'

/**
 * Finds the assignees that a line names: people by full or first name, agents by full name if the
 * caller may assign them, and `me` for the caller.
 */
export async function findAssignees(ctx: Context, board: Project, reading: Reading) {
  const marks = findMarks(reading.free, '@')
  if (!marks.length) return []
  const candidates = await boardActors(ctx, board)
  const assignableIds = await assignable(ctx, board)
  const found = new Map<number, ActorRow>()
  for (const mark of marks) {
    const match = matchActor(ctx, reading.free, mark, candidates)
    const [actor, ...others] = match?.rows ?? []
    const isAllowed = actor?.kind === 'person' || assignableIds.has(actor?.actor_id ?? 0)
    if (actor && !others.length && isAllowed) {
      takePart(reading, 'assignees', mark.from, match!.to)
      found.set(actor.actor_id, actor)
    } else if (others.length) noteSeveral(reading, board, mark, match!.rows)
    else if (actor) noteForbidden(reading, actor)
    else
      noteUnknown(
        reading,
        board,
        mark,
        candidates.filter(({ kind }) => kind === 'person'),
      )
  }
  return [...found.values()]
}

/** The ids of the agents that the caller may assign, including itself. */
async function assignable(ctx: Context, { team_id }: Project): Promise<Set<number>> {
  const agents = (await agentsOfTeam(ctx.tx, team_id, 'active')).filter(
    (agent) => agent.actor_id === ctx.caller.actor_id || manages(ctx, agent),
  )
  return new Set(agents.map(({ actor_id }) => actor_id))
}

function matchActor(
  { caller }: Context,
  line: string,
  mark: Mark,
  candidates: readonly ActorRow[],
): MarkMatch<ActorRow> | undefined {
  const people = candidates.filter(({ kind }) => kind === 'person')
  const own = candidates.filter(({ actor_id }) => actor_id === caller.actor_id)
  return (
    matchMark(line, mark, candidates, ({ name }) => name) ??
    matchMark(line, mark, people, ({ name }) => name.split(/\s+/)[0]!) ??
    matchMark(line, mark, own, () => 'me')
  )
}

const listActors = (rows: readonly ActorRow[]) =>
  joinNames(
    rows.map(({ kind, name, actor_id, agent_id }) =>
      kind === 'person' ? `${name} (user_id ${actor_id})` : `${name} (agent ${agent_id})`,
    ),
  )

function noteSeveral(
  { notes }: Reading,
  { title }: Project,
  { word }: Mark,
  rows: readonly ActorRow[],
) {
  const message = `@${word} stays in the title: it matches several on "${title}": ${listActors(rows)}`
  notes.push({ code: 'ambiguous', message })
}

function noteForbidden({ notes }: Reading, { name }: ActorRow) {
  const reason = 'only its owner or a team admin can assign this agent'
  notes.push({ code: 'forbidden', message: `@${name} stays in the title: ${reason}` })
}

function noteUnknown(
  { notes }: Reading,
  { title }: Project,
  { word }: Mark,
  people: readonly ActorRow[],
) {
  const reason = `nobody on "${title}" has that name`
  const message = `@${word} stays in the title: ${reason}. People: ${listActors(people)}`
  notes.push({ code: 'not_found', message })
}

export async function callerActor({ tx, caller }: Context): Promise<ActorRow[]> {
  return tx.select().from(actors).where(eq(actors.actor_id, caller.actor_id))
}
