import {
  createMcpHandler,
  InMemoryServerEventBus,
  type McpHttpHandler,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import type { RequestContext } from '../gateway.ts'
import { MAX_WATCHED, type OpenChanges, ResourceWatch } from './resources/watch.ts'
import { authInfoOf, type ServerParts, serverFactory } from './sdk-server.ts'
import type { StreamLimit } from './stream-limit.ts'

export interface ListenParts extends ServerParts {
  openChanges: OpenChanges
  streamLimit: StreamLimit
}

interface ListenRequest {
  method: 'subscriptions/listen'
  params: { notifications: { resourceSubscriptions?: unknown } }
}

/** The name under which the list of resources is watched. It is no address of a resource. */
const LIST = 'the list'
/** What changes the boards that a caller can see. */
const LIST_CHANGES = ['project', 'member'] as const

export const isListen = (body: unknown): boolean =>
  (body as { method?: unknown } | null)?.method === 'subscriptions/listen'

/**
 * Serves `subscriptions/listen` of revision 2026-07-28: the answer to a POST is a stream of
 * notifications. Each stream has an SDK handler of its own, because the bus of a handler sends an
 * event to all its streams, and what may be sent depends on the caller.
 */
export class Listens {
  private readonly handlers = new Set<McpHttpHandler>()
  private readonly createServer: ReturnType<typeof serverFactory>

  constructor(private readonly parts: ListenParts) {
    this.createServer = serverFactory(parts)
  }

  async serve(request: Request, body: unknown, context: RequestContext): Promise<Response> {
    const { openChanges, streamLimit, gateway } = this.parts
    const caller = context.caller!
    const release = streamLimit.take(caller.actor_id)
    const events = new InMemoryServerEventBus()
    let hasEnded = false
    const watch = new ResourceWatch({
      open: () => openChanges(caller),
      onUpdate: (uri) => events.publish(eventOf(uri)),
      onEnd: () => {
        hasEnded = true
        void handler.close()
      },
      onError: (error) => gateway.reportFailure(context, error),
    })
    const bus = watchedBus(events, () => {
      watch.close()
      release()
      this.handlers.delete(handler)
    })
    const create = () => this.createServer({ updates: true })
    const handler = createMcpHandler(create, { legacy: 'reject', bus, maxSubscriptions: 1 })
    this.handlers.add(handler)
    try {
      const parsedBody = await this.watchReadable(watch, caller, body)
      if (hasEnded) throw new Fault('unavailable', 'The server is shutting down')
      return await handler.fetch(request, { authInfo: authInfoOf(context), parsedBody })
    } finally {
      // Without a listener, the SDK has refused the request or has nothing to send.
      if (!events.listenerCount) bus.end()
    }
  }

  async closeAll() {
    await Promise.all([...this.handlers].map((handler) => handler.close()))
  }

  /** Leaves out the resources that the caller cannot read. The SDK acknowledges the others. */
  private async watchReadable(watch: ResourceWatch, caller: Caller, body: unknown) {
    const { params } = body as ListenRequest
    const uris = params?.notifications?.resourceSubscriptions
    watch.add(LIST, { subject: {}, dependencies: LIST_CHANGES })
    await watch.start()
    if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) return body
    const readable: string[] = []
    for (const uri of new Set(uris.slice(0, MAX_WATCHED - 1)))
      if (await this.watchOne(watch, caller, uri)) readable.push(uri)
    const notifications = { ...params.notifications, resourceSubscriptions: readable }
    return { ...(body as ListenRequest), params: { ...params, notifications } }
  }

  private async watchOne(watch: ResourceWatch, caller: Caller, uri: string): Promise<boolean> {
    const { resources } = this.parts
    try {
      const { kind, subject } = await resources.read(caller, uri)
      watch.add(uri, { subject, dependencies: resources.dependenciesOf(kind) })
      return true
    } catch (error) {
      if (error instanceof Fault) return false
      throw error
    }
  }
}

const eventOf = (uri: string) =>
  uri === LIST
    ? ({ kind: 'resources_list_changed' } as const)
    : ({ kind: 'resource_updated', uri } as const)

/** A bus that calls back once, when its only stream has ended or never began. */
function watchedBus(events: InMemoryServerEventBus, onEnd: () => void) {
  let hasEnded = false
  const end = () => {
    if (!hasEnded) onEnd()
    hasEnded = true
  }
  const bus: ServerEventBus = {
    publish: (event) => events.publish(event),
    subscribe(listener) {
      const unsubscribe = events.subscribe(listener)
      return () => {
        unsubscribe()
        end()
      }
    },
  }
  return Object.assign(bus, { end })
}
