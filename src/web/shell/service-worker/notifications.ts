import { addressOf, type NotificationEvent, type PushEvent, worker } from './types.ts'

interface Action {
  label: string
  url: string
  /** A POST to the address answers at once. */
  post?: true
}

/** A push message of the server. */
interface Message {
  title: string
  body: string
  url: string
  tag: string
  important?: boolean
  /** The number of unread notifications. */
  badge?: number
  actions: readonly Action[]
}

type Stored = Pick<Message, 'title' | 'url' | 'tag' | 'actions'>

/** The types of the page lack what only notifications of a service worker have. */
type Options = NotificationOptions & { actions?: { action: string; title: string }[] }
const { maxActions = 2 } = Notification as { maxActions?: number }

export async function showPush({ data }: PushEvent): Promise<void> {
  const message = data?.json() as Message
  const { title, body, tag, badge, actions } = message
  if (badge !== undefined) await worker.navigator.setAppBadge?.(badge)
  // Some of the options would hide the others: then a click opens the page that has all of them.
  const shown = actions.length > maxActions ? [] : actions
  const options: Options = {
    ...{ body, tag, data: storedOf(message), requireInteraction: message.important ?? false },
    icon: addressOf('assets/icon-192.png'),
    actions: shown.map(({ label }, index) => ({ action: String(index), title: label })),
  }
  await worker.registration.showNotification(title, options)
}

const storedOf = ({ title, url, tag, actions }: Message): Stored => ({ title, url, tag, actions })

export async function handleClick({ notification, action }: NotificationEvent): Promise<void> {
  notification.close()
  const { actions, ...message } = notification.data as Stored
  const pressed = action === '' ? undefined : actions[Number(action)]
  if (pressed?.post) return answer(pressed, { ...message, actions })
  const hasHidden = actions.length > maxActions
  return open(pressed?.url ?? (hasHidden ? actions[0]!.url : message.url))
}

/** If the answer could not be sent, the page with the question opens. */
async function answer({ url }: Action, message: Stored): Promise<void> {
  try {
    const headers = { accept: 'application/json' }
    const response = await fetch(localAddress(url), { method: 'POST', headers })
    if (response.ok) return
    const { message: body } = (await response.json()) as { message: string }
    const data: Stored = { ...message, actions: [] }
    await worker.registration.showNotification(message.title, { body, tag: message.tag, data })
  } catch {
    await open(url)
  }
}

/** The server may have several names. The session and the worker belong to that of this page. */
function localAddress(url: string): string {
  const { pathname, search, hash } = new URL(url)
  return new URL(pathname + search + hash, worker.registration.scope).href
}

/** Shows the address in a window of the app, if there is one. */
async function open(url: string): Promise<void> {
  const address = localAddress(url)
  const windows = await worker.clients.matchAll({ type: 'window' })
  const [window] = windows.filter((one) => one.url.startsWith(worker.registration.scope))
  if (!window) return void (await worker.clients.openWindow(address))
  await window.focus()
  if (window.url !== address) await window.navigate(address)
}
