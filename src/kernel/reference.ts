import { Fault } from './fault.ts'
import { type AnyOperation, named } from './operation.ts'

/**
 * What a request acts on or in, wherever it is named. If the caller cannot see it, the response is
 * 404, as if the address did not exist. Any other record that an input names is a value of a field:
 * 400 `not_found`. Both are the same for records that do not exist and for those of others.
 */
const SUBJECTS = [
  ...['team_id', 'project_id', 'projectId', 'board_id', 'task_id', 'taskId', 'task_ids', 'task'],
  ...['ticket_number', 'ticket_numbers', 'unique_index', 'task_identifier', 'source_task_id'],
  ...['source_ticket_number', 'source_unique_index', 'source_project_id', 'target_task_id'],
  ...['target_ticket_number', 'target_unique_index', 'page_id', 'id', 'report_id', 'slug'],
  ...['lease_id', 'templateId', 'notification_ids', 'delivery_id', 'comment_id', 'version_id'],
  ...['thread_id', 'tool_call_id', 'version', 'from', 'to'],
  // Whose inbox is read, whose time is reported, which view is looked through.
  ...['user_id', 'agent_id', 'view_id', 'section'],
]

const subjects = new WeakMap<AnyOperation, ReadonlySet<string>>()

/** The fields of an operation that name what it acts on. */
export function subjectsOf(op: AnyOperation): ReadonlySet<string> {
  const before = subjects.get(op)
  if (before) return before
  const inPath = named(op.on.rest).flatMap((route) =>
    [...route.matchAll(/:(\w+)/g)].map(([, name]) => name!),
  )
  const all = new Set([...SUBJECTS, ...inPath])
  subjects.set(op, all)
  return all
}

/** The error of an operation, with the status that suits the field that it names. */
export function referenceError(op: AnyOperation, error: unknown): unknown {
  if (!(error instanceof Fault) || error.code !== 'not_found') return error
  const field = error.details.field?.split('.')[0]
  const isValue = field !== undefined && field in op.input.properties && !subjectsOf(op).has(field)
  return isValue ? new Fault('invalid', error.message, error.details, error.hint) : error
}

/**
 * Names the field that the caller sent, where the function that looks a record up knows that field
 * by another name: one of `names`, or any.
 */
export const asField = <T>(
  field: string,
  found: Promise<T>,
  names?: readonly string[],
): Promise<T> =>
  found.catch((error) => {
    const { code, field: inner = '' } = error instanceof Fault ? error.details : {}
    if (code !== 'not_found' || (names && !names.includes(inner))) throw error
    throw new Fault(error.code, error.message, { ...error.details, field }, error.hint)
  })
