import {
  type Caller,
  type Change,
  type Clock,
  type Context,
  emitInto,
  type Role,
  type Scope,
  type Server,
  type Tx,
  type Warning,
} from './caller.ts'
import { Fault, fault } from './fault.ts'
import { checkIdempotencyKey } from './idempotency.ts'
import { MAX_ROWS, type PageInfo, type Paging, pick, requestedFields } from './list.ts'
import { longPoll } from './long-poll.ts'
import {
  type AnyOperation,
  type GuardName,
  isWrite,
  requiredScope,
  type Steps,
} from './operation.ts'
import { referenceError } from './reference.ts'
import { isLongInput, ResponseCache } from './response-cache.ts'
import { Results } from './suspend.ts'
import { validate } from './validate.ts'

/** Who made a change, and with which credential and from which address, if that is known. */
export type ChangeAuthor = Pick<Caller, 'actor_id'> &
  Partial<Pick<Caller, 'credential' | 'teams' | 'address'>>

/** The database, as the kernel uses it. */
export interface Store {
  read<T>(job: (tx: Tx) => Promise<T>): Promise<T>
  write<T>(job: (tx: Tx) => Promise<T>): Promise<T>
  /** Grows with every write by any process; absent if writes of others may go unnoticed. */
  version?(): number
  /** Calls back after each commit of this process, until the returned function is called. */
  onCommit?(listener: () => void): () => void
  append(tx: Tx, author: ChangeAuthor, now: Date, changes: readonly Change[]): Promise<void>
  /** Returns the stored result for this idempotency key, or runs the job and stores its result. */
  idempotent(
    tx: Tx,
    request: IdempotentRequest,
    run: () => Promise<OperationResult>,
  ): Promise<OperationResult>
}

export interface IdempotentRequest {
  actor_id: number
  key: string
  /** Digest of the operation and its input: a key must not be reused for another request. */
  digest: string
  now: Date
  /** The result holds a secret, which is shown once and must not be stored. */
  hasSecret: boolean
}

export interface OperationResult {
  data: unknown
  page?: PageInfo
  warnings?: Warning[]
  /** The result was stored for an earlier request with the same idempotency key. */
  replayed?: true
}

/**
 * Throws if the caller may not change the tasks of an input. `tasks` looks them up and is called
 * only if the guard needs them; `lease_id` is the lease that the caller named.
 */
export type Guard = (
  context: Context,
  tasks: () => Promise<readonly number[]>,
  lease_id: string | undefined,
) => Promise<void>
/** Runs in the transaction of every write that recorded changes, before they are appended. */
export type AfterWrite = (context: Context, changes: readonly Change[]) => Promise<void>
export type Dispatch = (
  caller: Caller,
  op: AnyOperation,
  input: unknown,
  idempotencyKey?: string,
  /** Ends a long poll early. */
  signal?: AbortSignal,
) => Promise<OperationResult>

interface DispatcherOptions {
  store: Store
  clock: Clock
  server: Server
  guards: Partial<Record<GuardName, Guard>>
  afterWrite?: AfterWrite
}

/** The only way to run an operation: scope, validation, guard, transaction, run, change log. */
export function dispatcher({
  store,
  clock,
  server,
  guards,
  afterWrite,
}: DispatcherOptions): Dispatch {
  const cache = new ResponseCache<OperationResult>()
  const read = <T>(job: (tx: Tx) => Promise<T>) => store.read(job)
  async function performCached(caller: Caller, op: AnyOperation, rawInput: unknown) {
    const storeVersion = store.version?.()
    if (storeVersion === undefined || isLongInput(rawInput)) return perform(caller, op, rawInput)
    const request = op.name + JSON.stringify(rawInput)
    const now = clock()
    const before = cache.refresh(storeVersion, now).get(caller, request)
    if (before) return before
    const result = await perform(caller, op, rawInput)
    cache.refresh(storeVersion, now).set(caller, request, result)
    return result
  }
  const perform: Dispatch = async (caller, op, rawInput, key, signal) => {
    if (!caller.scopes.has(op.needs)) throw missingScope(op.needs)
    const input = rawInput ?? {}
    validate(op.input, input)
    const needs = requiredScope(op, input)
    if (!caller.scopes.has(needs)) throw missingScope(needs)
    const isWriting = isWrite({ needs })
    const { lease_id, ...withoutLease } = input as Paging & { lease_id?: string }
    const { cappedInput, limitWarnings } = capLimit(op, op.guard ? withoutLease : (input as Paging))
    const earlyWarnings: Warning[] = [...limitWarnings]
    const prepareContext = { caller, server, now: clock(), read, warn: warnInto(earlyWarnings) }
    const prepared = await op.prepare?.(cappedInput, prepareContext)
    const readJobs: ((tx: Tx) => Promise<void>)[] = []
    const results = new Results()
    let hasResult = true
    let stepCount = 0
    const runJob = async <T>(tx: Tx, job: (context: Context) => Promise<T>) => {
      const now = clock()
      const changes: Change[] = []
      const warnings = [...earlyWarnings]
      const context: Context = {
        tx,
        caller,
        server,
        needs,
        now,
        emit: emitInto(changes),
        warn: warnInto(warnings),
        afterRead(job) {
          if (isWriting) throw new Error(`${op.name} writes, so it need not do so later`)
          readJobs.push(job)
        },
        resolve: (key, work) => results.resolve(key, work),
      }
      const { guard } = op
      if (guard)
        await guardOf(guards, op)(context, () => guard.tasks(cappedInput, context), lease_id)
      const result = await job(context)
      if (changes.length) {
        await afterWrite?.(context, changes)
        await store.append(tx, caller, now, changes)
      }
      return { result, warnings }
    }
    const run = async (tx: Tx): Promise<OperationResult> => {
      const { result, warnings } = await runJob(tx, (ctx) =>
        op.run(cappedInput, ctx, prepared, stepCount),
      )
      hasResult = op.longPoll?.hasResult(result) ?? true
      return toResult(op, cappedInput, result, warnings)
    }
    const runSteps = async ({ hasMore, runStep }: Steps<unknown>) => {
      while (await read((tx) => hasMore(cappedInput, { tx })))
        stepCount += (await store.write((tx) => runJob(tx, (ctx) => runStep(cappedInput, ctx))))
          .result
    }
    if (!isWriting) {
      const result = await longPoll({
        onCommit: store.onCommit,
        seconds: op.longPoll?.seconds(cappedInput) ?? 0,
        signal,
        query: () =>
          results.runUntilResolved(() => {
            readJobs.length = 0
            return store.read(run)
          }),
        hasResult: () => hasResult,
      })
      return readJobs.length ? runReadJobs(result, readJobs) : result
    }
    if (op.steps) await runSteps(op.steps)
    if (key === undefined) return results.runUntilResolved(() => store.write(run))
    const request = {
      actor_id: caller.actor_id,
      key,
      digest: digest(op.name, input),
      hasSecret: op.output.secret === true,
    }
    const runOnce = (tx: Tx) => store.idempotent(tx, { ...request, now: clock() }, () => run(tx))
    return results.runUntilResolved(() => store.write(runOnce))
  }
  /** Errors are ignored: a read succeeds even if the database cannot be written. */
  async function runReadJobs(
    result: OperationResult,
    jobs: readonly ((tx: Tx) => Promise<void>)[],
  ) {
    for (const job of jobs) await store.write(job).catch(() => undefined)
    return result
  }
  return async (caller, op, rawInput, key, signal) => {
    if (key !== undefined) checkIdempotencyKey(key)
    const skipsCache =
      isWrite(op) || op.longPoll || op.uncached || requiredScope(op, rawInput ?? {}) !== op.needs
    const result = skipsCache
      ? perform(caller, op, rawInput, key, signal)
      : performCached(caller, op, rawInput)
    return result.catch((error) => {
      throw referenceError(op, error)
    })
  }
}

const warnInto =
  (warnings: Warning[]): Context['warn'] =>
  (field, code, message) =>
    void warnings.push({ field, code, message })

function toResult(
  op: AnyOperation,
  input: Paging,
  result: unknown,
  warnings: Warning[],
): OperationResult {
  const withWarnings = warnings.length ? { warnings } : {}
  if (!op.output.list) return { data: result, ...withWarnings }
  const { items, page } = result as { items: Record<string, unknown>[]; page: PageInfo }
  const fields = requestedFields(input, op.output.properties.items.items)
  return { data: fields ? items.map((item) => pick(item, fields)) : items, page, ...withWarnings }
}

function capLimit(op: AnyOperation, input: Paging) {
  if (!op.input.properties.limit || (input.limit ?? 0) <= MAX_ROWS)
    return { cappedInput: input, limitWarnings: [] }
  const more = op.output.list ? '; follow next_cursor for more' : ''
  const message = `At most ${MAX_ROWS} rows are returned at once${more}`
  const warning: Warning = { field: 'limit', code: 'out_of_range', message }
  return { cappedInput: { ...input, limit: MAX_ROWS }, limitWarnings: [warning] }
}

/** The error for a scope that a credential, or its owner's role in a team, does not include. */
export function missingScope(scope: Scope, role?: Role): Fault {
  if (scope === 'agents:manage')
    return new Fault(
      'not_manager',
      'Managing agents needs a credential with the scope agents:manage',
      {},
      'Use the key of an owner, admin or member of the team',
    )
  if (role)
    return fault.forbidden(
      `A ${role} of this team may not do this (${scope})`,
      'Ask an owner or admin of the team',
    )
  return fault.forbidden(`This credential lacks the scope ${scope}`, `Use one that has ${scope}`)
}

function guardOf(guards: DispatcherOptions['guards'], op: AnyOperation): Guard {
  const guard = guards[op.guard!.by]
  if (!guard)
    throw new Error(`${op.name} asks for the guard ${op.guard!.by}, which nothing provides`)
  return guard
}

/** Ignores the order of keys, because a client may rebuild the same body for a retry. */
export function digest(...values: unknown[]): string {
  const sorted = (_: string, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  // Hashing a long text with non-Latin letters is 50 times faster from bytes than from a string.
  const bytes = Buffer.from(JSON.stringify(values, sorted))
  return new Bun.CryptoHasher('sha256').update(bytes).digest('base64url')
}
