const WORDS =
  `account answer archive audit backup badge billing board branch browser budget button cache
  calendar card change chart check client clock cloud column comment contract copy crash cursor
  customer dashboard database deadline delay delivery design device diagram digest docs draft email
  error event export failure feature field figure filter folder font form gateway graph group guide
  header history image import inbox index input invoice keyboard label language launch layout leader
  letter license limit link list login mail manual map margin market measure meeting member memory
  menu message metric migration mobile model monitor network notice number offer office order owner
  package page panel partner password payment people plan platform plugin policy preview price
  printer privacy profile project prompt proof queue quota rating receipt record region release
  reminder report request review role route rule sample schedule screen script search section server
  service session setting shortcut sidebar signal size snapshot source sprint stage status storage
  stream style summary support survey switch sync table task team template test theme ticket timer
  title token tool tracker traffic training trial update upload user vendor version video view
  visitor warning web widget window workflow zone`.split(/\s+/)

const SYLLABLES = [...'bdfgklmnprstvz'].flatMap((first) => [...'aeiou'].map((then) => first + then))
const VOCABULARY = 20_000
/** The larger it is, the more even is the frequency of words. */
const FLATNESS = 10

/** The word at this rank, when all are sorted by how often they are used. */
export function wordAt(rank: number): string {
  const known = WORDS[rank]
  if (known) return known
  const syllable = (at: number) => SYLLABLES[at % SYLLABLES.length]!
  const rest = Math.floor(rank / SYLLABLES.length)
  const high = Math.floor(rest / SYLLABLES.length)
  return syllable(rank * 3) + syllable(rest + rank) + syllable(high + rest * 11) + syllable(rank)
}

/** A random generator with a seed, so that the same seed fills the same database. */
export function seededRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  // The frequency of words follows Zipf's law, as in texts that people write.
  const zipfRank = () =>
    Math.floor(FLATNESS * ((VOCABULARY + FLATNESS) / FLATNESS) ** next() - FLATNESS)
  const words = (count: number) => Array.from({ length: count }, () => wordAt(zipfRank())).join(' ')
  return { below, words, boolean: (probability: number) => next() < probability }
}

export type Random = ReturnType<typeof seededRandom>
