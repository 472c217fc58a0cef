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
  type Reader,
  requiredScope,
  type Steps,
} from './operation.ts'
import { referenceError } from './reference.ts'
import { isLongInput, ResponseCache } from './response-cache.ts'
import { Results } from './suspend.ts'
import { validInput } from './validate.ts'

/** Who made a change, and with which credential and from which address, if that is known. */
export type ChangeAuthor = Pick<Caller, 'actor_id'> &
  Partial<Pick<Caller, 'credential' | 'teams' | 'address' | 'cause'>>

/** Copies of the database for reads, which lag behind it. */
export interface Replicas {
  /** Runs a read on a replica that has reached the position. Rejects if there is none. */
  read<T>(position: string, job: (tx: Tx) => Promise<T>): Promise<T>
  /** A position that includes every commit before this call. */
  position(): Promise<string>
}

/** The database, as the kernel uses it. */
export interface Store {
  read<T>(job: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * With `isUnchecked`, SQLite does not check foreign keys, which takes a scan of each table that
   * refers to a deleted row. The job must delete those rows itself.
   */
  write<T>(job: (tx: Tx) => Promise<T>, options?: { isUnchecked?: boolean }): Promise<T>
  /** Grows with every write by any process; absent if writes of others may go unnoticed. */
  version?(): number
  /** Calls back after each commit of this process, until the returned function is called. */
  onCommit?(listener: () => void): () => void
  replicas?: Replicas
  /** Runs a part of a write. If it throws, what it has written is undone, and the write goes on. */
  inSavepoint<T>(tx: Tx, job: () => Promise<T>): Promise<T>
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
  /** `data` as JSON, if another thread computed it. Then `data` is parsed when it is used. */
  dataText?: string
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

/** Threads that run heavy reads, each on its own connection. */
export interface Readers {
  /** Whether a thread is running. If not, one is started for later reads. */
  isReady(): boolean
  read(caller: Caller, op: AnyOperation, input: unknown): Promise<OperationResult>
}

interface DispatcherOptions {
  store: Store
  clock: Clock
  server: Server
  guards: Partial<Record<GuardName, Guard>>
  afterWrite?: AfterWrite
  readers?: Readers | undefined
}

/** The only way to run an operation: scope, validation, guard, transaction, run, change log. */
export function dispatcher(options: DispatcherOptions): Dispatch {
  const { store, clock, server, readers } = options
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
    if (!isUncached(op, result)) cache.refresh(storeVersion, now).set(caller, request, result)
    return result
  }
  const perform: Dispatch = async (caller, op, rawInput, key, signal) => {
    const request = validateRequest(caller, op, rawInput)
    const { cappedInput, earlyWarnings } = request
    const isHeavy =
      readers && op.heavy && (await read((tx) => isHeavyFor(op, cappedInput, { tx, caller })))
    if (isHeavy && readers.isReady()) return readers.read(caller, op, rawInput)
    const prepareContext = { caller, server, now: clock(), read, warn: warnInto(earlyWarnings) }
    const prepared = await op.prepare?.(cappedInput, prepareContext)
    const execution = new Execution(options, request, prepared)
    if (!isWrite(request)) return execution.read(signal)
    const writing = execution.write(key)
    return caller.position ? writing.finally(() => renewPosition(caller, store)) : writing
  }
  return async (caller, op, rawInput, key, signal) => {
    if (key !== undefined) checkIdempotencyKey(key)
    const skipsCache =
      isWrite(op) ||
      op.longPoll ||
      op.uncached === true ||
      requiredScope(op, rawInput ?? {}) !== op.needs
    const result = skipsCache
      ? perform(caller, op, rawInput, key, signal)
      : performCached(caller, op, rawInput)
    return result.catch((error) => {
      throw referenceError(op, error)
    })
  }
}

/**
 * After a write, reads of the same client must see it. If the position is unknown, they go to the
 * primary.
 */
async function renewPosition({ position }: Caller, { replicas }: Store) {
  if (position) position.value = await replicas?.position().catch(() => undefined)
}

const isUncached = ({ uncached }: AnyOperation, { page }: OperationResult) =>
  typeof uncached === 'function' && page !== undefined && uncached(page)

const isHeavyFor = async ({ heavy }: AnyOperation, input: unknown, reader: Reader) =>
  typeof heavy === 'function' ? heavy(input, reader) : heavy === true

interface ValidRequest {
  caller: Caller
  op: AnyOperation
  /** The scope that this input needs. */
  needs: Scope
  /** The whole input, as the caller sent it. */
  input: unknown
  /** The input for the operation: `limit` is capped, and a guard takes the `lease_id`. */
  cappedInput: Paging
  lease_id: string | undefined
  /** Warnings from before the transaction: of a capped `limit`, and of `prepare`. */
  earlyWarnings: Warning[]
}

/** Throws if the caller lacks a scope that the input needs, or if the input is invalid. */
function validateRequest(caller: Caller, op: AnyOperation, rawInput: unknown): ValidRequest {
  if (!caller.scopes.has(op.needs)) throw missingScope(op.needs)
  const input = validInput(op.input, rawInput ?? {})
  const needs = requiredScope(op, input)
  if (!caller.scopes.has(needs)) throw missingScope(needs)
  const { lease_id, ...withoutLease } = input as Paging & { lease_id?: string }
  const { cappedInput, limitWarnings } = capLimit(op, op.guard ? withoutLease : (input as Paging))
  return { caller, op, needs, input, cappedInput, lease_id, earlyWarnings: [...limitWarnings] }
}

/** Runs a valid request. Steps, long polls and suspended work take several transactions. */
class Execution {
  private readonly results = new Results()
  private readonly readJobs: ((tx: Tx) => Promise<void>)[] = []
  private commitJobs: (() => void)[] = []
  private hasResult = true
  private stepCount = 0

  constructor(
    private readonly options: DispatcherOptions,
    private readonly request: ValidRequest,
    /** What `prepare` returned. */
    private readonly prepared: unknown,
  ) {}

  /** Runs a read operation. A long poll repeats it until it has a result. */
  async read(signal: AbortSignal | undefined): Promise<OperationResult> {
    const { store } = this.options
    const { caller, op, cappedInput } = this.request
    const fromReplica = store.replicas && (await this.readReplica(store.replicas))
    const result =
      fromReplica ??
      (await longPoll({
        onCommit: store.onCommit,
        seconds: op.longPoll?.seconds(cappedInput) ?? 0,
        signal,
        query: () => this.query((job) => store.read(job)),
        hasResult: () => this.hasResult,
      }))
    if (!this.readJobs.length) return result
    // Errors are ignored: a read succeeds even if the database cannot be written.
    for (const job of this.readJobs) await store.write(job).catch(() => undefined)
    await renewPosition(caller, store)
    return result
  }

  /** Undefined if no replica answers. After an error the primary decides, as it may know more. */
  private async readReplica(replicas: Replicas): Promise<OperationResult | undefined> {
    const { caller, op } = this.request
    const position = caller.position?.value
    if (!position || op.longPoll) return undefined
    return this.query((job) => replicas.read(position, job)).catch(() => undefined)
  }

  private query(read: Store['read']): Promise<OperationResult> {
    return this.results.runUntilResolved(() => {
      this.readJobs.length = 0
      return read((tx) => this.run(tx))
    })
  }

  /** Runs the steps of a write, then `run`; under an idempotency key, `run` takes place once. */
  async write(key: string | undefined): Promise<OperationResult> {
    const { store } = this.options
    const { op } = this.request
    if (op.steps) await this.runSteps(op.steps)
    const run = key === undefined ? (tx: Tx) => this.run(tx) : this.idempotentRun(key)
    const { isUnchecked } = op
    const result = await this.results.runUntilResolved(() => store.write(run, { isUnchecked }))
    for (const job of this.commitJobs) job()
    return result
  }

  private idempotentRun(key: string) {
    const { store, clock } = this.options
    const { caller, op, input } = this.request
    const request = {
      actor_id: caller.actor_id,
      key,
      digest: digest(op.name, input),
      hasSecret: op.output.secret === true,
    }
    return (tx: Tx) => store.idempotent(tx, { ...request, now: clock() }, () => this.run(tx))
  }

  private async runSteps({ hasMore, runStep }: Steps<unknown>): Promise<void> {
    const { store } = this.options
    const { caller, cappedInput, op } = this.request
    const { isUnchecked } = op
    const step = (tx: Tx) => this.runJob(tx, (ctx) => runStep(cappedInput, ctx))
    while (await store.read((tx) => hasMore(cappedInput, { tx, caller })))
      this.stepCount += (await store.write(step, { isUnchecked })).result
  }

  private async run(tx: Tx): Promise<OperationResult> {
    const { op, cappedInput } = this.request
    const { result, warnings } = await this.runJob(tx, (ctx) =>
      op.run(cappedInput, ctx, this.prepared, this.stepCount),
    )
    this.hasResult = op.longPoll?.hasResult(result) ?? true
    return toResult(op, cappedInput, result, warnings)
  }

  /** Runs a job in a transaction, after the guard, and appends its changes to the change log. */
  private async runJob<T>(tx: Tx, job: (context: Context) => Promise<T>) {
    const { store, clock, server, guards, afterWrite } = this.options
    const { caller, op, needs, cappedInput, lease_id, earlyWarnings } = this.request
    const { guard } = op
    const now = clock()
    const changes: Change[] = []
    const warnings = [...earlyWarnings]
    this.commitJobs = []
    const context: Context = {
      tx,
      caller,
      server,
      needs,
      now,
      emit: emitInto(changes),
      warn: warnInto(warnings),
      afterRead: (job) => {
        if (isWrite({ needs })) throw new Error(`${op.name} writes, so it need not do so later`)
        this.readJobs.push(job)
      },
      afterCommit: (job) => void this.commitJobs.push(job),
      resolve: (key, work) => this.results.resolve(key, work),
      attempt: (taskIds, part) => {
        const marks = [changes.length, warnings.length, this.commitJobs.length] as const
        const run = async () => {
          if (guard) await guardOf(guards, op)(context, taskIds, lease_id)
          return part()
        }
        return store.inSavepoint(tx, run).catch((error) => {
          changes.length = marks[0]
          warnings.length = marks[1]
          this.commitJobs.length = marks[2]
          throw error
        })
      },
    }
    if (guard) await guardOf(guards, op)(context, () => guard.tasks(cappedInput, context), lease_id)
    const result = await job(context)
    if (changes.length) {
      await afterWrite?.(context, changes)
      await store.append(tx, caller, now, changes)
    }
    return { result, warnings }
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
  const advice = op.output.list ? '; follow next_cursor for more' : ''
  const message = `At most ${MAX_ROWS} rows are returned at once${advice}`
  const warning: Warning = { field: 'limit', code: 'out_of_range', message }
  return { cappedInput: { ...input, limit: MAX_ROWS }, limitWarnings: [warning] }
}

/** The error for a scope that a credential, or its owner's role in a team, does not include. */
export function missingScope(scope: Scope, role?: Role): Fault {
  if (scope === 'agents:manage')
    return new Fault(
      'not_manager',
      'Managing agents needs a credential with the scope agents:manage',
      { scope },
      'Use the key of an owner, admin or member of the team',
    )
  if (role)
    return fault.forbidden(
      `A ${role} of this team may not do this (${scope})`,
      'Ask an owner or admin of the team',
    )
  return new Fault(
    'forbidden',
    `This credential lacks the scope ${scope}`,
    { scope },
    `Use one that has ${scope}`,
  )
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
