import { storageName } from './base-path.ts'
import { createStore } from './store.ts'

const STORAGE_KEY = storageName('shortcuts')

function stored(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
  } catch {
    return {}
  }
}

/** The key bindings that somebody chose in this browser, by the id of their shortcut. */
const changes = createStore(stored())
export const useShortcutChanges = changes.use
export const changedKeys = (id: string) => changes.get()[id]

function save(next: Readonly<Record<string, string>>) {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(next))
  changes.set(next)
}

/** Undefined restores the default. */
export function changeKeys(id: string, keys: string | undefined) {
  const { [id]: _, ...others } = changes.get()
  save(keys ? { ...others, [id]: keys } : others)
}

export const resetAllKeys = () => save({})
addEventListener('storage', (event) => {
  if ((event as StorageEvent).key === STORAGE_KEY) changes.set(stored())
})
