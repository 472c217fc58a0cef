import { catalog } from '../../src/catalog.ts'
import { applyUndo, perform, refusalText, toolsFor, type Undo } from '../../src/chat/tools/index.ts'
import type { Caller } from '../../src/kernel/caller.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { type Actor, type World, world } from '../support/world.ts'

/** The chat tools of an actor, called by name as a model calls them. */
export function chatToolsOf({ dispatch }: Pick<World, 'dispatch'>, { caller }: { caller: Caller }) {
  const tools = toolsFor(catalog, caller)
  const context = { dispatch, caller }
  const tool = (name: string) => {
    const match = tools.get(name)
    if (!match) throw new Error(`The chat has no tool ${name}`)
    return match
  }
  return {
    tools,
    tool,
    context,
    call: (name: string, input: unknown) => perform(context, tool(name), input),
    undo: (undo: Undo | undefined) => {
      if (!undo) throw new Error('The call has no undo')
      return applyUndo(context, undo)
    },
  }
}

/** Returns the fault of a refused call, and the text that the model gets for it. */
export async function catchRefusal(call: Promise<unknown>) {
  const fault = await call.then(
    (result) => new Error(`It was not refused: ${JSON.stringify(result)}`),
    (error) => error,
  )
  if (!(fault instanceof Fault)) throw fault
  return { ...fault, message: fault.message, text: refusalText(fault) }
}

/** The world, with the chat tools of Cleo unless another actor is selected. */
export async function chatToolsWorld(selectActor: (w: World) => Actor = ({ cleo }) => cleo) {
  const w = await world()
  return { ...w, chat: chatToolsOf(w, selectActor(w)) }
}
