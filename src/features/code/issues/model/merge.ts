/** What both sides had when they agreed last: for each text a digest here and at the host. */
export interface Base {
  title: Pair
  text: Pair
  isClosed: boolean
  /** Names in lower case. */
  labels: string[]
  /** Login names of members. */
  assignees: string[]
}

export type Pair = readonly [here: string, there: string]

export interface Side {
  title: string
  text: string
  isClosed: boolean
  labels: readonly string[]
  assignees: readonly string[]
  changedAt: Date
}

export const digestOf = (text: string): string =>
  Bun.CryptoHasher.hash('sha256', text, 'base64url').slice(0, 22)

export type Decision = 'same' | 'here' | 'there' | 'both'

/**
 * Compares a text with the state that both sides agreed on. `here` means that it changed here only.
 * Hosts trim texts and change line ends, so each side is compared with its own former state.
 */
export function compare(pair: Pair | undefined, here: string, there: string): Decision {
  if (normalize(here) === normalize(there)) return 'same'
  if (!pair) return 'both'
  const isNewHere = digestOf(here) !== pair[0]
  const isNewThere = digestOf(there) !== pair[1]
  return isNewHere ? (isNewThere ? 'both' : 'here') : isNewThere ? 'there' : 'same'
}

export const normalize = (text: string): string => text.replaceAll('\r\n', '\n').trim()

interface SetMerge {
  here: string[]
  there: string[]
  hasChangesHere: boolean
  hasChangesThere: boolean
}

const fold = (name: string) => name.normalize('NFC').trim().toLowerCase()

/** Merges two sets by element: what was added on either side is added, what was removed is removed. */
export function mergeSets(
  base: readonly string[] | undefined,
  here: readonly string[],
  there: readonly string[],
): SetMerge {
  const names = new Map([...there, ...here].map((name) => [fold(name), name]))
  const [known, left, right] = [base ?? [], here, there].map((side) => new Set(side.map(fold)))
  const merged = [...names.keys()].filter((name) => {
    const [isHere, isThere] = [left!.has(name), right!.has(name)]
    return isHere && isThere ? true : !known!.has(name)
  })
  const isIn = (side: Set<string>) => (name: string) => side.has(name)
  const result = merged.map((name) => names.get(name)!)
  return {
    here: result,
    there: result,
    hasChangesHere: merged.length !== left!.size || !merged.every(isIn(left!)),
    hasChangesThere: merged.length !== right!.size || !merged.every(isIn(right!)),
  }
}

export interface Merge {
  /** What to write here, in the words of the host. */
  here: Partial<Pick<Side, 'title' | 'text' | 'isClosed' | 'labels' | 'assignees'>>
  there: Partial<Pick<Side, 'title' | 'text' | 'isClosed' | 'labels' | 'assignees'>>
  /** The text that lost a conflict, and is saved as an earlier version of the description. */
  lostText?: string
}

/**
 * Decides each field. A title or text that both sides changed takes the newer one. Labels and
 * assignees are merged by element. A state can only be opposite if one side changed it.
 */
export function mergeIssue(base: Base | undefined, here: Side, there: Side): Merge {
  const merge: Merge = { here: {}, there: {} }
  const isHostNewer = there.changedAt > here.changedAt
  for (const field of ['title', 'text'] as const) {
    const decision = compare(base?.[field], here[field], there[field])
    const takesHost = decision === 'there' || (decision === 'both' && isHostNewer)
    if (takesHost) merge.here[field] = there[field]
    else if (decision !== 'same') merge.there[field] = here[field]
    if (decision === 'both' && field === 'text' && !isHostNewer && base) merge.lostText = there.text
  }
  if (here.isClosed !== there.isClosed) {
    const isNewThere = base ? there.isClosed !== base.isClosed : isHostNewer
    if (isNewThere) merge.here.isClosed = there.isClosed
    else merge.there.isClosed = here.isClosed
  }
  for (const field of ['labels', 'assignees'] as const) {
    const sets = mergeSets(base?.[field], here[field], there[field])
    if (sets.hasChangesHere) merge.here[field] = sets.here
    if (sets.hasChangesThere) merge.there[field] = sets.there
  }
  return merge
}
