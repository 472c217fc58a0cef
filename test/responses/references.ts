import type { TSchema } from '@sinclair/typebox'
import { type AnyOperation, toArray } from '../../src/kernel/operation.ts'
import { samples } from '../support/samples.ts'
import { callChat, callMcp, callRest } from '../support/surface-calls.ts'
import type { Kind } from './record-identifiers.ts'

type Fields = Record<string, unknown>

/** The kind of record that a field refers to, by the last part of its path. */
const KIND_OF: Record<string, Kind> = {
  ...{ project_id: 'project', project_ids: 'project', projectId: 'project', board_id: 'project' },
  ...{ default_board: 'project', default_project_id: 'project', target_project_id: 'project' },
  ...{ section_id: 'section', target_section_id: 'section', after_section_id: 'section' },
  ...{ move_after_section_id: 'section', move_tasks_to_section_id: 'section' },
  ...{ visible_section_ids: 'section', hidden_section_ids: 'section' },
  ...{ label_id: 'label', label: 'label', labels: 'label', add_labels: 'label' },
  remove_labels: 'label',
  ...{ task_id: 'task', task_ids: 'task', taskId: 'task', task: 'task', above_task_id: 'task' },
  ...{ task_identifier: 'task', parent_task_id: 'task', source_task_id: 'task' },
  ...{ target_task_id: 'task', ticket_number: 'ticket', ticket_numbers: 'ticket' },
  ...{ source_ticket_number: 'ticket', target_ticket_number: 'ticket' },
  ...{ user_id: 'person', user_ids: 'person', to_user_id: 'person', assignee_ids: 'person' },
  ...{ assigned_to: 'person', assignee: 'person', created_by: 'person', author: 'person' },
  ...{ auto_assign: 'person', member_identifier: 'person', agent_id: 'agent' },
  assignees: 'name',
  ...{ comment_id: 'comment', reply_to_comment_id: 'comment' },
  ...{ reply_to_invocation_id: 'notification', notification_ids: 'notification' },
  ...{ page_id: 'page', id: 'page', parent_page_id: 'page', draft_id: 'draft' },
  ...{ view_id: 'view', feed_id: 'feed', entry_id: 'time entry', attachment_id: 'attachment' },
  ...{ field_id: 'field', option_id: 'option', decision_request_id: 'decision' },
  ...{ evidence_id: 'evidence', escalation_id: 'escalation', run_id: 'run', skill_id: 'skill' },
  ...{ pull_request_id: 'pull request', receiver_id: 'receiver', report_id: 'report' },
  ...{ thread_id: 'thread', delivery_id: 'delivery', team_id: 'team', templateId: 'template' },
  ...{
    import_id: 'import',
    invitation_id: 'invitation',
    channel_id: 'channel',
    api_key_id: 'API key',
    access_token_id: 'access token',
  },
}

const LOOKS_LIKE_REFERENCE =
  /(^|_)ids?$|[a-z]Id$|identifier$|ticket_numbers?$|unique_index$|^(add_|remove_)?labels?$|^assign|_assign$|^(created_by|author|task|default_board|section|parent|slugs?)$/

/** Fields that look like references but are not, of any operation. */
const NO_REFERENCES: Record<string, string> = {
  'options.label': 'what a new option of a select reads',
  owner_id: 'a name that a worker gives itself',
  client_id: 'a name that a tab or an editor gives itself',
  unique_index: 'a number within the board that project_id names',
  source_unique_index: 'a number within the board that source_project_id names',
  target_unique_index: 'a number within the board that target_project_id names',
  source_project_id: 'counts with source_unique_index alone',
  'tasks.parent': 'a place in the list that is sent',
  slug: 'a name within the board that project_id names, or a new one',
  slugs: 'names within the package that is imported',
  session_id: 'a session of the browser, which no key or token has',
  identity_id: 'a way to sign in, which no key or token sees',
  tool_call_id: 'a call within the conversation that thread_id names',
  ids: 'messages that are unknown are listed in the response as unknown',
  section: 'a title, which filters by what the board calls its columns',
  'filter.section': 'a title, as section',
  'metadata_filters.section': 'a title, as section',
  lease_id: 'the lease that a write is made under; a stale one is a conflict',
}

export interface Reference {
  path: string
  kind: Kind
}

const lastPart = (path: string) => path.replaceAll('[]', '').split('.').at(-1)!

/** Paths of everything that a caller may send, with the schema of it. */
function* leaves(schema: TSchema, path = ''): Generator<[string, TSchema]> {
  if (schema.anyOf) for (const one of schema.anyOf) yield* leaves(one, path)
  else if (schema.type === 'array') yield* leaves(schema.items, `${path}[]`)
  else if (schema.properties)
    for (const [name, part] of Object.entries<TSchema>(schema.properties))
      yield* leaves(part, path ? `${path}.${name}` : name)
  else if (schema.const === undefined && ['string', 'integer'].includes(schema.type))
    yield [path, schema]
}

/** Every field of an operation that refers to a record, and those that are not classified. */
export function referencesOf(op: AnyOperation) {
  const references = new Map<string, Reference>()
  const unclassified: string[] = []
  for (const [path] of leaves(op.input)) {
    const plainPath = path.replaceAll('[]', '')
    const fieldName = lastPart(path)
    if (!LOOKS_LIKE_REFERENCE.test(fieldName)) continue
    if (samples[op.name]?.noReferences?.[plainPath] || NO_REFERENCES[plainPath]) continue
    if (plainPath === 'project_id' && canNameTask(op)) continue
    const kind = kindOf(op, fieldName)
    if (kind) references.set(path, { path, kind })
    else unclassified.push(`${op.name}.${path}`)
  }
  return { references: [...references.values()], unclassified }
}

/** If the input can name a task, its project_id only counts together with unique_index. */
const canNameTask = ({ input }: AnyOperation) =>
  'unique_index' in input.properties || 'task_identifier' in input.properties

function kindOf({ name }: AnyOperation, fieldName: string): Kind | undefined {
  if (fieldName === 'version_id')
    return name.startsWith('guidance.')
      ? 'guidance version'
      : name.startsWith('tasks.')
        ? 'description version'
        : 'page version'
  if (fieldName === 'view_id' && name.startsWith('my_')) return 'my view'
  return KIND_OF[fieldName]
}

/** Fields that identify the same record; an input takes only one of them. */
const ALTERNATIVES = [
  ['task_id', 'ticket_number', 'unique_index', 'task_identifier'],
  ['source_task_id', 'source_ticket_number', 'source_unique_index'],
  ['target_task_id', 'target_ticket_number', 'target_unique_index'],
  ['task_ids', 'ticket_numbers'],
  ['user_id', 'user_ids', 'agent_id', 'assign_self'],
  ['page_id', 'id'],
  ['version', 'version_id'],
  ['field_id', 'field_name'],
  ['report_id', 'slug'],
]

/** A valid input in which one field refers to another record. */
export function withReference(
  op: AnyOperation,
  sample: Fields,
  path: string,
  name: unknown,
): Fields {
  const top = path.split(/[.[]/)[0]!
  const input: Fields = { ...sample, ...samples[op.name]?.referenceNeeds?.[path] }
  for (const group of ALTERNATIVES)
    if (group.includes(top)) for (const other of group) if (other !== top) delete input[other]
  input[top] = setAt(input[top], op.input.properties[top], path.slice(top.length), name)
  return JSON.parse(JSON.stringify(input))
}

function setAt(value: unknown, schema: TSchema, rest: string, name: unknown): unknown {
  if (!rest) return name
  const isArray = rest.startsWith('[]')
  const remaining = rest.slice(isArray ? 2 : 1)
  if (isArray) {
    const items = schema.anyOf?.find((one: TSchema) => one.items)?.items ?? schema.items
    const [first] = Array.isArray(value) ? value : []
    return remaining ? [setAt(first ?? {}, items, remaining, name)] : [name]
  }
  const [field = ''] = remaining.split(/[.[]/)
  const record: Fields = { ...required(schema), ...(value as Fields | undefined) }
  for (const group of ALTERNATIVES)
    if (group.includes(field)) for (const other of group) delete record[other]
  const part = (variantOf(schema).properties as Record<string, TSchema>)[field]!
  return { ...record, [field]: setAt(record[field], part, remaining.slice(field.length), name) }
}

const variantOf = (schema: TSchema): TSchema =>
  schema.properties ? schema : (schema.anyOf?.find((one: TSchema) => one.properties) ?? schema)

const required = (schema: TSchema): Fields =>
  Object.fromEntries(((variantOf(schema).required ?? []) as string[]).map((one) => [one, 'Some']))

/** Reads in which the field is a filter: a record that the caller cannot see matches nothing. */
export const isFilter = ({ on }: AnyOperation, { kind }: Reference) =>
  toArray(on.rest)[0]?.startsWith('GET') &&
  ['person', 'label', 'section', 'task', 'agent', 'skill', 'comment'].includes(kind)

const paramsOf = (route: string) => [...route.matchAll(/:(\w+)/g)].map(([, name]) => name!)
const TASK_FIELDS = ['task_id', 'task_identifier', 'ticket_number']

/** REST if the URL of the first route can be built from the input, else MCP or chat. */
export function surfaceCallFor(op: AnyOperation, input: Fields): typeof callRest {
  const [route] = toArray(op.on.rest)
  const hasValue = (name: string) =>
    typeof input[name] === 'number' || typeof input[name] === 'string'
  const canFill = (name: string) => (name === 'task' ? TASK_FIELDS.some(hasValue) : hasValue(name))
  if (route && paramsOf(route).every(canFill)) return callRest
  return toArray(op.on.mcp).length ? callMcp : callChat
}
