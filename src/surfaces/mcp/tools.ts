import type { Scope } from '../../kernel/caller.ts'
import { digest } from '../../kernel/dispatch.ts'
import { type AnyOperation, toArray } from '../../kernel/operation.ts'
import { annotationsOf } from './annotations.ts'
import { TOOLS } from './names.ts'
import { describe, type HasScope, inputSchema } from './schema.ts'

/** The actions of a tool, by name. */
export type Actions = ReadonlyMap<string, AnyOperation>
export type Tools = ReadonlyMap<string, Actions>

/** A tool with actions, or a legacy tool that is a single operation. */
export type Tool = Actions | AnyOperation

type ListedTool = ReturnType<typeof listTool>

/** All tools that have actions, in the order of the list. */
export function toolsOf(catalog: readonly AnyOperation[]): Tools {
  const tools = new Map(Object.keys(TOOLS).map((name) => [name, new Map<string, AnyOperation>()]))
  for (const op of catalog)
    for (const fullName of toArray(op.on.mcp)) {
      const [name = '', action] = fullName.split('.')
      if (action === undefined) continue
      const actions = tools.get(name)
      if (!actions) throw new Error(`${op.name} names the tool ${name}, which is not in names.ts`)
      if (actions.has(action)) throw new Error(`${fullName} is declared twice`)
      actions.set(action, op)
    }
  return new Map([...tools].filter(([, actions]) => actions.size))
}

/** All tools that can be called: the listed ones and the legacy ones. */
export const callableTools = (catalog: readonly AnyOperation[]): ReadonlyMap<string, Tool> =>
  new Map<string, Tool>([
    ...toolsOf(catalog),
    ...catalog.flatMap((op) => legacyNames(op).map((name) => [name, op] as const)),
  ])

const legacyNames = ({ on }: AnyOperation) => toArray(on.mcp).filter((name) => !name.includes('.'))

/** A hash of all tool schemas, so that clients and bug reports can tell versions apart. */
export const schemaVersion = (catalog: readonly AnyOperation[]): string =>
  digest(
    [...toolsOf(catalog)].map(([name, actions]) => listTool(name, [...actions], () => true)),
  ).slice(0, 12)

/** Caches tool lists by scopes and selected tools. Few combinations of them are in use. */
export class ToolLists {
  private readonly cache = new Map<string, ListedTool[]>()

  constructor(private readonly tools: Tools) {}

  get names(): string[] {
    return [...this.tools.keys()]
  }

  for(scopes: ReadonlySet<Scope>, selected?: ReadonlySet<string>): ListedTool[] {
    const key = [[...scopes].sort(), [...(selected ?? ['all'])].sort()].join(' ')
    const cached = this.cache.get(key)
    if (cached) return cached
    if (this.cache.size >= 256) this.cache.clear()
    const list = [...this.tools].flatMap(([name, actions]) => {
      if (selected && !selected.has(name)) return []
      const allowed = [...actions].filter(([, op]) => scopes.has(op.needs))
      return allowed.length ? [listTool(name, allowed, (scope) => scopes.has(scope))] : []
    })
    this.cache.set(key, list)
    return list
  }
}

function listTool(name: string, actions: [string, AnyOperation][], hasScope: HasScope) {
  const { title, summary } = TOOLS[name as keyof typeof TOOLS]
  return {
    name,
    title,
    description: describe(summary, actions),
    inputSchema: inputSchema(name, actions, hasScope),
    annotations: annotationsOf(actions.map(([, op]) => op)),
  }
}
