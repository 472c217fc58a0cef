import type { Caller } from '../../kernel/caller.ts'
import { type AnyOperation, needed, writes } from '../../kernel/operation.ts'
import { nameOf } from './answer.ts'
import { groupOf } from './groups.ts'
import { schemaFor } from './schema.ts'
import { titleOf } from './titles.ts'
import type { ChatTool, Tools } from './types.ts'

export { refused } from './answer.ts'
export { asData } from './data.ts'
export { MORE_TOOLS, openGroup, opening, shown } from './groups.ts'
export { check, missing, perform, titled } from './perform.ts'
export type { Asking, ChatTool, Tools } from './types.ts'
export { noUndo, undoing } from './undo/index.ts'
export type { Undo } from './undo/types.ts'

/** The tools of a chat for whoever it acts as: what they may not do is not offered. */
export function toolsFor(catalog: readonly AnyOperation[], caller: Caller): Tools {
  const has = (op: AnyOperation) => op.on.chat === true || op.on.chat === `${caller.kind}s`
  const allowed = catalog.filter((op) => has(op) && caller.scopes.has(op.needs))
  return new Map(allowed.map((op) => [nameOf(op.name), toolOf(op, caller)]))
}

function toolOf(op: AnyOperation, { scopes }: Caller): ChatTool {
  const { destroys = false } = op
  return {
    name: nameOf(op.name),
    description: op.summary,
    schema: schemaFor(op, (scope) => scopes.has(scope)),
    op,
    group: groupOf(op.name),
    writes: (input) => writes(op) || tried(() => !needed(op, input).endsWith(':read')),
    destroys: (input) => (destroys && destroys !== true ? tried(() => destroys(input)) : destroys),
    title: (input, board) => titleOf(op.name, op.summary, input, board),
  }
}

/** A model may give anything as input, and then the careful answer is yes. */
function tried(ask: () => boolean): boolean {
  try {
    return ask()
  } catch {
    return true
  }
}
