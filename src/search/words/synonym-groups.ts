import { readWords } from './terms.ts'

const NONE: ReadonlySet<string> = new Set()

/** The synonyms of a stem, from groups of words that are separated by commas. */
export function synonymLookup(groups: string): (stem: string) => ReadonlySet<string> {
  const byStem = new Map<string, Set<string>>()
  for (const group of groups.split(',')) {
    const stems = readWords(group).map(({ stem }) => stem)
    for (const stem of stems) {
      const others = byStem.get(stem) ?? new Set<string>()
      byStem.set(stem, others)
      for (const other of stems) if (other !== stem) others.add(other)
    }
  }
  return (stem) => byStem.get(stem) ?? NONE
}
