import type { TSchema } from '@sinclair/typebox'
import type { Scope } from '../../kernel/caller.ts'
import { type AnyOperation, toArray } from '../../kernel/operation.ts'
import type { Fields } from './types.ts'

/**
 * Alternatives and fields for programs. They are hidden from models, but the operation accepts
 * them.
 */
const HIDDEN_FIELDS = new Set([
  'task_id',
  'task_ids',
  'unique_index',
  'owner_id',
  'ttl',
  'fields',
  'search',
  'sort_by',
  'sort_order',
  'offset',
  'format',
  'id',
  'board_id',
  'timezone_offset_minutes',
  'reply_to_invocation_id',
  'attachments',
  'canvas',
  'avatar',
  'source_task_id',
  'source_unique_index',
  'source_project_id',
  'target_task_id',
  'target_unique_index',
])

/** Further fields that a tool hides: models do better with the everyday ones. */
const HIDDEN_BY_TOOL: Record<string, readonly string[]> = {
  'tasks.list': [
    'section_id',
    'custom_fields',
    'filter',
    'has_attachments',
    'has_comments',
    'created_since',
    'created_by',
    'has_due_date',
  ],
  'tasks.create': ['mentions', 'assignee_ids'],
  'tasks.update': ['mentions', 'assignee_ids', 'project_id', 'labels'],
  'tasks.create_many': ['atomic'],
  'tasks.update_many': ['assignee_ids', 'project_id', 'labels', 'atomic'],
  'my_tasks.list': [
    'board_filters',
    'match',
    'sorting_mode',
    'sorting_order',
    'sorting_stack',
    'custom_fields',
    'has_due_date',
    'has_attachments',
    'has_comments',
    'created_by',
    'parent_task_id',
    'view_id',
    'grouping',
  ],
  'search.tasks': ['filter'],
  'relations.create': ['target_project_id'],
  'relations.delete': ['target_project_id'],
  'relations.list': ['target_project_id', 'source_ticket_number', 'target_ticket_number'],
  'pages.get': ['version'],
}

const DEFINITION = { tool: 'rules_create', fields: ['when', 'conditions', 'actions'] }

/** Fields that another tool of the same group describes in full. */
const DESCRIBED_BY: Record<string, { tool: string; fields: readonly string[] }> = {
  'rules.update': DEFINITION,
  'rules.preview': DEFINITION,
}

/** Operations about one task although their route has no `:task`. */
const ABOUT_TASK = new Set(['inbox.move_task', 'leases.claim', 'leases.release'])

/** Fields that models must give, although the schema allows an alternative instead. */
const ALSO_REQUIRED: Record<string, readonly string[]> = {
  'tasks.update_many': ['ticket_numbers'],
  'relations.create': ['source_ticket_number', 'target_ticket_number'],
  'relations.delete': ['source_ticket_number', 'target_ticket_number'],
  'pages.get': ['page_id'],
  'pages.update': ['page_id'],
  'pages.versions': ['page_id'],
  'pages.restore': ['page_id'],
  'pages.archive': ['page_id'],
  'pages.canvas': ['page_id'],
  'search.tasks': ['query'],
}

const MAX_DESCRIPTION = 90

/** The input schema for models: flat, short and without alternatives at its root. */
export function schemaFor(op: AnyOperation, hasScope: (scope: Scope) => boolean): Fields {
  const { properties } = op.input as { properties: Record<string, TSchema> }
  const isAddressed = ABOUT_TASK.has(op.name) || isOfTask(op)
  const hidden = (name: string) =>
    HIDDEN_FIELDS.has(name) ||
    HIDDEN_BY_TOOL[op.name]?.includes(name) ||
    (name === 'lease_id' && op.guard !== undefined) ||
    (name === 'project_id' && (isAddressed || 'task_identifier' in properties))
  const visible = Object.entries(properties).filter(
    ([name, { needs }]) => !hidden(name) && (!needs || hasScope(needs)),
  )
  const required = [
    ...(isAddressed && properties.ticket_number ? ['ticket_number'] : []),
    ...(op.input.required ?? []),
    ...(ALSO_REQUIRED[op.name] ?? []),
  ].filter((name) => visible.some(([visibleName]) => visibleName === name))
  return {
    type: 'object',
    properties: Object.fromEntries(
      visible.map(([name, schema]) => [name, referenceFor(op, name) ?? fieldOf(name, schema)]),
    ),
    ...(required.length && { required: [...new Set(required)] }),
    additionalProperties: false,
  }
}

function referenceFor({ name, input }: AnyOperation, field: string): Fields | undefined {
  const described = DESCRIBED_BY[name]
  if (!described?.fields.includes(field)) return undefined
  const isList = input.properties[field].type === 'array'
  return {
    ...(isList ? { type: 'array', items: { type: 'object' } } : { type: 'object' }),
    description: `As in ${described.tool}`,
  }
}

const isOfTask = ({ on }: AnyOperation) =>
  toArray(on.rest).some((route) => /\/:task(\/|$)/.test(route.split(' ')[1]!))

/** Fields that need no description. */
const SELF_EXPLANATORY = /^(limit|cursor|query|.*_ids?|ticket_numbers?|title|name)$/

function fieldOf(name: string, schema: TSchema): Fields {
  const text =
    schema.description ?? schema.anyOf?.find((variant: TSchema) => variant.description)?.description
  const description = text?.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION)}…` : text
  if (name === 'task_identifier') return { type: 'string', description: 'Ticket key' }
  return { ...typeOf(schema), ...(description && !SELF_EXPLANATORY.test(name) && { description }) }
}

function typeOf(schema: TSchema): Fields {
  if (schema.anyOf)
    return oneOf(schema.anyOf.flatMap((variant: TSchema) => variant.anyOf ?? [variant]))
  if (schema.const !== undefined) return { type: typeof schema.const, enum: [schema.const] }
  if (schema.type === 'array') return listOf(schema)
  if (schema.type === 'object' && schema.properties) return objectOf(schema)
  if (schema.type === 'object') return { type: 'object' }
  if (schema.type === undefined) return {}
  return { type: schema.type, ...boundsOf(schema) }
}

/** Only small bounds are shown; a limit such as 32 bits is not worth the tokens. */
function boundsOf({ minimum, maximum }: TSchema): Fields {
  if (maximum === undefined || maximum > 10_000) return {}
  return { minimum, maximum }
}

function listOf({ items, minItems, maxItems }: TSchema): Fields {
  return {
    type: 'array',
    items: typeOf(items),
    ...(minItems && { minItems }),
    ...(maxItems && maxItems <= 50 && { maxItems }),
  }
}

const objectOf = ({ properties, required }: TSchema): Fields => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties as Record<string, TSchema>)
      .filter(([name]) => name !== 'data')
      .map(([name, variant]) => [name, fieldOf(name, variant)]),
  ),
  ...(required && { required: required.filter((name: string) => name !== 'data') }),
  additionalProperties: false,
})

/**
 * Reduces alternatives to what every model provider accepts: an enum, a list of types, or one list.
 */
function oneOf(variants: TSchema[]): Fields {
  const isNull = (variant: TSchema) => variant.type === 'null'
  const nullable = variants.some(isNull)
  const rest = variants.filter((variant) => !isNull(variant))
  const list = rest.find((variant) => variant.type === 'array')
  const object = rest.find((variant) => variant.type === 'object')
  if (list && coversItems(list, rest)) return orNull(listOf(list), nullable)
  if (object) return orNull(objectOf(object), nullable)
  if (rest.every((variant) => variant.const !== undefined)) {
    const values = [...new Set(rest.map((variant) => variant.const))]
    const types = [...new Set(values.map((word) => typeof word))]
    const type = types.length === 1 ? types[0] : types
    return orNull({ type, enum: nullable ? [...values, null] : values }, nullable)
  }
  const types = typesIn(rest.filter((variant) => variant.type !== 'array'))
  const bounds = rest.length === 1 ? boundsOf(rest[0]!) : {}
  return orNull({ type: types.length === 1 ? types[0] : types, ...bounds }, nullable)
}

const typesIn = (variants: TSchema[]): string[] => [
  ...new Set(variants.map((variant) => variant.type ?? typeof variant.const)),
]

/**
 * Whether the list covers the alternatives, because a single value can be passed as a list of one.
 */
function coversItems({ items }: TSchema, variants: readonly TSchema[]): boolean {
  const inList = typesIn(items.anyOf ?? [items])
  return typesIn(variants.filter(({ type }) => type !== 'array')).every((t) => inList.includes(t))
}

function orNull(schema: Fields, nullable: boolean): Fields {
  if (!nullable) return schema
  return { ...schema, type: [...[schema.type].flat(), 'null'] }
}
