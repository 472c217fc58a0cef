import { catalog } from '../../src/catalog.ts'
import { applyUndo, perform, refusalText, toolsFor, type Undo } from '../../src/chat/tools/index.ts'
import type { Caller } from '../../src/kernel/caller.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { type Actor, type World, world } from '../world.ts'

/** The chat tools of an actor, called by name as a model calls them. */
export function chatOf({ dispatch }: Pick<World, 'dispatch'>, { caller }: { caller: Caller }) {
  const tools = toolsFor(catalog, caller)
  const asking = { dispatch, caller }
  const tool = (name: string) => {
    const found = tools.get(name)
    if (!found) throw new Error(`The chat has no tool ${name}`)
    return found
  }
  return {
    tools,
    tool,
    asking,
    call: (name: string, input: unknown) => perform(asking, tool(name), input),
    undo: (undo: Undo | undefined) => {
      if (!undo) throw new Error('There is no way back')
      return applyUndo(asking, undo)
    },
  }
}

/** The fault of a refused call, and the text that the model gets for it. */
export async function refusal(call: Promise<unknown>) {
  const fault = await call.then(
    (answer) => new Error(`It was not refused: ${JSON.stringify(answer)}`),
    (error) => error,
  )
  if (!(fault instanceof Fault)) throw fault
  return { ...fault, message: fault.message, text: refusalText(fault) }
}

/** The world, and the chat tools of the member Cleo unless another actor is chosen. */
export async function talking(as: (w: World) => Actor = ({ cleo }) => cleo) {
  const w = await world()
  return { ...w, chat: chatOf(w, as(w)) }
}
