import { storageName } from './base-path.ts'
import { createStore } from './store.ts'

const STORAGE_KEY = storageName('side')
const isNarrow = createStore(localStorage.getItem(STORAGE_KEY) === 'narrow')
export const useNarrowSide = isNarrow.use

/** Switches the sidebar between icons and names; stored in this browser. */
export function toggleSidebar() {
  isNarrow.set(!isNarrow.get())
  if (isNarrow.get()) localStorage.setItem(STORAGE_KEY, 'narrow')
  else localStorage.removeItem(STORAGE_KEY)
}
