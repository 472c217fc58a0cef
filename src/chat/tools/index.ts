import type { Caller } from '../../kernel/caller.ts'
import { type AnyOperation, isWrite, requiredScope } from '../../kernel/operation.ts'
import { toolName } from './answer.ts'
import { groupOf } from './groups.ts'
import { schemaFor } from './schema.ts'
import { titleOf } from './titles.ts'
import type { ChatTool, Tools } from './types.ts'

export { refusalText } from './answer.ts'
export { asData } from './data.ts'
export { MORE_TOOLS, openGroup, openingCall, visibleTools } from './groups.ts'
export { callTitle, check, perform, unknownTool } from './perform.ts'
export type { ChatTool, ToolContext, Tools } from './types.ts'
export { applyUndo } from './undo/index.ts'
export type { Undo } from './undo/types.ts'

/** The chat tools of a caller. Operations that the caller may not use are left out. */
export function toolsFor(catalog: readonly AnyOperation[], caller: Caller): Tools {
  const isOffered = (op: AnyOperation) => op.on.chat === true || op.on.chat === `${caller.kind}s`
  const allowed = catalog.filter((op) => isOffered(op) && caller.scopes.has(op.needs))
  return new Map(allowed.map((op) => [toolName(op.name), toolOf(op, caller)]))
}

function toolOf(op: AnyOperation, { scopes }: Caller): ChatTool {
  const { destroys = false } = op
  return {
    name: toolName(op.name),
    description: op.summary,
    schema: schemaFor(op, (scope) => scopes.has(scope)),
    op,
    group: groupOf(op.name),
    writes: (input) =>
      isWrite(op) || trueOnError(() => !requiredScope(op, input).endsWith(':read')),
    destroys: (input) =>
      destroys && destroys !== true ? trueOnError(() => destroys(input)) : destroys,
    title: (input, board) => titleOf(op.name, op.summary, input, board),
  }
}

/** A model may pass any input. If the test throws, the safe answer is true. */
function trueOnError(test: () => boolean): boolean {
  try {
    return test()
  } catch {
    return true
  }
}
