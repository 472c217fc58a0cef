import { storageName } from './base-path.ts'
import { createStore } from './store.ts'

function readStored(key: string): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(key) ?? '[]'))
  } catch {
    return new Set()
  }
}

/** A set of names that this browser remembers, such as what is folded. */
export function createStoredSet(name: string) {
  const key = storageName(name)
  const store = createStore(readStored(key))
  return {
    use: store.use,
    toggle(value: string, isIn = !store.get().has(value)) {
      const others = [...store.get()].filter((one) => one !== value)
      const next = isIn ? [...others, value] : others
      store.set(new Set(next))
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // Storage is full or blocked; the set then lasts until the page closes.
      }
    },
  }
}
