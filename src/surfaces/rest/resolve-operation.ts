import type { AnyOperation } from '../../kernel/operation.ts'

/** Fields that name an existing task. A request with one of them is an update. */
const TASK_FIELDS = ['task_id', 'ticket_number', 'unique_index']

/** `POST /tasks` also updates: the operation depends on whether the input names a task. */
export function resolveOperation(
  op: AnyOperation,
  catalog: readonly AnyOperation[],
  ...inputs: unknown[]
): AnyOperation {
  if (op.name !== 'tasks.create') return op
  const update = catalog.find(({ name }) => name === 'tasks.update')
  return update && inputs.some(namesTask) ? update : op
}

const namesTask = (input: unknown) =>
  typeof input === 'object' &&
  input !== null &&
  TASK_FIELDS.some((name) => Object.hasOwn(input, name))
