/** A field of a source that Corkboard cannot hold. The preview counts its values as lost. */
export interface Lost {
  lost: string
}
/** A field that is left out without a loss, such as a copy of another one. */
export interface Unneeded {
  unneeded: string
}
/** What becomes of a field: our field, in words such as "task title", or why there is none. */
export type Fate = string | Lost | Unneeded

export const lost = (why: string): Lost => ({ lost: why })
export const unneeded = (why: string): Unneeded => ({ unneeded: why })

/**
 * The fields of a source by their paths: `cards[].name`; `*` stands for any name. A field covers
 * everything below it, unless a longer path is declared.
 */
export type FieldTable = Readonly<Record<string, Fate>>

interface Node {
  fate?: Fate
  path: string
  children: Map<string, Node>
}

const MAX_DEPTH = 200

/** Counts the values that an import loses, and those of fields that the table does not declare. */
export class FieldAccount {
  readonly lost = new Map<string, { why: string; count: number }>()
  readonly unknown = new Map<string, number>()
  readonly seen = new Set<string>()
  private readonly root: Node = { path: '', children: new Map() }

  constructor(table: FieldTable) {
    for (const [path, fate] of Object.entries(table)) {
      let node = this.root
      for (const part of path.replaceAll('[]', '.[]').split('.').filter(Boolean)) {
        let child = node.children.get(part)
        if (!child) {
          child = { path, children: new Map() }
          node.children.set(part, child)
        }
        node = child
      }
      node.fate = fate
      node.path = path
    }
  }

  /** Counts the fields of a parsed value. `at` is its path, if it is only part of a document. */
  add(value: unknown, at = ''): void {
    let node: Node | undefined = this.root
    for (const part of at.replaceAll('[]', '.[]').split('.').filter(Boolean))
      node = node && childOf(node, part)
    this.visit(value, node, undefined, at, 0)
  }

  private visit(
    value: unknown,
    node: Node | undefined,
    covering: Node | undefined,
    path: string,
    depth: number,
  ): void {
    const covered = node?.fate === undefined ? covering : node
    const isLeaf = typeof value !== 'object' || value === null || !node?.children.size
    if (isLeaf && covered) return void this.count(covered, value)
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH)
      return void (isEmpty(value) || this.countUnknown(path))
    if (node?.fate !== undefined) this.count(node, value)
    if (!node) return void (isEmpty(value) || this.countUnknown(path))
    const isList = Array.isArray(value)
    for (const [name, item] of Object.entries(value)) {
      const part = isList ? '[]' : name
      const next = isList ? `${path}[]` : path ? `${path}.${name}` : name
      this.visit(item, childOf(node, part), covered, next, depth + 1)
    }
  }

  private count(node: Node, value: unknown): void {
    this.seen.add(node.path)
    const { fate } = node
    if (typeof fate !== 'object' || !('lost' in fate) || isEmpty(value)) return
    const entry = this.lost.get(node.path) ?? { why: fate.lost, count: 0 }
    entry.count++
    this.lost.set(node.path, entry)
  }

  private countUnknown(path: string): void {
    this.unknown.set(path, (this.unknown.get(path) ?? 0) + 1)
  }
}

const childOf = ({ children }: Node, part: string): Node | undefined =>
  children.get(part) ?? (part === '[]' ? undefined : children.get('*'))

/** Whether leaving the value out loses nothing. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true
  if (typeof value !== 'object') return false
  return Array.isArray(value) ? value.every(isEmpty) : Object.values(value).every(isEmpty)
}
