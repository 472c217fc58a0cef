import type { TSchema } from '@sinclair/typebox'
import type { Scope } from '../../kernel/caller.ts'
import { withDeprecation } from '../../kernel/deprecation.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { type FieldSchema, fieldSchema, mergeFields } from './field-schema.ts'
import { hintFor, isShown, LONG_TEXTS, shownAs } from './shown-fields.ts'

type NamedAction = readonly [action: string, op: AnyOperation]

/** Whether a token has a scope. */
export type HasScope = (scope: Scope) => boolean

/** A line for the tool, then the fields that actions require. Those without any have no line. */
export function describe(summary: string, actions: readonly NamedAction[]): string {
  const lines = new Map<string, string[]>()
  for (const [action, op] of actions) {
    const fields = requiredFields(op).join(', ')
    if (fields) lines.set(fields, [...(lines.get(fields) ?? []), action])
  }
  const deprecated = actions.flatMap(([action, op]) =>
    op.deprecated ? `${action} is deprecated; use ${op.deprecated.replacement}` : [],
  )
  const required = [...lines].map(([fields, names]) => `${names.join(', ')}: ${fields}`)
  return [summary, ...required, ...deprecated].join('\n')
}

/** The keys that a model should send where an operation requires one of several. */
const ADDRESSES = [
  ['ticket_number', 'unique_index'],
  ['source_ticket_number', 'source_unique_index'],
  ['target_ticket_number', 'target_unique_index'],
  ['page_id', 'id'],
] as const

/** What an operation requires although its schema does not say so. */
const REQUIRED: Record<string, readonly string[]> = {
  'tasks.assign': ['ticket_number', 'user_ids or agent_id or assign_self'],
  'tasks.update_many': ['ticket_numbers'],
  'relations.list': ['ticket_number'],
  'custom_fields.set': ['ticket_number', 'field_name', 'value'],
  'attachments.list': ['ticket_number or comment_id'],
  'attachments.create': ['ticket_number or comment_id', 'files'],
  'inbox.move_task': ['ticket_number', 'user_id or agent_id'],
  'search.related': ['ticket_number or text'],
  'search.tasks': ['query'],
  'reports.get': ['report_id'],
  'reports.update': ['report_id'],
  'reports.delete': ['report_id'],
}

/** The fields that an action requires. An entry may name a choice. */
export function requiredFields({ name, input }: AnyOperation): readonly string[] {
  const required: string[] = input.required ?? []
  const addresses = ADDRESSES.filter(
    ([key, other]) => input.properties[key] && input.properties[other] && !required.includes(key),
  )
  return REQUIRED[name] ?? [...addresses.map(([key]) => key), ...required]
}

/**
 * A flat object: the union of the fields of all actions, each with one type. The root has no
 * alternatives, because clients drop such tools.
 */
export function inputSchema(tool: string, actions: readonly NamedAction[], hasScope: HasScope) {
  const fields = fieldsOf(tool, actions, hasScope)
  return {
    type: 'object' as const,
    properties: {
      action: { type: 'string', enum: actions.map(([action]) => action) },
      // Strict clients refuse an object without fields.
      ...(Object.keys(fields).length && { input: { type: 'object', properties: fields } }),
      limit: { type: 'integer' },
      offset: { type: 'integer' },
      response_format: {
        type: 'string',
        ...(LONG_TEXTS.includes(tool) && { enum: ['concise', 'detailed'] }),
      },
    },
    required: ['action'],
  }
}

/** Arguments beside `input`, which lists take inside it as well. */
const TOP_LEVEL = ['limit', 'offset']

function fieldsOf(tool: string, actions: readonly NamedAction[], hasScope: HasScope) {
  const fields: Record<string, FieldSchema> = {}
  for (const [, op] of actions)
    for (const [name, schema] of Object.entries<TSchema>(op.input.properties)) {
      if (TOP_LEVEL.includes(name) || (schema.needs && !hasScope(schema.needs))) continue
      const field = shownSchema(tool, name, schema)
      if (field) fields[name] = mergeFields(fields[name], field)
    }
  return fields
}

/** The schema of a field, which a path such as `files.data` names. */
function shownSchema(tool: string, path: string, schema: TSchema): FieldSchema | undefined {
  if (!isShown(tool, path)) return undefined
  const type =
    shownAs(tool, path) ??
    fieldSchema(schema, (name, inner) => shownSchema(tool, `${path}.${name}`, inner))
  const description = hintFor(tool, path)
  const text = withDeprecation(description ?? '', schema.deprecated).trim()
  return { ...type, ...(text && { description: text }) }
}
