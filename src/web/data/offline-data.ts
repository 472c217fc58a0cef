import type { Query } from '@tanstack/react-query'
import { basePath } from '../kit/base-path.ts'
import { offlineCache } from '../kit/offline-caches.ts'
import { sharedFilesCache } from '../kit/shared-files.ts'
import { pageUserId } from './browser-user.ts'
import { cache } from './cache.ts'
import { hasForgotten } from './offline-end.ts'

/** Keeps what somebody has read in the browser, so that it can be read without a connection. */

const SCOPE = `${location.origin}${basePath}/`
const DATA = offlineCache(`data ${pageUserId}`, SCOPE)
/** Loading a screen changes many queries at once. */
const SAVE_DELAY_MS = 300
const MAX_ENTRIES = 500
const MAX_LENGTH = 4_000_000
const DAY_MS = 24 * 60 * 60 * 1000

interface Entry {
  queryKey: readonly unknown[]
  data: unknown
  at: number
}

const addressOf = ({ queryHash }: Query) => `${SCOPE}offline/${encodeURIComponent(queryHash)}`

const changed = new Set<Query>()
let isScheduled = false

/** Saves the results of queries from now on, and those that are loaded already. */
export async function saveForOffline(): Promise<void> {
  await forgetOtherUsers()
  for (const query of cache.getQueryCache().getAll()) noteChange(query)
  cache.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated') noteChange(query)
  })
}

function noteChange(query: Query) {
  const { status, fetchStatus } = query.state
  if (status !== 'success' || fetchStatus !== 'idle') return
  changed.add(query)
  if (isScheduled) return
  isScheduled = true
  setTimeout(save, SAVE_DELAY_MS)
}

/** The storage of the browser may be full or blocked. Then less can be read offline. */
const save = () => void saveChanged().catch(() => {})

async function saveChanged() {
  const queries = [...changed]
  changed.clear()
  isScheduled = false
  const stored = await caches.open(DATA)
  // What is written to storage that is deleted after this line is deleted with it.
  if (hasForgotten()) return
  for (const query of queries) {
    const { data, dataUpdatedAt: at } = query.state
    const entry: Entry = { queryKey: query.queryKey, data, at }
    const text = JSON.stringify(entry)
    // The oldest entries come first, so what changes goes to the end.
    await stored.delete(addressOf(query))
    if (data !== undefined && text.length <= MAX_LENGTH)
      await stored.put(addressOf(query), new Response(text))
  }
  const keys = await stored.keys()
  for (const key of keys.slice(0, Math.max(0, keys.length - MAX_ENTRIES))) await stored.delete(key)
}

const isOfUser = (name: string) =>
  [offlineCache('data', ''), offlineCache('shared', '')].some((prefix) => name.startsWith(prefix))

async function forgetOtherUsers() {
  const own = [DATA, sharedFilesCache(pageUserId, SCOPE)]
  for (const name of await caches.keys())
    if (isOfUser(name) && name.endsWith(` ${SCOPE}`) && !own.includes(name))
      await caches.delete(name)
}

/** Puts what was saved into the cache, where nothing newer is. It stays there for a day. */
export async function restoreSaved(): Promise<void> {
  const responses = await (await caches.open(DATA)).matchAll()
  for (const response of responses) {
    const { queryKey, data, at }: Entry = await response.json()
    if (cache.getQueryData(queryKey) !== undefined) continue
    const options = cache.defaultQueryOptions({ queryKey: [...queryKey], gcTime: DAY_MS })
    cache.getQueryCache().build(cache, options).setData(data, { updatedAt: at, manual: true })
  }
}
