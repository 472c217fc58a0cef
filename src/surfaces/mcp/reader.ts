import type { Client } from '../../catalog.ts'
import type { Caller, Scope } from '../../kernel/caller.ts'
import type { Dispatch } from '../../kernel/dispatch.ts'
import type { AnyOperation } from '../../kernel/operation.ts'

export type OperationName = keyof Client

/** Runs an operation for one caller. Its rights apply, as with a tool call. */
export type Read = <Name extends OperationName>(
  name: Name,
  input: Parameters<Client[Name]>[0],
) => ReturnType<Client[Name]>

/** The operations of the catalog by name, for prompts and resources. */
export class Operations {
  private readonly byName: ReadonlyMap<string, AnyOperation>

  constructor(
    catalog: readonly AnyOperation[],
    private readonly dispatch: Dispatch,
  ) {
    this.byName = new Map(catalog.map((op) => [op.name, op]))
  }

  get(name: OperationName): AnyOperation {
    const op = this.byName.get(name)
    if (!op) throw new Error(`There is no operation ${name}`)
    return op
  }

  /** The scopes that a caller needs for all of these operations. */
  scopesOf(names: readonly OperationName[]): Scope[] {
    return [...new Set(names.map((name) => this.get(name).needs))]
  }

  mayCall({ scopes }: Caller, names: readonly OperationName[]): boolean {
    return this.scopesOf(names).every((scope) => scopes.has(scope))
  }

  readerFor(caller: Caller): Read {
    const read = async (name: OperationName, input: unknown) => {
      const { data, page } = await this.dispatch(caller, this.get(name), input)
      return page ? { items: data, page } : data
    }
    return read as Read
  }
}
