import MiniSearch from 'minisearch'
import { matchQuality } from './score.ts'
import { titleWords } from './words.ts'

export interface Title {
  /** The number of the text in the index file. */
  source: number
  kind: number
  ref: number
  project: number
  title: string
}

/** An indexed title: its folded words, each after a space. */
interface Entry extends Omit<Title, 'title'> {
  text: string
  isRemoved?: true
}

type IsVisible = (entry: Entry) => boolean
type Collect = (entry: Entry) => void

const TWO_TYPOS_LENGTH = 8
/** Shorter words have no typos. */
const STEM_LENGTH = 3
/** If so many of the newest titles match, older ones are only found by their whole text. */
const MAX_SCANNED = 5000
const MANY = 200
const FEW = 10
const MAX_CANDIDATES = 400

/**
 * Titles that may match. MiniSearch finds the words. Its scores depend on titles that the caller
 * cannot read, so none is computed: `boostDocument` collects each match and then rejects it.
 */
export class TitleCandidates {
  private readonly entries = new Map<number, Entry>()
  /** Titles by their words. */
  private readonly byText = new Map<string, Set<Entry>>()
  /** In the order of their age: here the newest first, below the newest last. */
  private readonly older: Entry[] = []
  private readonly newer: Entry[] = []
  private readonly index = new MiniSearch<{ id: Entry; text: string }>({
    fields: ['text'],
    tokenize: (text) => text.split(' ').filter(Boolean),
    processTerm: (term) => term,
  })

  constructor(private readonly capacity: number) {}

  get isFull(): boolean {
    return this.entries.size >= this.capacity
  }

  /** Adds a title that is older than those before; a known one stays as it is. */
  addOlder(title: Title): void {
    if (this.isFull || this.entries.has(title.source)) return
    this.older.push(this.add(title))
  }

  put(title: Title): void {
    const known = this.entries.get(title.source)
    if (known?.text === textOf(title.title)) known.project = title.project
    else {
      if (known) this.delete(known)
      this.dropOldest()
      this.newer.push(this.add(title))
    }
  }

  remove(source: number, project: number): void {
    const entry = this.entries.get(source)
    if (entry?.project === project) this.delete(entry)
  }

  /** Typos are tolerated if few titles match without any. */
  find(
    typed: readonly string[],
    isVisible: IsVisible,
  ): (Omit<Entry, 'text'> & { words: string[] })[] {
    const [longest = '', ...others] = typed.toSorted((a, b) => b.length - a.length)
    const exact = this.withBeginnings(longest, others, isVisible)
    const same = this.byText.get(joined(typed))
    for (const entry of same ?? []) if (isVisible(entry)) exact.add(entry)
    const isTolerant = exact.size < FEW && longest.length >= STEM_LENGTH
    const found = isTolerant ? this.withTypos([longest, ...others], isVisible) : [...exact]
    const groups = Map.groupBy(found, ({ kind }) => kind).values()
    return [...groups]
      .flatMap((group) => best(typed, group))
      .map(({ text, ...entry }) => ({
        ...entry,
        words: text.slice(1).split(' '),
      }))
  }

  private add({ title, ...rest }: Title): Entry {
    const entry = { ...rest, text: textOf(title) }
    this.entries.set(entry.source, entry)
    const same = this.byText.get(entry.text)
    if (same) same.add(entry)
    else this.byText.set(entry.text, new Set([entry]))
    this.index.add({ id: entry, text: entry.text })
    return entry
  }

  private delete(entry: Entry): void {
    this.index.discard(entry)
    this.entries.delete(entry.source)
    const same = this.byText.get(entry.text)
    same?.delete(entry)
    if (!same?.size) this.byText.delete(entry.text)
    entry.isRemoved = true
  }

  private dropOldest(): void {
    while (this.isFull) {
      const oldest = this.older.pop() ?? this.newer.shift()
      if (!oldest) return
      if (!oldest.isRemoved) this.delete(oldest)
    }
  }

  /** Titles with words that begin like each of the typed ones. */
  private withBeginnings(
    longest: string,
    others: readonly string[],
    isVisible: IsVisible,
  ): Set<Entry> {
    const starts = others.map((word) => ` ${word}`)
    const isMatch = (entry: Entry) =>
      isVisible(entry) && starts.every((start) => entry.text.includes(start))
    const allStarts = [` ${longest}`, ...starts]
    const found = this.scan(isVisible, ({ text }) =>
      allStarts.every((start) => text.includes(start)),
    )
    if (found.size < MANY) this.visit(longest, {}, (entry) => isMatch(entry) && found.add(entry))
    return found
  }

  /** Titles with words that resemble each of the typed ones. */
  private withTypos(words: readonly string[], isVisible: IsVisible): Entry[] {
    const short = words.filter((word) => word.length < STEM_LENGTH)
    const isMatch = (entry: Entry) =>
      isVisible(entry) && short.every((word) => entry.text.includes(` ${word}`))
    let found: Set<Entry> | undefined
    for (const word of words.filter(({ length }) => length >= STEM_LENGTH)) {
      const before = found
      const matches = new Set<Entry>()
      this.visitSimilar(word, (entry) => {
        if (before ? before.has(entry) : isMatch(entry)) matches.add(entry)
      })
      found = matches
    }
    return [...(found ?? [])]
  }

  /** Words with wrong, missing, additional or swapped letters. */
  private visitSimilar(word: string, collect: Collect): void {
    const known = new Map<string, boolean>()
    const accept = (term: string) => {
      const isMatch = known.get(term) ?? matchQuality(word, term) > 0
      known.set(term, isMatch)
      return isMatch
    }
    this.visit(word, { fuzzy: word.length < TWO_TYPOS_LENGTH ? 1 : 2 }, collect, accept)
    // MiniSearch counts swapped letters as two edits.
    for (const swapped of withSwappedLetters(word)) this.visit(swapped, {}, collect, accept)
    // An unfinished word with a typo after its beginning.
    if (word.length > STEM_LENGTH) this.visit(word.slice(0, STEM_LENGTH), {}, collect, accept)
  }

  private visit(
    word: string,
    { fuzzy = 0 }: { fuzzy?: number },
    collect: Collect,
    accept = (_term: string) => true,
  ): void {
    this.index.search(word, {
      prefix: true,
      fuzzy,
      boostDocument(entry: Entry, term) {
        if (accept(term)) collect(entry)
        return 0
      },
    })
  }

  /**
   * Matches among the newest visible titles, the newest first. Others do not count, so that they
   * have no influence on an answer.
   */
  private scan(isVisible: IsVisible, isMatch: (entry: Entry) => boolean): Set<Entry> {
    const { newer, older } = this
    const found = new Set<Entry>()
    let scanned = 0
    for (let at = 0; at < newer.length + older.length; at++) {
      const entry = newer[newer.length - 1 - at] ?? older[at - newer.length]!
      if (entry.isRemoved || !isVisible(entry)) continue
      if (isMatch(entry)) found.add(entry)
      if (++scanned === MAX_SCANNED || found.size === MAX_CANDIDATES) break
    }
    return found
  }
}

const joined = (words: readonly string[]) => ` ${words.join(' ')}`
const textOf = (title: string) => joined(titleWords(title))

const withSwappedLetters = (word: string): string[] =>
  Array.from(
    { length: word.length - 1 },
    (_, at) => word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2),
  ).filter((swapped) => swapped !== word)

/** Of many titles, those that are likely to score highest, then the newest. */
function best(typed: readonly string[], found: readonly Entry[]): readonly Entry[] {
  if (found.length <= MAX_CANDIDATES) return found
  const text = joined(typed)
  const likelihood = (entry: Entry) =>
    (entry.text === text ? 8 : 0) +
    (entry.text.startsWith(text) ? 4 : 0) +
    (`${entry.text} `.includes(`${text} `) ? 2 : 0) +
    (entry.text.length < 2 * text.length + 8 ? 1 : 0)
  return found
    .map((entry) => ({ entry, likelihood: likelihood(entry) }))
    .sort((a, b) => b.likelihood - a.likelihood || b.entry.ref - a.entry.ref)
    .slice(0, MAX_CANDIDATES)
    .map(({ entry }) => entry)
}
