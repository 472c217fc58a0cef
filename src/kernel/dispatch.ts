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
import { checkKey } from './idempotency.ts'
import { fieldsOf, MOST_ROWS, type PageInfo, type Paging, pick } from './list.ts'
import { isLong, Memo } from './memo.ts'
import { type AnyOperation, type GuardName, needed, type Steps, writes } from './operation.ts'
import { patiently } from './patience.ts'
import { referenceError } from './reference.ts'
import { Results } from './suspend.ts'
import { validate } from './validate.ts'

/** Who made a change, with which credential and from where, as far as that is known. */
export type By = Pick<Caller, 'actor_id'> &
  Partial<Pick<Caller, 'credential' | 'teams' | 'address'>>

/** What the kernel asks of a database. */
export interface Store {
  read<T>(job: (tx: Tx) => Promise<T>): Promise<T>
  write<T>(job: (tx: Tx) => Promise<T>): Promise<T>
  /** Grows with every write by anybody; absent where writes can go unheard. */
  age?(): number
  /** Calls after each commit of this process, until what it answers is called. */
  onCommit?(heard: () => void): () => void
  append(tx: Tx, by: By, now: Date, changes: readonly Change[]): Promise<void>
  /** The earlier answer to the same idempotency key; keeps the new one when there is none. */
  once(tx: Tx, ask: Once, make: () => Promise<Answer>): Promise<Answer>
}

export interface Once {
  actor_id: number
  key: string
  /** Of the operation and its input: the same key must mean the same request. */
  digest: string
  now: Date
  /** The answer holds a secret that is shown once and kept nowhere. */
  secret: boolean
}

export interface Answer {
  data: unknown
  page?: PageInfo
  warnings?: Warning[]
  /** Given again for an idempotency key. */
  replayed?: true
}

/**
 * Refuses to change the tasks that an input is about, which are looked up only if it matters who
 * they are; `lease_id` is the one that the caller named.
 */
export type Guard = (
  context: Context,
  tasks: () => Promise<readonly number[]>,
  lease_id: string | undefined,
) => Promise<void>
/** What every accepted write leaves behind besides its own rows, in its transaction. */
export type Wake = (context: Context, changes: readonly Change[]) => Promise<void>
export type Dispatch = (
  caller: Caller,
  op: AnyOperation,
  input: unknown,
  idempotencyKey?: string,
  /** Ends a wait before its time. */
  until?: AbortSignal,
) => Promise<Answer>

interface Parts {
  store: Store
  clock: Clock
  server: Server
  guards: Partial<Record<GuardName, Guard>>
  wake?: Wake
}

/** The one road into the domain: scope, shape, guard, transaction, run, change log. */
export function dispatcher({ store, clock, server, guards, wake }: Parts): Dispatch {
  const memo = new Memo<Answer>()
  const read = <T>(job: (tx: Tx) => Promise<T>) => store.read(job)
  async function answered(caller: Caller, op: AnyOperation, given: unknown) {
    const age = store.age?.()
    if (age === undefined || isLong(given)) return perform(caller, op, given)
    const ask = op.name + JSON.stringify(given)
    const now = clock()
    const before = memo.at(age, now).find(caller, ask)
    if (before) return before
    const answer = await perform(caller, op, given)
    memo.at(age, now).keep(caller, ask, answer)
    return answer
  }
  const perform: Dispatch = async (caller, op, given, key, until) => {
    if (!caller.scopes.has(op.needs)) throw lacking(op.needs)
    const input = given ?? {}
    validate(op.input, input)
    const needs = needed(op, input)
    if (!caller.scopes.has(needs)) throw lacking(needs)
    const writing = writes({ needs })
    const { lease_id, ...asked } = input as Paging & { lease_id?: string }
    const { capped, cappedWarnings } = cap(op, op.guard ? asked : (input as Paging))
    const early: Warning[] = [...cappedWarnings]
    const looking = { caller, server, now: clock(), read, warn: warnIn(early) }
    const prepared = await op.prepare?.(capped, looking)
    const left: ((tx: Tx) => Promise<void>)[] = []
    const results = new Results()
    let found = true
    let stepped = 0
    const within = async <T>(tx: Tx, job: (context: Context) => Promise<T>) => {
      const now = clock()
      const changes: Change[] = []
      const warnings = [...early]
      const context: Context = {
        tx,
        caller,
        server,
        needs,
        now,
        emit: emitInto(changes),
        warn: warnIn(warnings),
        later(job) {
          if (writing) throw new Error(`${op.name} writes, so it need not do so later`)
          left.push(job)
        },
        resolve: (key, work) => results.resolve(key, work),
      }
      const { guard } = op
      if (guard) await bound(guards, op)(context, () => guard.tasks(capped, context), lease_id)
      const result = await job(context)
      if (changes.length) {
        await wake?.(context, changes)
        await store.append(tx, caller, now, changes)
      }
      return { result, warnings }
    }
    const run = async (tx: Tx): Promise<Answer> => {
      const { result, warnings } = await within(tx, (ctx) => op.run(capped, ctx, prepared, stepped))
      found = op.patience?.found(result) ?? true
      return answer(op, capped, result, warnings)
    }
    const step = async ({ remain, take }: Steps<unknown>) => {
      while (await read((tx) => remain(capped, { tx })))
        stepped += (await store.write((tx) => within(tx, (ctx) => take(capped, ctx)))).result
    }
    if (!writing) {
      const answer = await patiently({
        onCommit: store.onCommit,
        seconds: op.patience?.seconds(capped) ?? 0,
        until,
        ask: () =>
          results.through(() => {
            left.length = 0
            return store.read(run)
          }),
        found: () => found,
      })
      return left.length ? leaving(answer, left) : answer
    }
    if (op.steps) await step(op.steps)
    if (key === undefined) return results.through(() => store.write(run))
    const ask = {
      actor_id: caller.actor_id,
      key,
      digest: digest(op.name, input),
      secret: op.output.secret === true,
    }
    const once = (tx: Tx) => store.once(tx, { ...ask, now: clock() }, () => run(tx))
    return results.through(() => store.write(once))
  }
  /** Whoever only reads is answered even by a database that nobody can write to. */
  async function leaving(answer: Answer, left: readonly ((tx: Tx) => Promise<void>)[]) {
    for (const job of left) await store.write(job).catch(() => undefined)
    return answer
  }
  return async (caller, op, given, key, until) => {
    if (key !== undefined) checkKey(key)
    const isFresh = writes(op) || op.patience || op.lags || needed(op, given ?? {}) !== op.needs
    const answer = isFresh ? perform(caller, op, given, key, until) : answered(caller, op, given)
    return answer.catch((error) => {
      throw referenceError(op, error)
    })
  }
}

const warnIn =
  (warnings: Warning[]): Context['warn'] =>
  (field, code, message) =>
    void warnings.push({ field, code, message })

function answer(op: AnyOperation, input: Paging, result: unknown, warnings: Warning[]): Answer {
  const warned = warnings.length ? { warnings } : {}
  if (!op.output.list) return { data: result, ...warned }
  const { items, page } = result as { items: Record<string, unknown>[]; page: PageInfo }
  const fields = fieldsOf(input, op.output.properties.items.items)
  return { data: fields ? items.map((item) => pick(item, fields)) : items, page, ...warned }
}

function cap(op: AnyOperation, input: Paging) {
  if (!op.input.properties.limit || (input.limit ?? 0) <= MOST_ROWS)
    return { capped: input, cappedWarnings: [] }
  const more = op.output.list ? '; follow next_cursor for more' : ''
  const message = `At most ${MOST_ROWS} rows are given at once${more}`
  const warning: Warning = { field: 'limit', code: 'out_of_range', message }
  return { capped: { ...input, limit: MOST_ROWS }, cappedWarnings: [warning] }
}

/** Refuses what a credential, or its owner's role in a team, does not include. */
export function lacking(scope: Scope, role?: Role): Fault {
  if (scope === 'agents:manage')
    return new Fault(
      'not_manager',
      'Agents are managed with a credential that may agents:manage',
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

function bound(guards: Parts['guards'], op: AnyOperation): Guard {
  const guard = guards[op.guard!.by]
  if (!guard)
    throw new Error(`${op.name} asks for the guard ${op.guard!.by}, which nothing provides`)
  return guard
}

/** Key order does not matter: a client may rebuild the same body for its retry. */
export function digest(...values: unknown[]): string {
  const sorted = (_: string, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  // A hash takes a long text with other than Latin letters 50 times faster as bytes.
  const bytes = Buffer.from(JSON.stringify(values, sorted))
  return new Bun.CryptoHasher('sha256').update(bytes).digest('base64url')
}
