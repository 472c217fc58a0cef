import { Client, connectionProblem } from '../client.ts'
import { CommandError } from '../command.ts'
import { eventData, readBlocks } from '../event-stream.ts'
import type { CommandIO } from '../io.ts'
import type { Account } from '../logins.ts'
import { type ClientIdentity, inNewestRevision, protocolHeaders } from './headers.ts'
import { type Message, methodOf, type RpcError, SERVER_ERROR } from './message.ts'
import { Questions } from './questions.ts'
import { Subscriptions } from './subscriptions.ts'

/** A request waits 15 s for a server that is being restarted. */
const MAX_RETRIES = 60
const RETRY_MS = 250
/** How long requests may still take after the client has closed the connection. */
const DRAIN_MS = 5000
const PARSE_ERROR = -32700
const NO_RESOURCE = -32002
const KEY = 'corkboard/idempotency-key'

interface BridgeOptions {
  /** The server to talk to now. Asked before every request, since key and address may change. */
  account(): Promise<Account>
  /** Sent with every request: they select tools. */
  headers: Record<string, string>
}

/** A proxy responded because it could not reach the server. */
class GatewayError extends CommandError {}

interface Exchange {
  message: Message | Message[]
  stop: AbortController
  isStream: boolean
}

/** Forwards the messages of an MCP client to a server, and its answers back. */
export class Bridge {
  private readonly exchanges = new Set<Exchange>()
  private readonly running = new Set<Promise<void>>()
  /** The revision that the handshake agreed on, and the handshake itself. */
  private revision: string | undefined
  private handshake: Promise<void> = Promise.resolve()
  /** An older client, and what the bridge does for it. */
  private client: ClientIdentity | undefined
  private subscriptions: Subscriptions | undefined
  private readonly questions = new Questions((message) => this.send(message))
  /** A server that has answered before is probably being restarted when it does not. */
  private wasReached = false
  private isClosing = false
  private lastProblem = ''

  constructor(
    private readonly io: CommandIO,
    private readonly options: BridgeOptions,
  ) {}

  /** Handles a line of the client. The answer is printed when it arrives. */
  receive(line: string): void {
    if (!line.trim()) return
    const message = parseLine(line)
    if (!message) {
      const error = { code: PARSE_ERROR, message: 'The line is not a JSON-RPC message' }
      this.send({ id: null, error })
      return
    }
    const { method, params } = Array.isArray(message) ? {} : message
    if (method === 'notifications/cancelled') this.cancel(params?.requestId)
    else if (Array.isArray(message) || method || !this.questions.answer(message))
      this.start(message, method === 'initialize')
  }

  /** Waits for the answers to what the client has sent, but not for streams without an end. */
  async close(): Promise<void> {
    this.isClosing = true
    this.subscriptions?.close()
    for (const { isStream, stop } of this.exchanges) if (isStream) stop.abort()
    await Promise.race([Promise.all(this.running), this.io.sleep(DRAIN_MS)])
  }

  private start(message: Message | Message[], isHandshake: boolean): void {
    const work = this.forward(message)
    this.running.add(work)
    void work.finally(() => this.running.delete(work))
    if (isHandshake) this.handshake = work
  }

  private cancel(id: unknown): void {
    for (const { message, stop } of this.exchanges)
      if (!Array.isArray(message) && message.id === id) stop.abort()
  }

  private async forward(message: Message | Message[]): Promise<void> {
    await this.handshake
    const exchange = {
      message: this.prepare(message),
      stop: new AbortController(),
      isStream: false,
    }
    this.exchanges.add(exchange)
    try {
      if (this.subscriptions && !Array.isArray(message) && isSubscription(message))
        await this.subscribe(message, this.subscriptions)
      else await this.exchangeWithRetries(exchange)
      this.lastProblem = ''
    } catch (error) {
      if (!exchange.stop.signal.aborted) this.reportProblem(message, error as Error)
    } finally {
      this.exchanges.delete(exchange)
    }
  }

  /** The server can ask an older client only if the call is one of the newest revision. */
  private prepare(message: Message | Message[]): Message | Message[] {
    const prepared = withKey(message)
    const canAsk = this.client?.capabilities.elicitation && methodOf(prepared) === 'tools/call'
    return canAsk ? inNewestRevision(prepared as Message, this.client!) : prepared
  }

  private async subscribe({ id, method, params }: Message, subscriptions: Subscriptions) {
    const uri = String(params?.uri)
    if (method === 'resources/unsubscribe') subscriptions.remove(uri)
    const isDone = method === 'resources/unsubscribe' || (await subscriptions.add(uri))
    const error = { code: NO_RESOURCE, message: `Resource not found: ${uri}`, data: { uri } }
    this.send(isDone ? { id: id!, result: {} } : { id: id!, error })
  }

  /** Every tool call has an idempotency key, so that sending it again changes nothing twice. */
  private async exchangeWithRetries(exchange: Exchange): Promise<void> {
    for (let retries = 0; ; retries++) {
      const account = await this.options.account()
      const client = new Client(this.io, account)
      try {
        await this.exchange(client, exchange)
        this.wasReached = true
        return
      } catch (error) {
        const isUnreachable = error instanceof GatewayError || connectionProblem(error) !== 'other'
        const isTemporary = isUnreachable && !exchange.isStream
        const mayRetry = this.wasReached && !this.isClosing && retries < MAX_RETRIES
        if (exchange.stop.signal.aborted || !isTemporary || !mayRetry)
          throw client.connectionError(error, { method: 'POST', path: '/mcp' })
        await this.io.sleep(RETRY_MS)
      }
    }
  }

  private async exchange(client: Client, exchange: Exchange): Promise<void> {
    const { message, stop } = exchange
    const response = await this.post(client, message, stop.signal)
    const type = response.headers.get('content-type') ?? ''
    if (type.startsWith('text/event-stream')) {
      exchange.isStream = true
      return this.forwardStream(response, exchange)
    }
    const text = await response.text()
    if (response.status === 202) return
    const answer = parseAnswer(text)
    if (!answer) throw noMcpServer(client.url, response)
    if (Array.isArray(answer) || hasId(answer)) await this.answer(exchange, answer)
    else if (answer.error)
      this.refuse(message, explained(answer.error, response.status, client.url))
  }

  private post(client: Client, message: Message | Message[], signal: AbortSignal) {
    const headers = {
      ...this.options.headers,
      ...protocolHeaders(message, this.revision),
      accept: 'application/json, text/event-stream',
    }
    return client.fetch({ method: 'POST', path: '/mcp', body: message }, headers, signal)
  }

  private async forwardStream(response: Response, exchange: Exchange): Promise<void> {
    const { message, stop } = exchange
    let isAnswered = false
    for await (const block of readBlocks(response, stop.signal)) {
      const part = eventData(block) as Message | undefined
      if (!part) continue
      isAnswered ||= part.method === undefined
      if (part.method === undefined) await this.answer(exchange, part)
      else this.io.out(JSON.stringify(part))
    }
    const [id] = idsOf(message)
    if (!isAnswered && !stop.signal.aborted && id !== undefined)
      throw new CommandError('The server ended the stream. Send the request again')
  }

  private async answer(exchange: Exchange, answer: Message | Message[]): Promise<void> {
    const { message } = exchange
    if (Array.isArray(message) || Array.isArray(answer)) this.io.out(JSON.stringify(answer))
    else if (message.method === 'initialize') this.greet(message, answer)
    else if (this.client && answer.result?.inputRequests) await this.ask(exchange, answer.result)
    else this.io.out(JSON.stringify(this.client ? withoutType(answer) : answer))
  }

  /** Asks the person at an older client, and sends the call again with the answers. */
  private async ask(exchange: Exchange, { inputRequests, requestState }: Message['result'] & {}) {
    const message = exchange.message as Message
    const { signal } = exchange.stop
    const inputResponses = await Promise.race([this.questions.ask(inputRequests!), aborted(signal)])
    const params = { ...message.params, inputResponses, requestState }
    exchange.message = { ...message, params }
    exchange.isStream = false
    await this.exchangeWithRetries(exchange)
  }

  /** Ends a handshake. A client of an older revision can then watch resources by this bridge. */
  private greet({ params = {} }: Message, answer: Message): void {
    const { protocolVersion, capabilities } = answer.result ?? {}
    if (typeof protocolVersion === 'string') {
      this.revision = protocolVersion
      const { clientInfo: info, capabilities: own } = params
      this.client = { info, capabilities: Object(own) }
    }
    if (this.client && capabilities?.resources) {
      capabilities.resources = { ...capabilities.resources, subscribe: true }
      this.subscriptions = new Subscriptions({
        client: this.client,
        open: async (message, signal) =>
          this.post(new Client(this.io, await this.options.account()), message, signal),
        notify: (message) => this.send(message),
        sleep: (ms) => this.io.sleep(ms),
      })
    }
    this.io.out(JSON.stringify(answer))
  }

  private reportProblem(message: Message | Message[], { message: text }: Error): void {
    this.refuse(message, { code: SERVER_ERROR, message: text })
  }

  private refuse(message: Message | Message[], error: RpcError): void {
    if (error.message !== this.lastProblem) this.io.err(error.message)
    this.lastProblem = error.message
    for (const id of idsOf(message)) this.send({ id, error })
  }

  private send(message: Message): void {
    this.io.out(JSON.stringify({ jsonrpc: '2.0', ...message }))
  }
}

function parseLine(line: string): Message | Message[] | undefined {
  try {
    const message = JSON.parse(line)
    const isValid = [message].flat().every((one) => typeof one === 'object' && one !== null)
    return isValid ? message : undefined
  } catch {
    return undefined
  }
}

/** Older clients do not know the type of a result. */
function withoutType({ result, ...answer }: Message): Message {
  if (!result) return answer
  const { resultType: _, ...rest } = result
  return { ...answer, result: rest }
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })

const isSubscription = ({ method }: Message) =>
  method === 'resources/subscribe' || method === 'resources/unsubscribe'

/** The ids of the requests. Notifications and responses get no answer. */
const idsOf = (message: Message | Message[]) =>
  [message].flat().flatMap(({ id, method }) => (method && id !== undefined ? [id] : []))

/** Adds an idempotency key to each tool call that has none. */
function withKey(message: Message | Message[]): Message | Message[] {
  if (Array.isArray(message)) return message.map((one) => withKey(one) as Message)
  const { method, params } = message
  if (method !== 'tools/call') return message
  const _meta = { [KEY]: crypto.randomUUID(), ...params?._meta }
  return { ...message, params: { ...params, _meta } }
}

function parseAnswer(text: string): Message | Message[] | undefined {
  try {
    const answer = JSON.parse(text)
    return Array.isArray(answer) || answer?.jsonrpc === '2.0' ? answer : undefined
  } catch {
    return undefined
  }
}

/** A server that refuses a request before it reads the message answers without an id. */
const hasId = ({ id }: Message) => id !== null && id !== undefined

/** Adds to such a refusal what to do next, because clients show only its text. */
function explained(error: RpcError, status: number, url: string): RpcError {
  const { hint } = Object(error.data) as { hint?: string }
  const message =
    status === 401
      ? `${url} does not accept this key: ${error.message}. Sign in again with "cork login", or set CORK_TOKEN to a valid key`
      : [error.message, hint].filter(Boolean).join('. ')
  return { ...error, message }
}

function noMcpServer(url: string, { status, headers }: Response): CommandError {
  const target = headers.get('location')
  const Kind = [502, 503, 504].includes(status) ? GatewayError : CommandError
  return new Kind(
    status >= 300 && status < 400
      ? `${url} redirects to ${target}. Use that address: cork login <address>, or CORK_URL`
      : `${url} answered with status ${status}, but not like a Corkboard server. Check the address in CORK_URL or "cork login"`,
  )
}
