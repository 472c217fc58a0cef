import { forgetOfflineCaches, offlineCache } from '../../kit/offline-caches.ts'
import { receiveShare } from './share.ts'
import { addressOf, type FetchEvent, worker } from './types.ts'

/** The page of the app, which is the same for all its addresses, and its files. */
const PAGES = offlineCache('pages', worker.registration.scope)
/** Without it, files are not stored: the session has ended, and everything was deleted. */
const PAGE = addressOf('./')
const MAX_FILES = 500

/** The addresses of the app. Others, such as the manual, are not shown without a connection. */
const APP =
  /^(projects\/\d+|t\/[^/]+|my|new|import|inbox|search|p\/[^/]+|agents(\/.*)?|runs\/\d+|archive|reports(\/.*)?|settings(\/.*)?)?$/

const pathOf = ({ url }: Request) =>
  url.startsWith(worker.registration.scope)
    ? new URL(url).pathname.slice(new URL(worker.registration.scope).pathname.length)
    : undefined

/** Answers requests for pages and files. All others go to the network, as without this worker. */
export function handleFetch(event: FetchEvent): void {
  const { request } = event
  const path = pathOf(request)
  if (path === undefined) return
  if (request.method === 'POST' && path === 'sign-out') event.waitUntil(forgetPerson())
  if (request.method === 'POST' && path === 'share') event.respondWith(receiveShare(request))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && APP.test(path)) event.respondWith(loadPage(event))
  else if (request.mode === 'navigate' && path.startsWith('sign-in'))
    event.waitUntil(forgetOfflineCaches(worker.registration.scope))
  else if (path.startsWith('assets/')) event.respondWith(loadFile(event))
}

/** The page from the server; without a connection, the page that was loaded last. */
async function loadPage(event: FetchEvent): Promise<Response> {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request))
    if (isApp(response)) event.waitUntil(storePage(response.clone()))
    return response
  } catch (error) {
    const stored = await caches.match(PAGE, { cacheName: PAGES })
    if (stored) return stored
    throw error
  }
}

/** Other pages, such as the one for signing in, do not preload who is signed in. */
const isApp = ({ ok, redirected, headers }: Response) =>
  ok && !redirected && (headers.get('link') ?? '').includes('/api/v1/user/context>')

async function storePage(response: Response) {
  await (await caches.open(PAGES)).put(PAGE, response)
}

/** Files never change: their names contain a hash. */
async function loadFile({ request }: FetchEvent): Promise<Response> {
  const stored = await caches.match(request, { cacheName: PAGES })
  if (stored) return stored
  const response = await fetch(request)
  if (response.ok) await storeFile(request, response.clone()).catch(() => {})
  return response
}

async function storeFile(request: Request, response: Response) {
  const cache = await caches.open(PAGES)
  if (!(await cache.match(PAGE))) return
  await cache.put(request, response)
  const files = (await cache.keys()).filter(({ url }) => url !== PAGE)
  const old = files.slice(0, Math.max(0, files.length - MAX_FILES))
  for (const one of old) await cache.delete(one)
}

/** Stores what a page had loaded before this worker could see its requests. */
export async function storeLoaded(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(PAGES)
  for (const url of [PAGE, ...urls]) {
    if (await cache.match(url)) continue
    const response = await fetch(url).catch(() => undefined)
    if (response && (url === PAGE ? isApp(response) : response.ok)) await cache.put(url, response)
    else if (url === PAGE) return
  }
}

/** Deletes what this browser keeps of the person who signs out, and ends push messages. */
async function forgetPerson(): Promise<void> {
  await forgetOfflineCaches(worker.registration.scope)
  const subscription = await worker.registration.pushManager?.getSubscription()
  await subscription?.unsubscribe()
}
