import { hashOfEndpoint } from '../../kit/push-endpoint.ts'
import { addressOf, type SubscriptionChangeEvent, worker } from './types.ts'

interface Channel {
  channel_id: number
  kind: string
  address_hash: string | null
}

/** Gives the channel of this browser its new address, after the browser has changed it. */
export async function resubscribe({
  oldSubscription: before,
  newSubscription,
}: SubscriptionChangeEvent): Promise<void> {
  if (!before) return
  const { applicationServerKey } = before.options
  const subscription =
    newSubscription ??
    (await worker.registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey,
    }))
  const { endpoint: url, keys } = subscription.toJSON()
  const hash = await hashOfEndpoint(before.endpoint)
  const { data } = await call<Channel[]>('GET', 'api/v1/channels?limit=100')
  const channel = data.find(({ kind, address_hash }) => kind === 'push' && address_hash === hash)
  if (channel) await call('PATCH', `api/v1/channels/${channel.channel_id}`, { url, keys })
}

async function call<T>(method: string, path: string, body?: object): Promise<{ data: T }> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const response = await fetch(addressOf(path), {
    ...{ method, headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response.json()
}
