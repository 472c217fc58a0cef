import { Elysia } from 'elysia'
import { nameCallsIn, routeName } from '../../kernel/call-names.ts'
import type { Caller } from '../../kernel/caller.ts'
import { deprecationsOf } from '../../kernel/deprecation.ts'
import type { Dispatch, OperationResult } from '../../kernel/dispatch.ts'
import { Fault, needsAttention } from '../../kernel/fault.ts'
import { toJson } from '../../kernel/json.ts'
import { type AnyOperation, isWrite, requiredScope } from '../../kernel/operation.ts'
import { readJson } from '../body.ts'
import { acceptsEncoding, compress, isWorthCompressing } from '../compression.ts'
import {
  asFault,
  type Gateway,
  type IncomingRequest,
  jsonRefusal,
  type RequestContext,
} from '../gateway.ts'
import { allowHeader, isShadowed, methodNotAllowed, methodsAt } from '../methods.ts'
import { pathOf } from '../path.ts'
import { deprecationHeaders } from './deprecation-headers.ts'
import { detailOf } from './detail.ts'
import { downloadResponse } from './download.ts'
import { resolveOperation } from './resolve-operation.ts'
import { inputOf, queryOf, type Route, routesOf } from './routes.ts'

interface Parts {
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  gateway: Gateway
  /** Rotates the secret of the caller's session and returns its new cookies. */
  renew(caller: Caller): Promise<readonly string[]>
  /** Answers to some operations, by their names, with a file if the input asks for one. */
  files: Record<string, (request: FileRequest) => Promise<Response | undefined>>
}

export interface FileRequest {
  caller: Caller
  input: unknown
  data: unknown
  /** Aborts if the client leaves or the server shuts down. */
  signal: AbortSignal
  /** Reports an error after the response has begun. */
  onError(error: unknown): void
}

/** Serves every operation at the routes that it declares. */
export function rest(parts: Parts) {
  const { catalog, dispatch, gateway, renew } = parts
  const app = new Elysia({ name: 'rest' })
  const routes = routesOf(catalog)
  const renderFault = (fault: Fault, context: RequestContext) =>
    jsonRefusal(nameCallsIn(fault, catalog, routeName), context)
  for (const restRoute of routes) {
    const { method, path, op } = restRoute
    // Both compare a route with all others, so they wait for a request that needs them.
    let isShadowedRoute: boolean | undefined
    const writeMethods = () => allowHeader(methodsAt(path, routes).filter((name) => name !== 'GET'))
    const entry = path.startsWith('/api/mcp/') ? 'bearer' : 'bearer or cookie'
    // Elysia inspects the parameters of a handler and prepares only what it destructures here.
    const handler = ({ request, route, server, params }: IncomingRequest) =>
      gateway.serve(
        { request, route, server, ...(op.bulk && { tier: 'bulk' }) },
        entry,
        async (context) => {
          isShadowedRoute ??= isShadowed(path, routes)
          if (isShadowedRoute) checkMethod(restRoute, request, routes, context)
          const body = method === 'GET' ? undefined : await readJson(request)
          const query = queryOf(request.url)
          const operation = resolveOperation(op, catalog, body, query)
          const input = inputOf(operation, body, query, params ?? {})
          Object.assign(context.headers, deprecationHeaders(deprecationsOf(operation, input)))
          if (method === 'GET') checkSafe(operation, input, writeMethods, context)
          const keyHeader = method === 'GET' ? null : request.headers.get('idempotency-key')
          const key = keyHeader ?? undefined
          const signal = operation.longPoll && gateway.longRequestSignal({ request, server })
          const answer = await dispatch(context.caller!, operation, input, key, signal)
          if (operation.rotatesSession) context.cookies = await renew(context.caller!)
          const file = await fileFor(parts, operation, { request, server, context, input, answer })
          if (file) return file
          const text = envelopeText(operation, input, answer, context)
          return isWorthCompressing(text)
            ? compressIfAccepted(text, answer, request, context)
            : text
        },
        renderFault,
      )
    // Computed when the OpenAPI document is requested, so that the start does not wait for it.
    const detail = () => detailOf(restRoute, resolveOperation(op, catalog, { task_id: 0 }))
    const hooks = { parse: 'none', detail }
    app.route(method, path, handler as never, hooks as never)
  }
  return app
}

interface Answered extends Pick<IncomingRequest, 'request' | 'server'> {
  context: RequestContext
  input: unknown
  answer: OperationResult
}

/** The file that a request asks for, if it asks for one. */
async function fileFor(
  { files, gateway }: Parts,
  op: AnyOperation,
  { request, server, context, input, answer }: Answered,
): Promise<Response | undefined> {
  const write = files[op.name]
  if (!write) return downloadResponse(op, answer, request)
  const file = await write({
    caller: context.caller!,
    input,
    data: answer.data,
    signal: gateway.longRequestSignal({ request, server }),
    onError(error) {
      if (needsAttention(asFault(error))) gateway.reportFailure(context, error)
    },
  })
  return file && request.method === 'HEAD' ? new Response(null, file) : file
}

/** Refuses a request that matched a pattern although its address has a more literal route. */
function checkMethod(
  { method }: Route,
  { url }: Request,
  routes: readonly Route[],
  context: RequestContext,
) {
  const methods = methodsAt(pathOf(url), routes)
  if (!methods.includes(method)) throw methodNotAllowed(methods, context)
}

/** Refuses a GET that would write, because browsers and crawlers follow links. */
function checkSafe(
  op: AnyOperation,
  input: unknown,
  writeMethods: () => string,
  { headers }: RequestContext,
) {
  const needs = requiredScope(op, input)
  // Some operations that only read need the scope to manage, whatever their input is.
  if (needs === op.needs || !isWrite({ needs })) return
  headers.allow = writeMethods()
  throw new Fault('method_not_allowed', 'GET changes nothing', {}, 'Send the same request as POST')
}

/** The response body as JSON text. The text of a cached result is cached too. */
function envelopeText(
  op: AnyOperation,
  input: unknown,
  answer: OperationResult,
  context: RequestContext,
): string {
  // The status is 201 only if something was created: not if it existed, and not in a dry run.
  const existed = () => (answer.data as { created?: boolean } | null)?.created === false
  const isDry = (input as { dry_run?: boolean }).dry_run === true
  if (op.creates && !existed() && !isDry) context.status = 201
  if (answer.replayed) context.headers['idempotent-replayed'] = 'true'
  const text = answerTexts.get(answer) ?? envelopeOf(answer)
  answerTexts.set(answer, text)
  return text
}

function envelopeOf({ page, warnings, ...answer }: OperationResult): string {
  const rest = JSON.stringify({ ...(page && { page }), ...(warnings && { warnings }) }).slice(1)
  const data = answer.dataText ?? toJson(answer.data)
  return `{"success":true,"data":${data}${rest === '}' ? '' : ','}${rest}`
}

const answerTexts = new WeakMap<OperationResult, string>()

/** Compresses a long response if the client accepts gzip. */
async function compressIfAccepted(
  text: string,
  answer: OperationResult,
  request: Request,
  context: RequestContext,
) {
  context.headers.vary = 'accept-encoding'
  const acceptsGzip = acceptsEncoding(request.headers.get('accept-encoding') ?? '', 'gzip')
  if (!acceptsGzip || request.method === 'HEAD') return text
  const bytes = compressedAnswers.get(answer) ?? compress(text)
  compressedAnswers.set(answer, bytes)
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  return new Response((await bytes) as BodyInit, { status: context.status ?? 200, headers })
}

const compressedAnswers = new WeakMap<OperationResult, Promise<Uint8Array>>()
