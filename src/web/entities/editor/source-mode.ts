import { storageName } from '../../kit/base-path.ts'
import type { Shortcut } from '../../kit/shortcuts.ts'
import { createStore } from '../../kit/store.ts'
import { t } from '../../messages/t.ts'

const STORAGE_KEY = storageName('markdown-source')

export const TOGGLE_SOURCE: Shortcut = {
  keys: ['$mod+/'],
  description: t('editor.show_markdown_source'),
}

function isStored(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null
  } catch {
    return false
  }
}

const isSource = createStore(isStored())
export const useSourceMode = isSource.use
export const isSourceMode = isSource.get

/** Shows the Markdown source or the rendered text; stored in this browser. */
export function toggleSourceMode() {
  isSource.set(!isSource.get())
  try {
    if (isSource.get()) localStorage.setItem(STORAGE_KEY, 'on')
    else localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Storage is blocked. The choice lasts until the page is reloaded.
  }
}
