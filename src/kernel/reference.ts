import { Fault } from './fault.ts'
import { type AnyOperation, toArray } from './operation.ts'

/**
 * Input fields that name what a request acts on or in. If the caller cannot see that record, the
 * response is 404, as if the address did not exist. A record in any other field is a value: 400
 * `not_found`. A record that the caller may not see is treated like one that does not exist.
 */
const SUBJECTS = [
  'team_id',
  'project_id',
  'projectId',
  'board_id',
  'task_id',
  'taskId',
  'task_ids',
  'changes.task_id',
  'task',
  'ticket_number',
  'ticket_numbers',
  'unique_index',
  'task_identifier',
  'source_task_id',
  'source_ticket_number',
  'source_unique_index',
  'source_project_id',
  'target_task_id',
  'target_ticket_number',
  'target_unique_index',
  'page_id',
  'id',
  'report_id',
  'slug',
  'lease_id',
  'templateId',
  'notification_ids',
  'delivery_id',
  'comment_id',
  'version_id',
  'thread_id',
  'tool_call_id',
  'version',
  'from',
  'to',
  // The owner of an inbox or of reported time, and the view or section that is read.
  'user_id',
  'agent_id',
  'view_id',
  'section',
]

const subjectsByOperation = new WeakMap<AnyOperation, ReadonlySet<string>>()

/** The fields of an operation that name what it acts on, including all path parameters. */
export function subjectFields(op: AnyOperation): ReadonlySet<string> {
  const before = subjectsByOperation.get(op)
  if (before) return before
  const inPath = toArray(op.on.rest).flatMap((route) =>
    [...route.matchAll(/:(\w+)/g)].map(([, name]) => name!),
  )
  const fields = new Set([...SUBJECTS, ...inPath])
  subjectsByOperation.set(op, fields)
  return fields
}

/** Turns `not_found` (404) into `invalid` (400) if the field is not a subject of the operation. */
export function referenceError(op: AnyOperation, error: unknown): unknown {
  if (!(error instanceof Fault) || error.code !== 'not_found') return error
  const path = error.details.field?.replace(/\.\d+/g, '') ?? ''
  const [field = ''] = path.split('.')
  const subjects = subjectFields(op)
  const isValue = field in op.input.properties && !subjects.has(field) && !subjects.has(path)
  return isValue ? new Fault('invalid', error.message, error.details, error.hint) : error
}

/**
 * Reports a failed lookup under the field that the caller sent, if the lookup reports it under
 * another name. With `names`, only errors about one of those fields are changed.
 */
export const asField = <T>(
  field: string,
  lookup: Promise<T>,
  names?: readonly string[],
): Promise<T> =>
  lookup.catch((error) => {
    const { code, field: inner = '' } = error instanceof Fault ? error.details : {}
    if (code !== 'not_found' || (names && !names.includes(inner))) throw error
    throw new Fault(error.code, error.message, { ...error.details, field }, error.hint)
  })
