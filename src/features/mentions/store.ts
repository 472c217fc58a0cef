import type { Format } from '../../content/index.ts'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { boardActors, findBoardActor } from '../members/index.ts'
import type { ActorRow } from '../people/index.ts'
import type { Project } from '../projects/index.ts'
import { type AtWord, atWords, names } from './rules.ts'
import type { Mention } from './schema.ts'

export interface Mentioning {
  /** Left out: those who are mentioned already. */
  mentions: readonly Mention[] | undefined
  text: string
  format: Format
  /** Where the text stands in the request. */
  field: 'text' | 'description'
  /** Mentioned before, who stay so though they may see the board no more. */
  known?: readonly ActorRow[]
  /** What else a word behind an @ may name; asked only where there are such words. */
  others?(): Promise<readonly string[]>
}

const MOST_WARNINGS = 5

/**
 * Whom a text mentions. Each must be able to see the board: who cannot is told nothing, and of them
 * nothing is told. What only reads like a mention is warned of.
 */
export async function mentionsIn(
  ctx: Context,
  project: Project,
  { mentions, text, format, field, known = [], others }: Mentioning,
): Promise<ActorRow[]> {
  const meant = new Map<number, ActorRow>()
  const said: string[] = []
  for (const [at, mention] of mentions?.entries() ?? []) {
    const actor = await mentioned(ctx, project, mention, `mentions.${at}`, known)
    meant.set(actor.actor_id, actor)
    said.push(actor.name, ...(mention.display_name ? [mention.display_name.trim()] : []))
    compare(ctx, actor, mention, at)
  }
  const all = mentions ? [...meant.values()] : [...known]
  const covered = [...said, ...all.map(({ name }) => name)]
  const unmet = atWords(text, format).filter((word) => !covered.some((name) => names(word, name)))
  const called = unmet.length ? ((await others?.()) ?? []) : []
  const open = unmet.filter(({ word }) => !called.includes(word))
  if (open.length) await warn(ctx, project, field, open.slice(0, MOST_WARNINGS))
  return all
}

/** Of these, whom a text in markdown names with an @. */
export const addressedIn = (text: string, some: readonly ActorRow[]): ActorRow[] => {
  const words = atWords(text, 'markdown')
  return some.filter(({ name }) => words.some((word) => names(word, name)))
}

async function mentioned(
  ctx: Context,
  project: Project,
  { user_id, agent_id }: Mention,
  field: string,
  known: readonly ActorRow[],
): Promise<ActorRow> {
  if ((user_id === undefined) === (agent_id === undefined))
    throw fault.invalid(
      field,
      user_id === undefined ? 'required' : 'conflict',
      `${field} must name one: a person by user_id or an agent by agent_id`,
      undefined,
      'svc_projects members lists who can see the board',
    )
  const before = known.find((one) =>
    agent_id === undefined
      ? one.kind === 'person' && one.actor_id === user_id
      : one.agent_id === agent_id.toLowerCase(),
  )
  if (before) return before
  return user_id === undefined
    ? findBoardActor(ctx, project, agent_id!, `${field}.agent_id`)
    : findBoardActor(ctx, project, user_id, `${field}.user_id`)
}

/** A wrong number notifies somebody else, which the name beside it gives away. */
function compare(ctx: Context, { name }: ActorRow, { display_name }: Mention, at: number): void {
  if (!display_name || like(display_name) === like(name)) return
  const message = `mentions.${at} notifies ${name}, though display_name is "${display_name}"`
  ctx.warn(`mentions.${at}.display_name`, 'conflict', message)
}

const like = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase()

async function warn(ctx: Context, project: Project, field: string, open: AtWord[]) {
  const everybody = await boardActors(ctx, project)
  for (const at of open) {
    const [actor, ...others] = everybody.filter((one) => meantBy(at, one))
    const hint =
      actor && !others.length
        ? `add ${JSON.stringify(asMention(actor))} to mentions`
        : 'pass mentions with user_id or agent_id and display_name; svc_projects members lists them'
    ctx.warn(field, 'unresolved_mention', `@${at.word} notifies nobody: ${hint}`)
  }
}

const meantBy = (at: AtWord, { name }: ActorRow) =>
  names(at, name) || like(name.split(' ')[0]!) === like(at.word)

const asMention = ({ kind, actor_id, agent_id, name }: ActorRow): Mention =>
  kind === 'person'
    ? { user_id: actor_id, display_name: name }
    : { agent_id: agent_id!, display_name: name }
