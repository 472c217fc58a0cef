import { stringOf } from '../shared/json.ts'
import { type Folder, KINDS, type PageFile } from './folders.ts'
import { type Item, itemsOf } from './items.ts'
import { milestonesOf } from './milestones.ts'

/** The tasks and documents of a folder in their order, by their ids, and its milestones. */
export function readItems(folder: Folder, lose: (path: string, why: string) => void) {
  const pages = folder.pages.toSorted(byPlace)
  const milestones = milestonesOf({ ...folder, pages })
  const others = pages.filter(({ kind }) => !kind.endsWith('milestones'))
  const items: Map<string, Item> = itemsOf(folder, others, milestones.titles, lose)
  return { items, milestones }
}

/** Tasks are in the order of their ordinals, then of their names. */
function byPlace(a: PageFile, b: PageFile): number {
  const kind = KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)
  if (kind) return kind
  const [first, second] = [ordinalOf(a), ordinalOf(b)]
  return first === second ? COLLATOR.compare(a.path, b.path) : first - second
}

const COLLATOR = new Intl.Collator('en', { numeric: true })
const ordinalOf = ({ values }: PageFile): number => {
  const ordinal = stringOf(values.ordinal)
  return ordinal && !Number.isNaN(Number(ordinal)) ? Number(ordinal) : Number.MAX_VALUE
}
