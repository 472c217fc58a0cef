import { handleClick, showPush } from './notifications.ts'
import { handleFetch, storeLoaded } from './pages.ts'
import { resubscribe } from './resubscribe.ts'
import { worker } from './types.ts'

/** The program that runs in the browser without a page: push messages, and pages offline. */

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('activate', (event) =>
  event.waitUntil(
    // With it, the request for a page does not wait until this program has started.
    Promise.all([worker.registration.navigationPreload?.enable(), worker.clients.claim()]),
  ),
)
worker.addEventListener('fetch', handleFetch)
worker.addEventListener('push', (event) => event.waitUntil(showPush(event)))
worker.addEventListener('notificationclick', (event) => event.waitUntil(handleClick(event)))
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(resubscribe(event)))
worker.addEventListener('message', (event) => {
  const { files } = event.data as { files?: readonly string[] }
  if (files) event.waitUntil(storeLoaded(files))
})
