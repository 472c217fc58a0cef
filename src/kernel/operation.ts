import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Ask, Context, Scope } from './caller.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Route = `${Method} /${string}`
type Action = `svc_${string}.${string}`
type OneOrMore<T> = T | readonly T[]

/** Where an operation can be reached. A key left out means: not there. A second name is an alias. */
export interface Surfaces {
  rest?: OneOrMore<Route>
  mcp?: OneOrMore<Action>
  cli?: string
  chat?: true
}

export type GuardName = 'lease'

export interface Operation<Name extends string, I extends TObject, O extends TSchema, P> {
  /** `noun.verb` in the words of the interface. */
  name: Name
  /** One line for a person or a model choosing among operations. */
  summary: string
  needs: Scope
  on: Surfaces
  /** Unknown fields are refused, whatever the schema says. */
  input: I
  output: O
  guard?: GuardName
  /** Slow work (hashing, fetching) that must not hold a transaction open. */
  prepare?(input: Static<I>, ask: Ask): Promise<P>
  run(input: Static<I>, context: Context, prepared: P): Promise<Static<O>>
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

export const writes = (op: AnyOperation) => !op.needs.endsWith(':read')

/** The names of one key of `on`, be it one, several or none. */
export const named = <T extends string>(names: OneOrMore<T> | undefined): readonly T[] =>
  names === undefined ? [] : typeof names === 'string' ? [names] : (names as readonly T[])
