import { inArray } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { closestWord } from '../../../../kernel/validate.ts'
import { foldName, type Project } from '../../../boards/projects/model/index.ts'
import { type ActorRow, people } from '../../people/model/index.ts'
import { boardActors } from './store.ts'

/** The actors that a text on a board may refer to, with the emails of the people. */
export interface ActorCandidates {
  project: Project
  actors: readonly ActorRow[]
  emails: ReadonlyMap<number, string>
}

/** Returns everybody who can see the board, and the given holders. */
export async function actorCandidates(
  ctx: Context,
  project: Project,
  holders: readonly ActorRow[] = [],
): Promise<ActorCandidates> {
  const everybody = [...(await boardActors(ctx, project)), ...holders]
  const actors = [...new Map(everybody.map((actor) => [actor.actor_id, actor])).values()]
  const ids = actors.map(({ actor_id }) => actor_id)
  const rows = await ctx.tx.select().from(people).where(inArray(people.actor_id, ids))
  return { project, actors, emails: new Map(rows.map((row) => [row.actor_id, row.email])) }
}

/**
 * Resolves `me`, a name, an email, a user id or the UUID of an agent to an actor. Throws if several
 * actors match.
 */
export function resolveActor(
  ctx: Context,
  candidates: ActorCandidates,
  text: string,
  field: string,
): ActorRow {
  const matches = matchActors(ctx, candidates, foldName(text).replace(/^@/, ''))
  if (matches.length > 1) throw ambiguous(ctx, candidates, text, field, matches)
  return matches[0] ?? actorNotFound(candidates, text, field)
}

function matchActors(
  { caller }: Context,
  { actors, emails }: ActorCandidates,
  key: string,
): ActorRow[] {
  const filterBy = (matches: (actor: ActorRow) => boolean) => actors.filter(matches)
  if (key === 'me' || key === 'self') return filterBy((actor) => actor.actor_id === caller.actor_id)
  const byId = filterBy((actor) =>
    actor.kind === 'agent' ? actor.agent_id === key : String(actor.actor_id) === key,
  )
  if (byId.length) return byId
  return filterBy(
    (actor) => foldName(actor.name) === key || foldName(emails.get(actor.actor_id) ?? '') === key,
  )
}

function ambiguous(
  { caller }: Context,
  { project, emails }: ActorCandidates,
  text: string,
  field: string,
  matches: readonly ActorRow[],
): Fault {
  // Guests work with the team on single boards and do not see the email addresses.
  const isGuest = caller.teams.get(project.team_id) === 'guest'
  const candidates = matches.map(({ kind, actor_id, agent_id, name }) => {
    if (kind === 'agent') return { kind, agent_id, name }
    const email = isGuest ? undefined : emails.get(actor_id)
    return { kind, user_id: actor_id, name, ...(email && { email }) }
  })
  const descriptions = matches.map(({ kind, actor_id, agent_id, name }) =>
    kind === 'agent' ? `the agent ${name} (${agent_id})` : `${name} (user_id ${actor_id})`,
  )
  return new Fault(
    'ambiguous',
    `"${text.slice(0, 100)}" matches ${descriptions.join(' and ')} on the board "${project.title}"`,
    { field, code: 'ambiguous', value: text.slice(0, 200), candidates },
    'Ask who is meant, then use the user_id or email of a person, or the UUID of an agent',
  )
}

function actorNotFound({ project, actors }: ActorCandidates, text: string, field: string): never {
  const names = actors.map(({ name }) => name)
  const closest = closestWord(text.trim(), names)
  throw fault.invalid(
    field,
    'not_found',
    `No member of the board "${project.title}" is called "${text.slice(0, 100)}"`,
    text,
    closest
      ? `Did you mean ${closest}?`
      : `Its members are ${names.slice(0, 20).join(', ')}${names.length > 20 ? ' …' : ''}`,
  )
}
