import { inArray } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { nearest } from '../../kernel/validate.ts'
import { type ActorRow, people } from '../people/index.ts'
import { folded, type Project } from '../projects/index.ts'
import { boardActors } from './store.ts'

/** Everybody who may be meant on a board, with the addresses of the people. */
export interface Known {
  project: Project
  actors: readonly ActorRow[]
  emails: ReadonlyMap<number, string>
}

/** Those who see the board, and whoever else holds what is talked of. */
export async function knownOn(
  ctx: Context,
  project: Project,
  holding: readonly ActorRow[] = [],
): Promise<Known> {
  const all = [...(await boardActors(ctx, project)), ...holding]
  const actors = [...new Map(all.map((one) => [one.actor_id, one])).values()]
  const ids = actors.map(({ actor_id }) => actor_id)
  const rows = await ctx.tx.select().from(people).where(inArray(people.actor_id, ids))
  return { project, actors, emails: new Map(rows.map((row) => [row.actor_id, row.email])) }
}

/**
 * Whom a person means who says `me`, a name, an e-mail, a user id or the UUID of an agent. Where it
 * may be two of them, neither is guessed.
 */
export function actorSaid(ctx: Context, known: Known, said: string, field: string): ActorRow {
  const matches = matching(ctx, known, folded(said).replace(/^@/, ''))
  if (matches.length > 1) throw ambiguous(ctx, known, said, field, matches)
  return matches[0] ?? unknown(known, said, field)
}

function matching({ caller }: Context, { actors, emails }: Known, word: string): ActorRow[] {
  const fit = (fits: (one: ActorRow) => boolean) => actors.filter(fits)
  if (word === 'me' || word === 'self') return fit((one) => one.actor_id === caller.actor_id)
  const byId = fit((one) =>
    one.kind === 'agent' ? one.agent_id === word : String(one.actor_id) === word,
  )
  if (byId.length) return byId
  return fit((one) => folded(one.name) === word || folded(emails.get(one.actor_id) ?? '') === word)
}

function ambiguous(
  { caller }: Context,
  { project, emails }: Known,
  said: string,
  field: string,
  matches: readonly ActorRow[],
): Fault {
  // A guest works with the team on single boards and is not handed its address book.
  const isGuest = caller.teams.get(project.team_id) === 'guest'
  const candidates = matches.map(({ kind, actor_id, agent_id, name }) => {
    if (kind === 'agent') return { kind, agent_id, name }
    const email = isGuest ? undefined : emails.get(actor_id)
    return { kind, user_id: actor_id, name, ...(email && { email }) }
  })
  const named = matches.map(({ kind, actor_id, agent_id, name }) =>
    kind === 'agent' ? `the agent ${name} (${agent_id})` : `${name} (user id ${actor_id})`,
  )
  return new Fault(
    'ambiguous',
    `"${said.slice(0, 100)}" may be ${named.join(' or ')} on the board "${project.title}"`,
    { field, code: 'ambiguous', value: said.slice(0, 200), candidates },
    'Ask who is meant; then name a person by user id or e-mail, an agent by its UUID',
  )
}

function unknown({ project, actors }: Known, said: string, field: string): never {
  const names = actors.map(({ name }) => name)
  const near = nearest(said.trim(), names)
  throw fault.invalid(
    field,
    'not_found',
    `Nobody who can see the board "${project.title}" is called "${said.slice(0, 100)}"`,
    said,
    near
      ? `Did you mean ${near}?`
      : `Those who can see it are ${names.slice(0, 20).join(', ')}${names.length > 20 ? ' …' : ''}`,
  )
}
