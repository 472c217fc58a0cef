import { type Static, type TObject, type TSchema, Type as t } from '@sinclair/typebox'
import type { Context, Looking, Scope } from './caller.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Route = `${Method} /${string}`
type Action = `svc_${string}.${string}`
/** A tool of its own, under a name from before there were actions; callable, but not listed. */
type Older = `${'create' | 'get' | 'update' | 'list' | 'search'}_page${'' | 's'}`
type OneOrMore<T> = T | readonly T[]

/** Where an operation can be reached. A key left out means: not there. A second name is an alias. */
export interface Surfaces {
  rest?: OneOrMore<Route>
  mcp?: OneOrMore<Action | Older>
  cli?: string
  /** `agents`: only those that run here have it as a tool; people have no use for it. */
  chat?: true | 'agents'
}

export type GuardName = 'lease'

/** What stands before an operation that changes tasks which are there already. */
export interface Guarded<Input> {
  by: GuardName
  /** Numbers of the tasks that this input would change. */
  tasks(input: Input, context: Context): Promise<readonly number[]>
}

/** The input of every guarded operation has it; `dispatch` takes it off before `run`. */
export const leased = {
  lease_id: t.Optional(
    t.String({ minLength: 1, maxLength: 50, description: 'The lease that this is done under' }),
  ),
}

export interface Operation<Name extends string, I extends TObject, O extends TSchema, P> {
  /** `noun.verb` in the words of the interface. */
  name: Name
  /** One line for a person or a model choosing among operations. */
  summary: string
  needs: Scope
  /**
   * What it needs instead where this input asks for more than the operation otherwise does. The
   * schema of the field that asks names it as `needs`: who lacks it is not told of the field.
   */
  beyond?(input: Static<I>): Scope | undefined
  /**
   * Something is taken away for good, somebody gains or loses access, something goes to another
   * host, or what a model takes for an instruction changes: a chat asks before each such call.
   */
  destroys?: true | ((input: Static<I>) => boolean)
  on: Surfaces
  /** The session of the browser that asked goes on under another secret. */
  renews?: true
  /** Unknown fields are refused, whatever the schema says. */
  input: I
  output: O
  guard?: Guarded<Static<I>>
  /** It asks what lags behind the writes, so an answer is not one until the next write. */
  lags?: true
  /** A read that may wait for something to be there. */
  patience?: Patience<Static<I>, Static<O>>
  /** Work that would hold one transaction open too long, done before `run`. */
  steps?: Steps<Static<I>>
  /** Slow work (hashing, fetching) that must not hold a transaction open. */
  prepare?(input: Static<I>, ask: Looking): Promise<P>
  /** `stepped` is how much the steps did. */
  run(input: Static<I>, context: Context, prepared: P, stepped?: number): Promise<Static<O>>
}

/**
 * Each step is a transaction of its own, with the guard, the change log and everything else that
 * belongs to one. A step stays done if a later one is refused; repeating the request goes on.
 */
export interface Steps<Input> {
  /** Whether there is more than `run` should do at once. */
  remain(input: Input, reading: Pick<Context, 'tx'>): Promise<boolean>
  /** Does some of it, and answers how much. */
  take(input: Input, context: Context): Promise<number>
}

export interface Patience<Input, Output> {
  /** How long the caller is ready to wait. */
  seconds(input: Input): number
  /** There is something, so that nobody need wait. */
  found(output: Output): boolean
}

export const operation = <
  const Name extends string,
  I extends TObject,
  O extends TSchema,
  P = undefined,
>(
  declared: Operation<Name, I, O, P>,
): Operation<Name, I, O, P> => ({
  ...declared,
  input: { ...declared.input, additionalProperties: false },
})

// biome-ignore lint/suspicious/noExplicitAny: a catalogue holds operations of every shape
export type AnyOperation = Operation<string, any, any, any>

export type Client<Ops extends readonly AnyOperation[]> = {
  [Op in Ops[number] as Op['name']]: (input: Static<Op['input']>) => Promise<Static<Op['output']>>
}

/** A `:read` scope never writes: such an operation runs on a connection that only reads. */
export const writes = ({ needs }: Pick<AnyOperation, 'needs'>) => !needs.endsWith(':read')

/** The scope that this very input needs. */
export const needed = (op: AnyOperation, input: unknown): Scope => op.beyond?.(input) ?? op.needs

/** The names of one key of `on`, be it one, several or none. */
export const named = <T extends string>(names: OneOrMore<T> | undefined): readonly T[] =>
  names === undefined ? [] : typeof names === 'string' ? [names] : (names as readonly T[])
