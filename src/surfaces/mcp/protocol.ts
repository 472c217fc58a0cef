import {
  createMcpHandler,
  isLegacyRequest,
  parseJSONRPCMessage,
  WebStandardStreamableHTTPServerTransport as Transport,
} from '@modelcontextprotocol/server'
import { Fault } from '../../kernel/fault.ts'
import { type IncomingRequest, json } from '../gateway.ts'
import { wantsStream } from './fast-path.ts'
import { isListen, type ListenParts, Listens } from './listen.ts'
import { ResourceWatch } from './resources/watch.ts'
import { authInfoOf, serverFactory } from './sdk-server.ts'
import type { McpContext } from './selection.ts'
import type { EventStream } from './stream.ts'

/** Handles every revision of MCP over HTTP. */
export function protocol(parts: ListenParts) {
  const createServer = serverFactory(parts)
  const listens = new Listens(parts)
  // A POST can carry updates, as the answer to `subscriptions/listen`.
  const modern = createMcpHandler(() => createServer({ updates: true }), { legacy: 'reject' })

  async function exchange(request: Request, body: unknown, context: McpContext): Promise<Response> {
    const options = { authInfo: authInfoOf(context), parsedBody: body }
    if (!(await isLegacyRequest(request, body)))
      return isListen(body) ? listens.serve(request, body, context) : modern.fetch(request, options)
    if (Array.isArray(body)) return batch(request, body, context)
    const transport = new Transport({ enableJsonResponse: true })
    await createServer().connect(transport)
    return transport.handleRequest(request, options)
  }

  /** Handles the messages of a batch one after the other, each as a request of its own. */
  async function batch(
    request: Request,
    messages: unknown[],
    context: McpContext,
  ): Promise<Response> {
    refuseBatch(request, messages)
    const answers: unknown[] = []
    for (const message of messages) {
      const response = await exchange(request, message, context)
      if (!response.ok) return response
      if (response.status !== 202) answers.push(await response.json())
    }
    return answers.length ? json(answers) : new Response(null, { status: 202 })
  }

  return {
    connect: (stream: EventStream, context: McpContext) =>
      connectStream(parts, createServer, stream, context),
    async answer(
      { request, server }: Pick<IncomingRequest, 'request' | 'server'>,
      body: unknown,
      context: McpContext,
    ): Promise<Response> {
      if (isListen(body)) server?.timeout(request, 0)
      const response = await exchange(normalizeRequest(request), body, context)
      return wantsStream(request) ? asEventStream(response) : response
    },
    close: () => listens.closeAll(),
  }
}

/** Serves the older transport. Its server lives as long as the stream. */
async function connectStream(
  { openChanges, gateway }: ListenParts,
  createServer: ReturnType<typeof serverFactory>,
  stream: EventStream,
  context: McpContext,
) {
  const watch = new ResourceWatch({
    open: () => openChanges(context.caller!),
    // The client may have closed the stream meanwhile.
    onUpdate: (uri) => void server.sendResourceUpdated({ uri }).catch(() => undefined),
    onEnd: () => void stream.close(),
    onError: (error) => gateway.reportFailure(context, error),
  })
  const server = createServer({ updates: watch })
  server.onclose = () => watch.close()
  await server.connect(stream)
}

/** The messages in a body of the older transport. */
export function messagesOf(body: unknown) {
  const messages = [body].flat()
  if (messages.length > MAX_BATCH) throw batchTooLong()
  try {
    if (messages.length) return messages.map(parseJSONRPCMessage)
  } catch {
    // The SDK's error message would be a dump of its schema.
  }
  throw new Fault('invalid', 'The body is not a JSON-RPC 2.0 message')
}

export { authInfoOf } from './sdk-server.ts'

const MAX_BATCH = 20
const BATCH_REVISIONS = ['2024-11-05', '2025-03-26']

const batchTooLong = () =>
  new Fault('invalid', `A batch can have at most ${MAX_BATCH} messages`, {}, 'Send several batches')

function refuseBatch({ headers }: Request, messages: unknown[]) {
  const revision = headers.get('mcp-protocol-version') ?? '2025-03-26'
  if (!BATCH_REVISIONS.includes(revision))
    throw new Fault('invalid', `Revision ${revision} has no batches`, {}, 'Send them one by one')
  if (messages.length > MAX_BATCH) throw batchTooLong()
  if (messages.some((message) => (message as { method?: unknown }).method === 'initialize'))
    throw new Fault('invalid', 'initialize cannot be part of a batch', {}, 'Send it on its own')
}

/** Removes the session id, because there are no sessions, and accepts both content types. */
function normalizeRequest({ url, headers: original, signal }: Request): Request {
  const headers = new Headers(original)
  headers.delete('mcp-session-id')
  headers.set('accept', 'application/json, text/event-stream')
  return new Request(url, { method: 'POST', headers, signal })
}

async function asEventStream(response: Response): Promise<Response> {
  if (response.status !== 200 || !response.headers.get('content-type')?.includes('json'))
    return response
  return new Response(`event: message\ndata: ${await response.text()}\n\n`, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  })
}
