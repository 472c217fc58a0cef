import { catalog } from '../../../catalog.ts'
import { digest } from '../../../kernel/dispatch.ts'
import { Fault, fault } from '../../../kernel/fault.ts'
import type { AnyOperation } from '../../../kernel/operation.ts'
import type { ToolContext } from '../types.ts'
import { boardRules } from './boards.ts'
import { peopleRules } from './people.ts'
import { savedRules } from './saved.ts'
import { taskRules } from './tasks.ts'
import { textRules } from './texts.ts'
import { type Fields, pick, type Read, type ReadCall, type Undo, type UndoRules } from './types.ts'

/** For each operation that writes: how to undo it, or why it cannot be undone. */
export const UNDO_RULES: UndoRules = {
  ...taskRules,
  ...boardRules,
  ...textRules,
  ...savedRules,
  ...peopleRules,
}

const operations: ReadonlyMap<string, AnyOperation> = new Map(catalog.map((op) => [op.name, op]))

const readerFor =
  ({ dispatch, caller }: ToolContext): Read =>
  async ({ op, input }) =>
    (await dispatch(caller, operations.get(op)!, input)).data

/**
 * Reads what a call is about to change. The returned function builds the undo steps from the output
 * of the call. If the read is refused there is no undo; the call itself then reports the reason
 * better.
 */
export async function prepareUndo(context: ToolContext, op: string, input: Fields) {
  const rule = UNDO_RULES[op]
  if (!rule || typeof rule === 'string') return undefined
  const read = readerFor(context)
  const { readCall, before } = (await orUndefined(async () => {
    const readCall = await rule.reads?.(input, read)
    return { readCall, before: readCall && (await read(readCall)) }
  })) ?? { readCall: undefined, before: undefined }
  if (rule.reads && !readCall) return undefined
  return (output: unknown): Promise<Undo | undefined> =>
    orUndefined(async () => {
      const after = readCall && (await read(readCall))
      const steps = await rule.undo({ input, before, after, output }, read)
      if (!steps?.length) return undefined
      const unless = readCall && { ...readCall, digest: digestOf(readCall, after) }
      return { steps, ...(unless && { unless }) }
    })
}

async function orUndefined<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

const digestOf = ({ fields }: Pick<ReadCall, 'fields'>, data: unknown) =>
  digest([data].flat().map((row) => pick(row as Fields, fields)))

/**
 * Undoes a call with the caller's current rights; refused if somebody has changed the data since.
 */
export async function applyUndo(context: ToolContext, { steps, unless }: Undo): Promise<void> {
  if (unless && digestOf(unless, await readerFor(context)(unless)) !== unless.digest)
    throw fault.conflict(
      'Somebody has changed this since, and undoing it would discard that change',
      {},
      'Check its current state and change it manually',
    )
  for (const { op, input } of steps)
    await context.dispatch(context.caller, operations.get(op)!, input)
}
