import type { Format } from '../../../../content/index.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import type { Project } from '../../../boards/projects/model/index.ts'
import { boardActors, findBoardActor } from '../../../identity/members/model/index.ts'
import type { ActorRow } from '../../../identity/people/model/index.ts'
import { type AtWord, atWords, matchesName } from './rules.ts'
import type { Mention } from './schema.ts'

export interface MentionInput {
  /** If undefined, the previous mentions are kept. */
  mentions: readonly Mention[] | undefined
  text: string
  format: Format
  /** The request field that holds the text. */
  field: 'text' | 'description'
  /**
   * Actors mentioned before the edit. They stay mentioned even if they lost access to the board.
   */
  previous?: readonly ActorRow[]
  /** Other things an @word may name. Called only if some words match no actor. */
  otherNames?(): Promise<readonly string[]>
}

const MAX_WARNINGS = 5

/**
 * Resolves the actors a text mentions. An actor who cannot see the board is refused like one who
 * does not exist. Each @word that resolves to nobody causes a warning.
 */
export async function resolveMentions(
  ctx: Context,
  project: Project,
  { mentions, text, format, field, previous = [], otherNames }: MentionInput,
): Promise<ActorRow[]> {
  const actorsById = new Map<number, ActorRow>()
  const writtenNames: string[] = []
  for (const [index, mention] of mentions?.entries() ?? []) {
    const actor = await findMentionedActor(ctx, project, mention, `mentions.${index}`, previous)
    actorsById.set(actor.actor_id, actor)
    writtenNames.push(actor.name, ...(mention.display_name ? [mention.display_name.trim()] : []))
    warnIfNameDiffers(ctx, actor, mention, index)
  }
  const actors = mentions ? [...actorsById.values()] : [...previous]
  const actorNames = [...writtenNames, ...actors.map(({ name }) => name)]
  const unmatched = atWords(text, format).filter(
    (word) => !actorNames.some((name) => matchesName(word, name)),
  )
  const ignored = unmatched.length ? ((await otherNames?.()) ?? []) : []
  const unresolved = unmatched.filter(({ word }) => !ignored.includes(word))
  if (unresolved.length)
    await warnUnresolved(ctx, project, field, unresolved.slice(0, MAX_WARNINGS))
  return actors
}

/** Returns those of the actors whom a markdown text names with an @. */
export const actorsNamedIn = (text: string, actors: readonly ActorRow[]): ActorRow[] => {
  const words = atWords(text, 'markdown')
  return actors.filter(({ name }) => words.some((word) => matchesName(word, name)))
}

async function findMentionedActor(
  ctx: Context,
  project: Project,
  { user_id, agent_id }: Mention,
  field: string,
  previous: readonly ActorRow[],
): Promise<ActorRow> {
  if ((user_id === undefined) === (agent_id === undefined))
    throw fault.invalid(
      field,
      user_id === undefined ? 'required' : 'conflict',
      `${field} needs either user_id (person) or agent_id (agent)`,
      undefined,
      'List the members of the board: svc_projects members',
    )
  const match = previous.find((actor) =>
    agent_id === undefined
      ? actor.kind === 'person' && actor.actor_id === user_id
      : actor.agent_id === agent_id.toLowerCase(),
  )
  if (match) return match
  return user_id === undefined
    ? findBoardActor(ctx, project, agent_id!, `${field}.agent_id`)
    : findBoardActor(ctx, project, user_id, `${field}.user_id`)
}

/** Warns if `display_name` differs from the actor's name: the id is probably wrong then. */
function warnIfNameDiffers(
  ctx: Context,
  { name }: ActorRow,
  { display_name }: Mention,
  index: number,
): void {
  if (!display_name || normalizeName(display_name) === normalizeName(name)) return
  const message = `mentions.${index} notifies ${name}, though display_name is "${display_name}"`
  ctx.warn(`mentions.${index}.display_name`, 'conflict', message)
}

const normalizeName = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase()

async function warnUnresolved(ctx: Context, project: Project, field: string, words: AtWord[]) {
  const candidates = await boardActors(ctx, project)
  for (const atWord of words) {
    const [actor, ...others] = candidates.filter((candidate) => mayMean(atWord, candidate))
    const hint =
      actor && !others.length
        ? `add ${JSON.stringify(toMention(actor))} to mentions`
        : 'pass mentions with user_id or agent_id and display_name; svc_projects members lists them'
    ctx.warn(field, 'unresolved_mention', `@${atWord.word} notifies nobody: ${hint}`)
  }
}

const mayMean = (atWord: AtWord, { name }: ActorRow) =>
  matchesName(atWord, name) || normalizeName(name.split(' ')[0]!) === normalizeName(atWord.word)

const toMention = ({ kind, actor_id, agent_id, name }: ActorRow): Mention =>
  kind === 'person'
    ? { user_id: actor_id, display_name: name }
    : { agent_id: agent_id!, display_name: name }
