import { type EventsOptions, type LiveEvent, liveEvents } from './events.ts'
import { type Operations, ROUTES } from './generated.ts'
import { List, type ListResult } from './list.ts'
import { problemOf } from './problem.ts'
import { withRetries } from './retry.ts'

export interface ClientOptions {
  /** Where the server is, as in `https://board.example.com`. In its own web pages: ''. */
  url: string
  /** An API key or the token of an agent. Without one, a browser sends its session. */
  token?: string
  /** How often a request is repeated after a temporary failure; default 3. */
  retries?: number
  fetch?: typeof fetch
}

export interface RequestOptions {
  /** Repeats of a write with the same key return the first response. Default: a random one. */
  idempotencyKey?: string
  signal?: AbortSignal
  retries?: number
}

type Name = keyof Operations
type Noun<N extends string> = N extends `${infer First}.${string}` ? First : never
type Verb<N extends string, First extends string> = N extends `${First}.${infer Rest}`
  ? Rest
  : never
type Answer<Op> = Op extends { row: infer Row }
  ? List<Row>
  : Op extends { data: infer Data }
    ? Promise<Data>
    : never
type Call<Op extends { input: unknown }> =
  Record<never, never> extends Op['input']
    ? (input?: Op['input'], options?: RequestOptions) => Answer<Op>
    : (input: Op['input'], options?: RequestOptions) => Answer<Op>

/** Every operation as `client.noun.verb(input)`, and the stream of changes. */
export type Client = {
  [First in Noun<Name>]: {
    [Rest in Verb<Name, First>]: Call<Operations[`${First}.${Rest}` & Name]>
  }
} & {
  /** Yields changes as they happen, and reconnects by itself. */
  live(options?: EventsOptions): AsyncGenerator<LiveEvent>
}

type Fields = Record<string, unknown>
interface Envelope {
  data: unknown
  page?: ListResult<unknown>['page']
}

export function createClient(options: ClientOptions): Client {
  const live = (eventOptions: EventsOptions = {}) =>
    liveEvents((lastEventId) => openEvents(options, eventOptions, lastEventId), eventOptions)
  const noun = (first: string) =>
    new Proxy({}, { get: (_, verb) => operation(options, `${first}.${String(verb)}`) })
  return new Proxy({} as Client, {
    get: (_, name) => (name === 'live' ? live : name === 'then' ? undefined : noun(String(name))),
  })
}

function operation(options: ClientOptions, name: string) {
  const route = (ROUTES as Record<string, string>)[name]
  if (!route) return undefined
  const [method = '', path = '', kind] = route.split(' ')
  return (input: Fields = {}, request: RequestOptions = {}) => {
    const send = (fields: Fields) => call(options, { method, path }, fields, request)
    if (kind === 'list')
      return new List(async (cursor) => {
        const { data, page } = (await send(cursor ? { ...input, cursor } : input)) as Envelope
        return { items: data, page } as ListResult<unknown>
      })
    if (kind === 'file') return send(input)
    return send(input).then((answer) => (answer as Envelope).data ?? answer)
  }
}

interface Route {
  method: string
  path: string
}

async function call(
  { url, token, retries = 3, fetch: send = fetch }: ClientOptions,
  route: Route,
  input: Fields,
  request: RequestOptions,
): Promise<Envelope | Response> {
  const { path, body } = encode(route, input)
  const isRead = route.method === 'GET'
  const headers: Record<string, string> = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    // The same key on every attempt, so that a write happens once.
    ...(!isRead && { 'idempotency-key': request.idempotencyKey ?? crypto.randomUUID() }),
  }
  const { signal } = request
  const response = await withRetries(
    () => send(`${url.replace(/\/$/, '')}${path}`, { method: route.method, headers, body, signal }),
    { retries: request.retries ?? retries, signal },
  )
  if (!response.ok) throw await problemOf(response)
  const isJson = response.headers.get('content-type')?.includes('json')
  return isJson ? response.json() : response
}

/** Puts each field of an input where the route expects it. */
function encode(
  { method, path }: Route,
  input: Fields,
): { path: string; body?: string | FormData } {
  const rest = { ...input }
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (value === undefined || value === '') throw new TypeError(`${name} is required`)
    return encodeURIComponent(String(value))
  })
  if (method !== 'GET' && method !== 'DELETE') return { path: address, body: bodyOf(rest) }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) query.append(name, textOf(one))
  return { path: query.size ? `${address}?${query}` : address }
}

const textOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

function bodyOf(fields: Fields): string | FormData {
  const files = [fields.file].flat().filter((file) => file instanceof Blob)
  if (!files.length) return JSON.stringify(fields)
  const form = new FormData()
  for (const file of files) form.append('file', file)
  for (const [name, value] of Object.entries(fields))
    if (name !== 'file' && value !== undefined) form.append(name, textOf(value))
  return form
}

function openEvents(
  { url, token, fetch: send = fetch }: ClientOptions,
  { project_id, signal }: EventsOptions,
  lastEventId?: string,
): Promise<Response> {
  const query = project_id ? `?project_id=${project_id}` : ''
  return send(`${url.replace(/\/$/, '')}/api/v1/events${query}`, {
    headers: {
      accept: 'text/event-stream',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(lastEventId && { 'last-event-id': lastEventId }),
    },
    signal,
  })
}
