import { type Static, type TObject, type TSchema, Type as t } from '@sinclair/typebox'
import type { Context, PrepareContext, Scope } from './caller.ts'
import type { Dependency } from './changes.ts'
import type { Deprecation } from './deprecation.ts'
import type { PageInfo } from './list.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Route = `${Method} /${string}`
type Action = `svc_${string}.${string}`
/** A tool name from before tools had actions; it can be called, but is not listed. */
type LegacyTool = `${'create' | 'get' | 'update' | 'list' | 'search'}_page${'' | 's'}`
type OneOrMore<T> = T | readonly T[]

export interface CliCommand {
  /** `tasks context <task>`: the command with its arguments. */
  usage: string
  /**
   * What to type after the command to see it work. The tests run it on a board HOM with the columns
   * Inbox, Next and Doing and the tasks HOM-1 to HOM-3, in a team with Ben and Cleo.
   */
  example: string
}

/** Where an operation is available. A missing key means: not there. Further names are aliases. */
export interface Surfaces {
  rest?: OneOrMore<Route>
  mcp?: OneOrMore<Action | LegacyTool>
  cli?: CliCommand
  /** With `agents`, only native agents get it as a tool, because people have no use for it. */
  chat?: true | 'agents'
}

export type GuardName = 'lease'

/** The guard of an operation that changes existing tasks. */
export interface OperationGuard<Input> {
  by: GuardName
  /** Ids of the tasks that this input would change. */
  tasks(input: Input, context: Context): Promise<readonly number[]>
}

/** Belongs to the input of every guarded operation; `dispatch` removes it before `run`. */
export const leaseInput = {
  lease_id: t.Optional(
    t.String({ minLength: 1, maxLength: 50, description: 'Id of your lease of the task' }),
  ),
}

interface Declaration<Name extends string, I extends TObject, O extends TSchema, P> {
  /** `noun.verb`, in the words of the API. */
  name: Name
  /** One line for people and models who choose among operations. */
  summary: string
  deprecated?: Deprecation
  /**
   * The scope that replaces `needs` if this input asks for more than usual. The schema of the field
   * that asks for it names the scope as `needs`, so that callers without it are not shown the
   * field.
   */
  elevatedScope?(input: Static<I>): Scope | undefined
  /**
   * The operation deletes something for good, changes who has access, sends data to another host or
   * changes instructions for models. A chat asks for confirmation before each such call.
   */
  destroys?: true | ((input: Static<I>) => boolean)
  /** It creates what its output describes, which REST answers with status 201. */
  creates?: true
  on: Surfaces
  /** The browser session of the caller continues under a new secret. */
  rotatesSession?: true
  /** Unknown fields are always rejected, even if the schema allows them. */
  input: I
  output: O
  guard?: OperationGuard<Static<I>>
  /** The operation, or this page, reads what lags behind writes, so the result is not cached. */
  uncached?: true | ((page: PageInfo) => boolean)
  /** A read of so many rows that a reader thread runs it, if the server has one. */
  heavy?: true | ((input: Static<I>, reader: Reader) => boolean | Promise<boolean>)
  /** A read that may wait until it has a result. */
  longPoll?: LongPoll<Static<I>, Static<O>>
  /** It takes many rows in many requests, which are counted apart from all others. */
  bulk?: true
  /** It deletes rows with all that refer to them, so it needs no check of foreign keys. */
  isUnchecked?: true
  /** Work that is too long for one transaction, done before `run`. */
  steps?: Steps<Static<I>>
  /** Slow work (hashing, fetching) that must not hold a transaction open. */
  prepare?(input: Static<I>, context: PrepareContext): Promise<P>
  /** `stepCount` is the sum of what `steps.runStep` returned. */
  run(input: Static<I>, context: Context, prepared: P, stepCount?: number): Promise<Static<O>>
}

/** Who reads, and on which connection. */
export type Reader = Pick<Context, 'tx' | 'caller'>

type ReadScope = Extract<Scope, `${string}:read`>

/** What is read must declare what its answer depends on. */
type Access =
  | { needs: ReadScope; dependsOn: readonly Dependency[] }
  | { needs: Exclude<Scope, ReadScope>; dependsOn?: readonly Dependency[] }

export type Operation<Name extends string, I extends TObject, O extends TSchema, P> = Declaration<
  Name,
  I,
  O,
  P
> &
  Access

/**
 * Each step is its own transaction, with the guard and the change log. A step stays committed if a
 * later one fails; repeating the request continues with what remains.
 */
export interface Steps<Input> {
  /** Whether there is more than `run` should do in one transaction. */
  hasMore(input: Input, context: Pick<Context, 'tx' | 'caller'>): Promise<boolean>
  /** Does part of the work and returns how much it did. */
  runStep(input: Input, context: Context): Promise<number>
}

export interface LongPoll<Input, Output> {
  /** How long the caller is willing to wait. */
  seconds(input: Input): number
  /** Whether the output is worth returning at once. */
  hasResult(output: Output): boolean
}

export const operation = <
  const Name extends string,
  I extends TObject,
  O extends TSchema,
  P = undefined,
>(
  declaration: Operation<Name, I, O, P>,
): Operation<Name, I, O, P> => ({
  ...declaration,
  input: { ...declaration.input, additionalProperties: false },
})

// biome-ignore lint/suspicious/noExplicitAny: a catalogue holds operations of every shape
export type AnyOperation = Operation<string, any, any, any>

/** What a client needs of an operation. All of it can be written as JSON. */
export type OperationDescription = Pick<
  AnyOperation,
  'name' | 'summary' | 'deprecated' | 'needs' | 'on' | 'input' | 'output'
>

export type Client<Ops extends readonly AnyOperation[]> = {
  [Op in Ops[number] as Op['name']]: (input: Static<Op['input']>) => Promise<Static<Op['output']>>
}

/** An operation with a `:read` scope never writes; it runs on a read-only connection. */
export const isWrite = ({ needs }: Pick<AnyOperation, 'needs'>) => !needs.endsWith(':read')

/** The scope that this input needs. */
export const requiredScope = (op: AnyOperation, input: unknown): Scope =>
  op.elevatedScope?.(input) ?? op.needs

/** The names under one key of `on`, which may hold one, several or none. */
export const toArray = <T extends string>(names: OneOrMore<T> | undefined): readonly T[] =>
  names === undefined ? [] : typeof names === 'string' ? [names] : (names as readonly T[])
