import { cache, queryKeyOf, useOperation } from '../../data/cache.ts'
import { callOperation, newIdempotencyKey, type Output } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { ApiError } from '../../kit/errors.ts'
import { createStore } from '../../kit/store.ts'
import { recordUndo, refuseUndo, showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import type { Entries } from './entries.ts'

type Sidebar = Output<'sidebar.get'>
export type PinChange = (entries: Entries) => Entries

const KEY = queryKeyOf('sidebar.get', {})
const NONE: Entries = []

/** Changes that the server has not confirmed yet, in their order. */
const pending = createStore<readonly PinChange[]>([])
const withPending = (entries: Entries) =>
  pending.get().reduce((changed, change) => change(changed), entries)

/** What is pinned, with the changes that are still being saved. */
export function usePins(): { entries: Entries; isLoaded: boolean } {
  const { data } = useOperation('sidebar.get', {})
  pending.use()
  return { entries: data ? withPending(data.entries) : NONE, isLoaded: data !== undefined }
}

/** The entries that are shown now. The next key may act on them, so this does not wait. */
const shownEntries = () => withPending(cache.getQueryData<Sidebar>(KEY)?.entries ?? NONE)

export const newPinId = () => newIdempotencyKey().slice(0, 12)

const load = () =>
  cache.ensureQueryData<Sidebar>({
    queryKey: KEY,
    queryFn: () => callOperation('sidebar.get', {}),
  })

/** Another tab may have changed the sidebar meanwhile; then the change is made to that. */
const MAX_ATTEMPTS = 3

async function save(change: PinChange, attempt = 1): Promise<Sidebar> {
  const { version: if_version, entries } = await load()
  try {
    const next = [...change(entries)]
    const saved = await sendWrite('sidebar.update', { entries: next, if_version })
    await cache.cancelQueries({ queryKey: KEY })
    cache.setQueryData(KEY, saved)
    return saved
  } catch (error) {
    const isOutdated = error instanceof ApiError && error.status === 409
    if (!isOutdated || attempt === MAX_ATTEMPTS) throw error
    cache.setQueryData(KEY, await callOperation('sidebar.get', {}))
    return save(change, attempt + 1)
  }
}

let line: Promise<unknown> = Promise.resolve()

/** Makes a change at once and saves it after those before it; reverts it if that fails. */
export function changePins(change: PinChange): Promise<boolean> {
  pending.set([...pending.get(), change])
  const saved = line.then(() => save(change))
  const done = saved.then(
    () => true,
    (error: unknown) => {
      showError(error)
      return false
    },
  )
  line = done.then(() => pending.set(pending.get().filter((one) => one !== change)))
  return done
}

interface PinEdit {
  /** What it changes, as a message. */
  what: string
  isShown?: boolean
  /** Consecutive edits with the same step are undone together. */
  step?: string
}

/** As `changePins`, with undo. */
export async function editPins({ what, isShown = false, step }: PinEdit, change: PinChange) {
  const before = shownEntries()
  const after = change(before)
  const saved = changePins(change)
  const undo = () => {
    const current = shownEntries()
    if (JSON.stringify(current) !== JSON.stringify(after)) return refuseUndo(t('sidebar.sidebar'))
    return changePins(() => before)
  }
  const forget = recordUndo({ what, undo, step }, isShown ? what : undefined)
  if (!(await saved)) forget()
}

/** Pins an address, or unpins it. */
export function togglePin(path: string, title: string, isPinned: boolean) {
  const pin = { id: newPinId(), title: title.slice(0, 200), path }
  return isPinned
    ? editPins({ what: t('sidebar.unpinned_title', { title }), isShown: true }, (entries) =>
        entries.filter((one) => one.path !== path),
      )
    : editPins({ what: t('sidebar.pinned_title', { title }), isShown: true }, (entries) =>
        entries.some((one) => one.path === path) ? entries : [...entries, pin],
      )
}
