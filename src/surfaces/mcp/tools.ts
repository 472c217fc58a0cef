import type { Scope } from '../../kernel/caller.ts'
import { digest } from '../../kernel/dispatch.ts'
import { type AnyOperation, named, writes } from '../../kernel/operation.ts'
import { TOOLS } from './names.ts'
import { describe, inputSchema, type May } from './schema.ts'

/** The actions of one tool, by name. */
export type Actions = ReadonlyMap<string, AnyOperation>
export type Tools = ReadonlyMap<string, Actions>

/** What a name stands for: a tool with actions, or an older one that does a single thing. */
export type Tool = Actions | AnyOperation

type Listed = ReturnType<typeof listed>

/** Every tool that has actions, in the order of the list. */
export function toolsOf(catalog: readonly AnyOperation[]): Tools {
  const tools = new Map(Object.keys(TOOLS).map((name) => [name, new Map<string, AnyOperation>()]))
  for (const op of catalog)
    for (const full of named(op.on.mcp)) {
      const [name = '', action] = full.split('.')
      if (action === undefined) continue
      const actions = tools.get(name)
      if (!actions) throw new Error(`${op.name} names the tool ${name}, which is not in names.ts`)
      if (actions.has(action)) throw new Error(`${full} is declared twice`)
      actions.set(action, op)
    }
  return new Map([...tools].filter(([, actions]) => actions.size))
}

/** Every name that can be called: the tools of the list, and older names that no list shows. */
export const callable = (catalog: readonly AnyOperation[]): ReadonlyMap<string, Tool> =>
  new Map<string, Tool>([
    ...toolsOf(catalog),
    ...catalog.flatMap((op) => older(op).map((name) => [name, op] as const)),
  ])

const older = ({ on }: AnyOperation) => named(on.mcp).filter((name) => !name.includes('.'))

/** Tells clients, and readers of bug reports, which schemas a server spoke. */
export const schemaVersion = (catalog: readonly AnyOperation[]): string =>
  digest(
    [...toolsOf(catalog)].map(([name, actions]) => listed(name, [...actions], () => true)),
  ).slice(0, 12)

/** Lists of tools are few, for scopes come in few combinations; each is built once. */
export class ToolLists {
  private readonly built = new Map<string, Listed[]>()

  constructor(private readonly tools: Tools) {}

  for(scopes: ReadonlySet<Scope>): Listed[] {
    const key = [...scopes].sort().join()
    const before = this.built.get(key)
    if (before) return before
    if (this.built.size >= 256) this.built.clear()
    const list = [...this.tools].flatMap(([name, actions]) => {
      const allowed = [...actions].filter(([, op]) => scopes.has(op.needs))
      return allowed.length ? [listed(name, allowed, (scope) => scopes.has(scope))] : []
    })
    this.built.set(key, list)
    return list
  }
}

function listed(name: string, actions: [string, AnyOperation][], may: May) {
  const onlyReads = !actions.some(([, op]) => writes(op))
  return {
    name,
    description: describe(TOOLS[name as keyof typeof TOOLS], actions, may),
    inputSchema: inputSchema(actions),
    ...(onlyReads && { annotations: { readOnlyHint: true } }),
  }
}
