import type { Client } from '../../catalog.ts'
import { basePath } from '../kit/base-path.ts'
import { ApiError, NoResponseError } from '../kit/errors.ts'
import { t } from '../messages/t.ts'
import { isOtherUser } from './browser-user.ts'
import { routeOf } from './operation-table.ts'
import { newestPosition, notePosition } from './position.ts'
import { pauseRequests, waitForPause } from './request-pause.ts'

export type OperationName = keyof Client
export type Input<N extends OperationName> = Parameters<Client[N]>[0]
export type Output<N extends OperationName> = Awaited<ReturnType<Client[N]>>

interface Options {
  signal?: AbortSignal
  /** The idempotency key: a write that is sent again with the same key is executed once. */
  key?: string
  /** Sends the request even if another user has signed in since, to find out who that is. */
  allowOtherUser?: boolean
  /** Receives the warnings that accompany a successful response. */
  onWarnings?(warnings: readonly { code: string; message: string }[]): void
}

/** Works over plain HTTP too, where browsers do not offer `crypto.randomUUID`. */
export const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/**
 * Calls an operation of the server by its name. If it is refused until the user has confirmed who
 * they are, it is called again after that.
 */
export async function callOperation<N extends OperationName>(
  name: N,
  input: Input<N>,
  options: Options = {},
): Promise<Output<N>> {
  try {
    return await callOnce(name, input, options)
  } catch (error) {
    if (await isVerifiedAfter(error)) return callOnce(name, input, options)
    throw error
  }
}

let verifyUser = async () => false

/** Sets the function that asks the user to confirm who they are. It returns whether they did. */
export const onVerification = (verify: () => Promise<boolean>) => {
  verifyUser = verify
}

/** Whether an operation was refused until the user confirms who they are, and now they have. */
export const isVerifiedAfter = async (error: unknown): Promise<boolean> =>
  error instanceof ApiError && error.details.verification === 'required' && verifyUser()

/** Calls an operation, and leaves it to the caller to verify the user if that is required. */
export async function callOnce<N extends OperationName>(
  name: N,
  input: Input<N>,
  options: Options = {},
): Promise<Output<N>> {
  await waitForPause(options.signal)
  if (isOtherUser() && !options.allowOtherUser) throw otherUserError()
  const request = requestOf(name, input as Fields, options)
  const response = await fetchResponse(request)
  if (request.method !== 'GET') notePosition(response.headers.get('cork-position'))
  const body = await response.json().catch(() => undefined)
  if (response.status === 429 && pauseRequests(response.headers.get('retry-after')))
    return callOnce(name, input, options)
  // A proxy answers while the server is down or restarting, or the response was cut off.
  if (!body && (response.ok || GATEWAYS.has(response.status))) throw new NoResponseError()
  if (!response.ok || !body?.success) throw apiErrorOf(response, body)
  if (body.warnings) options.onWarnings?.(body.warnings)
  return (body.page ? { items: body.data, page: body.page } : body.data) as Output<N>
}

/** The response body of a request that streams its result. */
export async function openStream(request: Request): Promise<ReadableStream<Uint8Array>> {
  if (isOtherUser()) throw otherUserError()
  const response = await fetchResponse(request)
  // What is written while the result streams has no known position.
  notePosition(undefined)
  if (response.ok && response.body) return response.body
  const body = await response.json().catch(() => undefined)
  if (!body && GATEWAYS.has(response.status)) throw new NoResponseError()
  throw apiErrorOf(response, body)
}

const GATEWAYS = new Set([502, 503, 504])
type Fields = Record<string, unknown>

function requestOf(name: OperationName, input: Fields, { signal, key }: Options): Request {
  const [method, pattern] = routeOf(name)
  const fields = { ...input }
  const takeField = (field: string) => {
    const value = fields[field]
    delete fields[field]
    return encodeURIComponent(String(value))
  }
  const path =
    basePath +
    new URL(pattern, `${location.origin}/api/v1/`).pathname.replace(/:(\w+)/g, (_, field) =>
      takeField(field === 'task' ? TASK_KEYS.find((key) => key in fields)! : field),
    )
  const reads = method === 'GET' || method === 'DELETE'
  const headers: Record<string, string> = { accept: 'application/json' }
  if (!reads) headers['content-type'] = 'application/json'
  if (key) headers['idempotency-key'] = key
  const position = newestPosition()
  if (position) headers['cork-position'] = position
  return new Request(reads ? path + queryOf(fields) : path, {
    ...{ method, headers, signal },
    ...(!reads && { body: JSON.stringify(fields) }),
  })
}

const TASK_KEYS = ['ticket_number', 'task_identifier', 'task_id']

function queryOf(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    for (const item of [value].flat()) if (item !== undefined) query.append(name, encodeValue(item))
  const text = query.toString()
  return text && `?${text}`
}

const encodeValue = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

async function fetchResponse(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    if (request.signal.aborted) throw error
    throw new NoResponseError()
  }
}

function apiErrorOf({ status }: Response, body: Fields | undefined): ApiError {
  const { message, hint, details, request_id } = (body ?? {}) as {
    message?: string
    hint?: string
    details?: Fields
    request_id?: string
  }
  if (status === 401) signOutListener()
  return new ApiError(
    status,
    message ?? t('app.the_server_responded_with_status_status', { status }),
    hint,
    details,
    request_id,
  )
}

/** Prevents a page that one user loaded from sending requests as another user. */
function otherUserError(): ApiError {
  signOutListener()
  return new ApiError(401, t('app.somebody_else_has_signed_in_with_this'))
}

let signOutListener = () => {}

/**
 * Sets the function to call when the session has ended. The page stays open, so unsaved text is
 * kept.
 */
export const onSignOut = (listener: () => void) => {
  signOutListener = listener
}
