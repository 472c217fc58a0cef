import { useEffect, useState } from 'react'
import { callOperation, newIdempotencyKey } from '../../../data/client.ts'
import { hasServiceWorker, registerServiceWorker } from '../../../data/service-worker.ts'
import { hashOfEndpoint } from '../../../kit/push-endpoint.ts'
import { useAction } from '../../../kit/use-action.ts'
import { t } from '../../../messages/t.ts'
import { type Channel, reloadChannels } from './data.ts'

/** Whether this browser can show notifications, and has been allowed to. */
export type PushState = 'unsupported' | 'needs_home_screen' | 'denied' | 'off' | 'on'

const isApple = /iPhone|iPad/.test(navigator.userAgent)
const isSupported = hasServiceWorker && 'PushManager' in globalThis && 'Notification' in globalThis

/** The channel of this browser, and the functions that turn it on and off. */
export function usePush(channels: readonly Channel[]) {
  const [hash, setHash] = useState<string>()
  const { run, busy, error } = useAction()
  useEffect(() => {
    void currentHash().then(setHash)
  }, [])
  const channel = channels.find(({ address_hash }) => hash && address_hash === hash)
  return {
    channel,
    state: stateOf(channel),
    busy,
    error,
    turnOn: () => run(async () => setHash(await subscribe(channels))),
  }
}

function stateOf(channel: Channel | undefined): PushState {
  if (!isSupported) return isApple ? 'needs_home_screen' : 'unsupported'
  if (channel) return 'on'
  return Notification.permission === 'denied' ? 'denied' : 'off'
}

async function currentHash(): Promise<string | undefined> {
  if (!isSupported) return undefined
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  return subscription ? hashOfEndpoint(subscription.endpoint) : undefined
}

/** Asks for the permission, which browsers grant only after a click. Returns the address hash. */
async function subscribe(channels: readonly Channel[]): Promise<string | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const { pushManager } = await registerServiceWorker()
  const { push_public_key } = await callOperation('notification_settings.get', {})
  // A subscription with the key of an earlier database cannot be used.
  await (await pushManager.getSubscription())?.unsubscribe()
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: push_public_key,
  })
  const { endpoint: url, keys } = subscription.toJSON()
  const { p256dh, auth } = keys as { p256dh: string; auth: string }
  const hash = await hashOfEndpoint(subscription.endpoint)
  if (!channels.some(({ address_hash }) => address_hash === hash))
    await callOperation(
      'channels.create',
      { kind: 'push', url: url!, keys: { p256dh, auth }, title: browserName() },
      { key: newIdempotencyKey() },
    )
  reloadChannels()
  return hash
}

const BROWSERS = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
] as const

/** Such as `Chrome, Android`. */
function browserName(): string {
  const nameIn = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(navigator.userAgent))?.[1]
  return [nameIn(BROWSERS), nameIn(SYSTEMS)].filter(Boolean).join(', ') || t('settings.a_browser')
}
