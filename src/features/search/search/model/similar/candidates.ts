import { plainOf } from '../../../../../content/index.ts'
import type { RequestContext } from '../../../../../kernel/caller.ts'
import type { Passage, SearchIndex } from '../../../../../kernel/services.ts'
import type { DescriptionInput } from '../../../../tasks/descriptions/model/index.ts'

/** Tasks that score at least this are similar. */
export const SIMILAR_SCORE = 0.6
/** Nobody waits longer than this for similar tasks. */
const PATIENCE_MS = 25
/** Questions of one server that may be open; the index has other work. */
const MAX_OPEN = 2
/** After a late answer, no question is sent for this long. */
const PAUSE_MS = 250
/** Questions of one server at once and per second, so that many new tasks cost little. */
const BURST = 20
const PER_SECOND = 20
const MAX_TEXT = 2000
const PASSAGES = 10

interface Load {
  open: number
  pausedUntil: number
  /** Questions that may be sent now, and when that was computed. */
  allowed: number
  countedAt: number
}

const loads = new WeakMap<SearchIndex, Load>()

interface NewTask {
  project_id: number
  title: string
  described?: DescriptionInput | undefined
}

const oneLine = (title: string) => title.replaceAll('\n', ' ')

const plainTextOf = (described: DescriptionInput | undefined) =>
  described && 'text' in described && described.text
    ? plainOf(described.text.slice(0, MAX_TEXT), described.type)
    : ''

/**
 * Descriptions that may be similar to a new task. Empty if the index is busy, slow or unavailable.
 * The caller must check the access to the board and to each task.
 */
export async function similarCandidates(
  { server: { searchIndex } }: RequestContext,
  { project_id, title, described }: NewTask,
): Promise<Passage[]> {
  const load = loads.get(searchIndex) ?? { open: 0, pausedUntil: 0, allowed: BURST, countedAt: 0 }
  loads.set(searchIndex, load)
  if (load.open >= MAX_OPEN || !isAllowed(load)) return []
  load.open++
  const answer = searchIndex
    .search({
      ...{ text: `${oneLine(title)}\n${plainTextOf(described)}`, projects: [project_id] },
      ...{ kinds: ['description'], limit: PASSAGES },
      ...{ isComparable: true, minScore: SIMILAR_SCORE },
    })
    .catch(() => [])
    .finally(() => void load.open--)
  return firstOf(answer, load)
}

function isAllowed(load: Load): boolean {
  const now = performance.now()
  if (now < load.pausedUntil) return false
  const earned = ((now - load.countedAt) / 1000) * PER_SECOND
  load.allowed = Math.min(BURST, load.allowed + earned)
  load.countedAt = now
  if (load.allowed < 1) return false
  load.allowed--
  return true
}

async function firstOf(answer: Promise<Passage[]>, load: Load): Promise<Passage[]> {
  let timer: Timer | undefined
  const late = new Promise<Passage[]>((resolve) => {
    timer = setTimeout(() => {
      load.pausedUntil = performance.now() + PAUSE_MS
      resolve([])
    }, PATIENCE_MS)
  })
  const passages = await Promise.race([answer, late])
  clearTimeout(timer)
  return passages
}
