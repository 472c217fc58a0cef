import { Fault } from '../../src/kernel/fault.ts'
import type { Random } from '../crash/random.ts'

export type Mode = 'replace' | 'append' | 'prepend'

export interface State {
  version: number
  content: string
}

/** A page as one writer uses it, over any surface. */
export interface PageClient {
  /** Returns the version that it created. */
  write(change: { mode: Mode; content: string; if_version?: number }): Promise<number>
  read(version?: number): Promise<State>
}

interface Write {
  name: string
  mode: Mode
  content: string
  /** A line that only this write contains. */
  piece: string
  if_version: number | undefined
  version: number
}

/** What writers sent and read, to compare with the versions that are stored in the end. */
export class WriteHistory {
  readonly writes: Write[] = []
  /** States that somebody read or got with a conflict. */
  readonly reads: State[] = []
  conflicts = 0
}

/** How a writer works: `replace` merges into the version it knows, `overwrite` does not. */
export type Strategy = Mode | 'overwrite'

/** Writes pieces of one author until all of them are acknowledged. */
export async function writePieces(
  name: string,
  client: PageClient,
  history: WriteHistory,
  random: Random,
  { pieces, strategies }: { pieces: number; strategies: readonly Strategy[] },
): Promise<void> {
  for (let at = 0; at < pieces; at++) {
    const piece = `${name} wrote ${at}`
    const strategy = random.pick(strategies)
    if (strategy === 'replace') await mergePiece(name, client, history, random, piece)
    else await writePiece(name, client, history, piece, strategy)
    if (random.onceIn(4)) history.reads.push(await client.read())
  }
}

async function writePiece(
  name: string,
  client: PageClient,
  history: WriteHistory,
  piece: string,
  strategy: Strategy,
) {
  const mode = strategy === 'overwrite' ? 'replace' : strategy
  const version = await client.write({ mode, content: piece })
  history.writes.push({ name, mode, content: piece, piece, if_version: undefined, version })
}

/** Inserts a piece into the current text; after a conflict, into the text sent with it. */
async function mergePiece(
  name: string,
  client: PageClient,
  history: WriteHistory,
  random: Random,
  piece: string,
) {
  let base = await client.read()
  history.reads.push(base)
  for (;;) {
    const blocks = base.content.split('\n\n')
    blocks.splice(random.below(blocks.length + 1), 0, piece)
    const content = blocks.join('\n\n')
    const if_version = base.version
    const result = await client
      .write({ mode: 'replace', content, if_version })
      .catch((error) => stateFromConflict(error, if_version))
    if (typeof result === 'number') {
      history.writes.push({ name, mode: 'replace', content, piece, if_version, version: result })
      return
    }
    history.conflicts++
    history.reads.push(result)
    base = result
  }
}

function stateFromConflict(error: unknown, if_version: number): State {
  if (!(error instanceof Fault) || error.code !== 'conflict') throw error
  const { current, version } = error.details
  if (typeof current !== 'string' || typeof version !== 'number' || version <= if_version)
    throw new Error(`A conflict without the current text: ${JSON.stringify(error.details)}`)
  return { content: current, version }
}

interface StoredVersion {
  version: number
  author: string
  content: string
}

/** Every contradiction between a story and the stored versions, sorted from the first. */
export function contradictions(
  history: WriteHistory,
  stored: readonly StoredVersion[],
  initialText: string,
): string[] {
  const problems: string[] = []
  const numbers = stored.map(({ version }) => version)
  if (numbers.some((version, at) => version !== at + 1))
    problems.push(`the versions are ${numbers.join()}`)
  if (stored.length !== history.writes.length + 1)
    problems.push(
      `${stored.length} versions for ${history.writes.length} acknowledged writes and the first`,
    )
  if (stored[0]?.content !== initialText) problems.push('the first version is another text')
  const versionAt = (version: number) => stored.find((one) => one.version === version)
  for (const write of history.writes)
    problems.push(...problemsOfWrite(write, versionAt(write.version - 1), versionAt(write.version)))
  for (const { version, content } of history.reads)
    if (versionAt(version)?.content !== content)
      problems.push(`version ${version} was read with a text that it never had`)
  const versions = history.writes.map(({ version }) => version)
  if (new Set(versions).size < versions.length) problems.push('two writes made one version')
  return problems
}

function problemsOfWrite(
  write: Write,
  before: StoredVersion | undefined,
  after: StoredVersion | undefined,
): string[] {
  const { name, piece, version, if_version } = write
  if (!before || !after) return [`version ${version}, with "${piece}", is not there`]
  const problems: string[] = []
  if (after.author !== name)
    problems.push(`version ${version} is by ${after.author}, not by ${name}`)
  if (if_version !== undefined && version !== if_version + 1)
    problems.push(`"${piece}" was for version ${if_version} and became ${version}`)
  if (after.content !== expected(write, before.content))
    problems.push(`version ${version} does not contain the result of "${piece}"`)
  return problems
}

function expected({ mode, content }: Write, before: string): string {
  if (mode === 'replace') return content
  return mode === 'append' ? `${before}\n\n${content}` : `${content}\n\n${before}`
}

/** Acknowledged pieces that do not occur exactly once in the text. */
export const missingPieces = ({ writes }: WriteHistory, content: string): string[] =>
  writes
    .map(({ piece }) => piece)
    .filter((piece) => content.split('\n\n').filter((one) => one === piece).length !== 1)
