export interface Recent {
  kind: 'task' | 'board'
  /** A ticket number, or the number of a board. */
  id: string
  name: string
}

const NAME = 'recent'
const MOST = 12

/** What somebody looked at here, the last first. */
export function recent(): readonly Recent[] {
  try {
    const some: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]')
    return Array.isArray(some) ? some : []
  } catch {
    return []
  }
}

export function remember(one: Recent) {
  const others = recent().filter(({ kind, id }) => kind !== one.kind || id !== one.id)
  try {
    localStorage.setItem(NAME, JSON.stringify([one, ...others].slice(0, MOST)))
  } catch {
    // A full or forbidden store: it is only a convenience.
  }
}
