/** The parts of a service worker's scope that ours uses. The types of the page lack them. */
export interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

export interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(response: Response | Promise<Response>): void
}

export interface PushEvent extends ExtendableEvent {
  readonly data: { json(): unknown } | null
}

export interface NotificationEvent extends ExtendableEvent {
  readonly notification: Notification
  readonly action: string
}

export interface MessageEventOfPage extends ExtendableEvent {
  readonly data: unknown
}

export interface SubscriptionChangeEvent extends ExtendableEvent {
  readonly oldSubscription: PushSubscription | null
  readonly newSubscription?: PushSubscription | null
}

interface WindowClient {
  readonly url: string
  focus(): Promise<WindowClient>
  navigate(url: string): Promise<WindowClient | null>
}

interface Events {
  install: ExtendableEvent
  activate: ExtendableEvent
  fetch: FetchEvent
  message: MessageEventOfPage
  push: PushEvent
  notificationclick: NotificationEvent
  pushsubscriptionchange: SubscriptionChangeEvent
}

export interface WorkerScope {
  readonly registration: ServiceWorkerRegistration
  readonly navigator: { setAppBadge?(count?: number): Promise<void> }
  readonly cookieStore?: { get(name: string): Promise<{ value?: string } | null> }
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window' }): Promise<readonly WindowClient[]>
    openWindow(url: string): Promise<WindowClient | null>
  }
  skipWaiting(): Promise<void>
  addEventListener<Name extends keyof Events>(
    name: Name,
    listener: (event: Events[Name]) => void,
  ): void
}

export const worker = globalThis as unknown as WorkerScope

/** An address of this server, by its path within the app. */
export const addressOf = (path: string) => new URL(path, worker.registration.scope).href
