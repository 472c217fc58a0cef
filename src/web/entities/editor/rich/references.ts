import { StateEffect } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { callOperation } from '../../../data/client.ts'

/** What a task key or the address of a page refers to. */
export interface Reference {
  title: string
  isDone: boolean
}

/** The visible references are loaded and have to be rendered again. */
export const referencesLoaded = StateEffect.define<null>()

const LOADED_FOR_MS = 60_000

interface Entry {
  at: number
  /** Undefined while it is loading, null if nobody may see it. */
  value?: Reference | null
  /** The editors that show it. */
  views: Set<EditorView>
}

const entries = new Map<string, Entry>()

const PAGE = /^(?:https?:\/\/[^/]+)?(?:\/[^/]+)*\/p\/(\d+)(?:[?#].*)?$/

/** The id of the page that an address names. */
export const pageIn = (address: string): number | undefined => {
  const id = Number(PAGE.exec(address)?.[1])
  return Number.isSafeInteger(id) ? id : undefined
}

async function findTask(key: string): Promise<Reference | null> {
  const matches = await callOperation('search.quick', { query: key, kinds: 'task', limit: 5 })
  const found = matches.find((match) => match.key === key)
  return found ? { title: found.title, isDone: found.done } : null
}

async function findPage(page_id: number): Promise<Reference | null> {
  const { title } = await callOperation('pages.get', { page_id })
  return { title, isDone: false }
}

/** Reads a reference from the cache. If it is missing or old, it is loaded for the view. */
function reference(name: string, load: () => Promise<Reference | null>, view: EditorView) {
  const entry = entries.get(name)
  entry?.views.add(view)
  if (entry && Date.now() - entry.at < LOADED_FOR_MS) return entry.value
  const next: Entry = { views: new Set([view]), ...entry, at: Date.now() }
  entries.set(name, next)
  void load()
    .catch(() => null)
    .then((value) => {
      next.value = value
      const open = [...next.views].filter(({ dom }) => dom.isConnected)
      next.views = new Set(open)
      for (const editor of open) editor.dispatch({ effects: referencesLoaded.of(null) })
    })
  return next.value
}

export const taskReference = (key: string, view: EditorView) =>
  reference(key, () => findTask(key), view)
export const pageReference = (id: number, view: EditorView) =>
  reference(`page ${id}`, () => findPage(id), view)
