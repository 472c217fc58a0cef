import { Fault } from '../../src/kernel/fault.ts'
import type { Random } from '../crash/random.ts'

export type Mode = 'replace' | 'append' | 'prepend'

export interface State {
  version: number
  content: string
}

/** A page as one writer uses it, over any surface. */
export interface Desk {
  /** Returns the version that it created. */
  write(change: { mode: Mode; content: string; if_version?: number }): Promise<number>
  read(version?: number): Promise<State>
}

interface Deed {
  name: string
  mode: Mode
  content: string
  /** A line that only this write contains. */
  piece: string
  if_version: number | undefined
  version: number
}

/** What writers sent and read, to compare with the versions that are stored in the end. */
export class Story {
  readonly deeds: Deed[] = []
  /** States that somebody read or got with a conflict. */
  readonly seen: State[] = []
  conflicts = 0
}

/** How a writer works: `replace` merges into the version it knows, `overwrite` does not. */
export type Manner = Mode | 'overwrite'

/** Writes pieces of one author until all of them are acknowledged. */
export async function scribble(
  name: string,
  desk: Desk,
  story: Story,
  chance: Random,
  { pieces, manners }: { pieces: number; manners: readonly Manner[] },
): Promise<void> {
  for (let at = 0; at < pieces; at++) {
    const piece = `${name} wrote ${at}`
    const manner = chance.pick(manners)
    if (manner === 'replace') await merge(name, desk, story, chance, piece)
    else await put(name, desk, story, piece, manner)
    if (chance.onceIn(4)) story.seen.push(await desk.read())
  }
}

async function put(name: string, desk: Desk, story: Story, piece: string, manner: Manner) {
  const mode = manner === 'overwrite' ? 'replace' : manner
  const version = await desk.write({ mode, content: piece })
  story.deeds.push({ name, mode, content: piece, piece, if_version: undefined, version })
}

/** Inserts a piece into the current text; after a conflict, into the text sent with it. */
async function merge(name: string, desk: Desk, story: Story, chance: Random, piece: string) {
  let base = await desk.read()
  story.seen.push(base)
  for (;;) {
    const blocks = base.content.split('\n\n')
    blocks.splice(chance.below(blocks.length + 1), 0, piece)
    const content = blocks.join('\n\n')
    const if_version = base.version
    const said = await desk
      .write({ mode: 'replace', content, if_version })
      .catch((error) => tooLate(error, if_version))
    if (typeof said === 'number') {
      story.deeds.push({ name, mode: 'replace', content, piece, if_version, version: said })
      return
    }
    story.conflicts++
    story.seen.push(said)
    base = said
  }
}

function tooLate(error: unknown, if_version: number): State {
  if (!(error instanceof Fault) || error.code !== 'conflict') throw error
  const { current, version } = error.details
  if (typeof current !== 'string' || typeof version !== 'number' || version <= if_version)
    throw new Error(`A conflict without the text of now: ${JSON.stringify(error.details)}`)
  return { content: current, version }
}

interface Kept {
  version: number
  author: string
  content: string
}

/** Every contradiction between a story and the stored versions, sorted from the first. */
export function contradictions(story: Story, kept: readonly Kept[], begun: string): string[] {
  const told: string[] = []
  const numbers = kept.map(({ version }) => version)
  if (numbers.some((version, at) => version !== at + 1))
    told.push(`the versions are ${numbers.join()}`)
  if (kept.length !== story.deeds.length + 1)
    told.push(`${kept.length} versions for ${story.deeds.length} acknowledged writes and the first`)
  if (kept[0]?.content !== begun) told.push('the first version is another text')
  const at = (version: number) => kept.find((one) => one.version === version)
  for (const deed of story.deeds)
    told.push(...wrongWith(deed, at(deed.version - 1), at(deed.version)))
  for (const { version, content } of story.seen)
    if (at(version)?.content !== content)
      told.push(`version ${version} was seen as a text that it never had`)
  const versions = story.deeds.map(({ version }) => version)
  if (new Set(versions).size < versions.length) told.push('two writes made one version')
  return told
}

function wrongWith(deed: Deed, before: Kept | undefined, after: Kept | undefined): string[] {
  const { name, piece, version, if_version } = deed
  if (!before || !after) return [`version ${version}, with "${piece}", is not there`]
  const told: string[] = []
  if (after.author !== name) told.push(`version ${version} is of ${after.author}, not of ${name}`)
  if (if_version !== undefined && version !== if_version + 1)
    told.push(`"${piece}" was for version ${if_version} and became ${version}`)
  if (after.content !== expected(deed, before.content))
    told.push(`version ${version} is not what came of "${piece}"`)
  return told
}

function expected({ mode, content }: Deed, before: string): string {
  if (mode === 'replace') return content
  return mode === 'append' ? `${before}\n\n${content}` : `${content}\n\n${before}`
}

/** Acknowledged pieces that do not occur exactly once in the text. */
export const missing = ({ deeds }: Story, content: string): string[] =>
  deeds
    .map(({ piece }) => piece)
    .filter((piece) => content.split('\n\n').filter((one) => one === piece).length !== 1)
