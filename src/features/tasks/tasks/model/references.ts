import type { Context } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { locateTask, type Task } from './address.ts'

export interface TaskReferences {
  task_ids?: number[]
  ticket_numbers?: string[]
}

/**
 * Resolves references to task ids, in the order in which they were given. Lookups, and on
 * PostgreSQL the row locks, run in sorted order, so that two writers of the same tasks wait instead
 * of deadlocking.
 */
export async function resolveTaskIds(
  ctx: Context,
  { task_ids, ticket_numbers }: TaskReferences,
  fieldAt = (at: number) => `${task_ids ? 'task_ids' : 'ticket_numbers'}.${at}`,
): Promise<number[]> {
  requireOneList({ task_ids, ticket_numbers })
  const refs = (task_ids ?? ticket_numbers)!.map((ref, at) => ({ ref, at }))
  const found: number[] = []
  for (const { ref, at } of refs.toSorted((a, b) => (a.ref < b.ref ? -1 : 1))) {
    const address = typeof ref === 'number' ? { task_id: ref } : { ticket_number: ref }
    const { task } = await locateTask(ctx, address).catch((error) => {
      throw faultInField(error, fieldAt(at))
    })
    if (found.includes(task.task_id))
      throw fault.invalid(fieldAt(at), 'conflict', `${task.ticket_number} is listed twice`, ref)
    found[at] = task.task_id
  }
  return found
}

export function requireOneList({ task_ids, ticket_numbers }: TaskReferences): void {
  if ((task_ids === undefined) !== (ticket_numbers === undefined)) return
  throw fault.invalid(
    'task_ids',
    task_ids ? 'conflict' : 'required',
    'Send either task_ids or ticket_numbers',
  )
}

export function faultInField(error: unknown, field: string) {
  if (!(error instanceof Fault)) return error
  return new Fault(error.code, error.message, { ...error.details, field }, error.hint)
}

/** Adds the key and the id of the task to a fault. */
export async function withTaskInFault<T>(
  { task_id, ticket_number }: Task,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const details = { ...error.details, task_id, ticket_number }
    throw new Fault(error.code, `${ticket_number}: ${error.message}`, details, error.hint)
  }
}
