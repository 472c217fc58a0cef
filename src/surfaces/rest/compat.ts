import type { AnyOperation } from '../../kernel/operation.ts'

/** What names a task that exists; who sends one of these means to change it. */
const ADDRESS = ['task_id', 'ticket_number', 'unique_index']

/** The operation that a request to an irregular route means, by what was sent there. */
export function meant(
  op: AnyOperation,
  catalog: readonly AnyOperation[],
  ...sent: unknown[]
): AnyOperation {
  if (op.name !== 'tasks.create') return op
  const update = catalog.find(({ name }) => name === 'tasks.update')
  return update && sent.some(names) ? update : op
}

const names = (sent: unknown) =>
  typeof sent === 'object' && sent !== null && ADDRESS.some((name) => Object.hasOwn(sent, name))
