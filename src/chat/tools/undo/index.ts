import { catalog } from '../../../catalog.ts'
import { digest } from '../../../kernel/dispatch.ts'
import { Fault, fault } from '../../../kernel/fault.ts'
import type { AnyOperation } from '../../../kernel/operation.ts'
import type { Asking, ChatTool } from '../types.ts'
import { ofBoards } from './boards.ts'
import { ofPeople } from './people.ts'
import { ofSaved } from './saved.ts'
import { ofTasks } from './tasks.ts'
import { ofTexts } from './texts.ts'
import { type Fields, type Look, picked, type Sight, type Undo, type Ways } from './types.ts'

/** Each call that writes, and the way back from it, or why there is none. */
export const WAYS: Ways = { ...ofTasks, ...ofBoards, ...ofTexts, ...ofSaved, ...ofPeople }

const operations: ReadonlyMap<string, AnyOperation> = new Map(catalog.map((op) => [op.name, op]))

const looking =
  ({ dispatch, caller }: Asking): Look =>
  async ({ op, input }) =>
    (await dispatch(caller, operations.get(op)!, input)).data

/** Why a call cannot be undone, where that is known before it is made. */
export function noUndo({ op }: ChatTool): string | undefined {
  const way = WAYS[op.name]
  return typeof way === 'string' ? way : undefined
}

/**
 * Looks at what a call is about to change. What is answered makes, of the answer of that call, the
 * way back. A look that is refused leaves the call without one, for the call tells better why.
 */
export async function backFrom(asking: Asking, op: string, input: Fields) {
  const way = WAYS[op]
  if (!way || typeof way === 'string') return undefined
  const look = looking(asking)
  const { sight, before } = (await orNothing(async () => {
    const seen = await way.sees?.(input, look)
    return { sight: seen, before: seen && (await look(seen)) }
  })) ?? { sight: undefined, before: undefined }
  if (way.sees && !sight) return undefined
  return (output: unknown): Promise<Undo | undefined> =>
    orNothing(async () => {
      const after = sight && (await look(sight))
      const steps = await way.back({ input, before, after, output }, look)
      if (!steps?.length) return undefined
      const unless = sight && { ...sight, digest: digestOf(sight, after) }
      return { steps, ...(unless && { unless }) }
    })
}

async function orNothing<T>(job: () => Promise<T>): Promise<T | undefined> {
  try {
    return await job()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

const digestOf = ({ fields }: Pick<Sight, 'fields'>, seen: unknown) =>
  digest([seen].flat().map((one) => picked(one as Fields, fields)))

/** Takes a call back, as whoever asks may by now; refused where others went on from it. */
export async function undoing(asking: Asking, { steps, unless }: Undo): Promise<void> {
  if (unless && digestOf(unless, await looking(asking)(unless)) !== unless.digest)
    throw fault.conflict(
      'Somebody has changed this since, and to undo it would take that away too',
      {},
      'Look at it as it is now, and change it by hand',
    )
  for (const { op, input } of steps)
    await asking.dispatch(asking.caller, operations.get(op)!, input)
}
