/** Why a file cannot be imported. `line` is set if the error is not in the line being read. */
export class InvalidRecord extends Error {
  constructor(
    message: string,
    readonly line?: number,
  ) {
    super(message)
  }
}

/** The parts of a board that other lines may refer to. */
export interface CheckedBoard {
  sections: number
  /** In lower case. */
  labels: Set<string>
  /** Folded. */
  fields: Set<string>
  next: number
}

/** What the lines before, and those after, say about the lines of a file that is checked. */
export interface FileCheck {
  /** Throws if that name occurs twice among those of a kind. */
  unique(what: string, name: string): void
  /** Throws unless the file contains a person or agent of that name. */
  actor(...who: string[]): void
  boards: Map<string, CheckedBoard>
  board(what: string, key: string): CheckedBoard
  /** Refers to a name of `unique` that may come in a later line. */
  refer(what: string, name: string): void
  /** The number of lines of a kind that follow the last task so far. */
  count(kind: string): number
  /** What the checks of a kind remember from line to line. */
  memory<S>(kind: string, create: () => S): S
}

export function addUnique(set: Set<string>, what: string, name: string): void {
  if (set.has(name)) throw new InvalidRecord(`there are two ${what} ${name}`)
  set.add(name)
}

/** Whether following the parents of `start` leads into a cycle. */
export function isCyclic(parents: ReadonlyMap<string, string>, start: string): boolean {
  const ancestors = new Set([start])
  for (let next = parents.get(start); next; next = parents.get(next)) {
    if (ancestors.has(next)) return true
    ancestors.add(next)
  }
  return false
}
