import type { QuickMatch } from '../entities/quick-find/quick-find.ts'
import { quoteValue } from '../screens/search/query.ts'
import type { PaletteEntry } from './entries.ts'

interface Actions {
  open(key: string, title: string): void
  go(path: string): void
}

/** The palette entry of a match. */
export function quickEntryOf({ kind, id, key, title, board, done }: QuickMatch, actions: Actions) {
  const { open, go } = actions
  const entries: Record<QuickMatch['kind'], () => PaletteEntry> = {
    task: () => ({
      ...{ id: `task ${key}`, name: title, mark: key ?? '', keywords: key ?? '', done },
      ...{ end: board ?? '', run: () => open(key ?? '', title) },
    }),
    page: () => ({
      ...{ id: `page ${id}`, name: title, icon: 'page', end: key ?? '' },
      run: () => go(`/p/${id}`),
    }),
    board: () => ({
      ...{ id: `board ${id}`, name: title, mark: key ?? '', keywords: key ?? '' },
      run: () => go(`/projects/${id}`),
    }),
    person: () => ({
      ...{ id: `person ${id}`, name: title, icon: 'mine' },
      run: () => go(`/search?${new URLSearchParams({ q: `assignee:${quoteValue(title)}` })}`),
    }),
    agent: () => ({
      ...{ id: `agent ${id}`, name: title, icon: 'agent' },
      run: () => go(`/agents/${id}`),
    }),
    skill: () => ({
      ...{ id: `skill ${id}`, name: title, icon: 'spark', end: `/${key}` },
      run: () => go('/settings/skills'),
    }),
  }
  return entries[kind]()
}
