import type { TSchema } from '@sinclair/typebox'
import type { Scope } from '../../kernel/caller.ts'
import { type AnyOperation, named } from '../../kernel/operation.ts'
import type { Fields } from './types.ts'

/** Second ways to say a thing, and what only programs say. The operation takes them all the same. */
const UNTOLD = new Set([
  ...['task_id', 'task_ids', 'unique_index', 'owner_id', 'ttl'],
  ...['fields', 'search', 'sort_by', 'sort_order', 'offset', 'format', 'id', 'board_id'],
  ...['timezone_offset_minutes', 'reply_to_invocation_id', 'attachments', 'canvas', 'avatar'],
  ...['source_task_id', 'source_unique_index', 'source_project_id'],
  ...['target_task_id', 'target_unique_index'],
])

/** What a tool leaves out besides: models do better with what is asked for every day. */
const BESIDES: Record<string, readonly string[]> = {
  'tasks.list': [
    ...['section_id', 'custom_fields', 'filter', 'has_attachments', 'has_comments'],
    ...['created_since', 'created_by', 'has_due_date'],
  ],
  'tasks.create': ['mentions', 'assignee_ids'],
  'tasks.update': ['mentions', 'assignee_ids', 'project_id', 'labels'],
  'tasks.update_many': ['assignee_ids', 'project_id', 'labels'],
  'my_tasks.list': [
    ...[
      'board_filters',
      'match',
      'sorting_mode',
      'sorting_order',
      'sorting_stack',
      'custom_fields',
    ],
    ...[
      'has_due_date',
      'has_attachments',
      'has_comments',
      'created_by',
      'parent_task_id',
      'view_id',
    ],
    'grouping',
  ],
  'search.tasks': ['filter'],
  'relations.create': ['target_project_id'],
  'relations.delete': ['target_project_id'],
  'relations.list': ['target_project_id', 'source_ticket_number', 'target_ticket_number'],
  'tasks.next': ['exclude_blocked'],
  'pages.get': ['version'],
}

/** Those that are about one task though their route does not begin with it. */
const ABOUT_TASK = new Set(['inbox.move_task', 'leases.claim'])

/** What must be given, though the schema alone lets it be left out for another way to say it. */
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

const MOST_WORDS = 90

/** The input of an operation as models read it: flat, short, and without alternatives at its root. */
export function schemaFor(op: AnyOperation, may: (scope: Scope) => boolean): Fields {
  const { properties } = op.input as { properties: Record<string, TSchema> }
  const isAddressed = ABOUT_TASK.has(op.name) || isOfTask(op)
  const hidden = (name: string) =>
    UNTOLD.has(name) ||
    BESIDES[op.name]?.includes(name) ||
    (name === 'lease_id' && op.guard !== undefined) ||
    (name === 'project_id' && (isAddressed || 'task_identifier' in properties))
  const told = Object.entries(properties).filter(
    ([name, { needs }]) => !hidden(name) && (!needs || may(needs)),
  )
  const required = [
    ...(isAddressed && properties.ticket_number ? ['ticket_number'] : []),
    ...(op.input.required ?? []),
    ...(ALSO_REQUIRED[op.name] ?? []),
  ].filter((name) => told.some(([one]) => one === name))
  return {
    type: 'object',
    properties: Object.fromEntries(told.map(([name, schema]) => [name, fieldOf(name, schema)])),
    ...(required.length && { required: [...new Set(required)] }),
    additionalProperties: false,
  }
}

const isOfTask = ({ on }: AnyOperation) =>
  named(on.rest).some((route) => /\/:task(\/|$)/.test(route.split(' ')[1]!))

/** Fields whose name says all. */
const PLAIN = /^(limit|cursor|query|.*_ids?|ticket_numbers?|title|name)$/

function fieldOf(name: string, schema: TSchema): Fields {
  const said =
    schema.description ?? schema.anyOf?.find((one: TSchema) => one.description)?.description
  const description = said?.length > MOST_WORDS ? `${said.slice(0, MOST_WORDS)}…` : said
  if (name === 'task_identifier') return { type: 'string', description: 'Ticket key' }
  return { ...typeOf(schema), ...(description && !PLAIN.test(name) && { description }) }
}

function typeOf(schema: TSchema): Fields {
  if (schema.anyOf) return oneOf(schema.anyOf.flatMap((one: TSchema) => one.anyOf ?? [one]))
  if (schema.const !== undefined) return { type: typeof schema.const, enum: [schema.const] }
  if (schema.type === 'array') return listOf(schema)
  if (schema.type === 'object' && schema.properties) return objectOf(schema)
  if (schema.type === 'object') return { type: 'object' }
  if (schema.type === undefined) return {}
  return { type: schema.type, ...boundsOf(schema) }
}

/** Small bounds are worth their words; that a number fits into 32 bits is not. */
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
      .map(([name, one]) => [name, fieldOf(name, one)]),
  ),
  ...(required && { required: required.filter((name: string) => name !== 'data') }),
  additionalProperties: false,
})

/** Alternatives, as what every server reads: an enum, a list of types, or the list of one kind. */
function oneOf(variants: TSchema[]): Fields {
  const isNull = (one: TSchema) => one.type === 'null'
  const nullable = variants.some(isNull)
  const rest = variants.filter((one) => !isNull(one))
  const list = rest.find((one) => one.type === 'array')
  const object = rest.find((one) => one.type === 'object')
  if (list && holds(list, rest)) return orNull(listOf(list), nullable)
  if (object) return orNull(objectOf(object), nullable)
  if (rest.every((one) => one.const !== undefined)) {
    const words = [...new Set(rest.map((one) => one.const))]
    const types = [...new Set(words.map((word) => typeof word))]
    const type = types.length === 1 ? types[0] : types
    return orNull({ type, enum: nullable ? [...words, null] : words }, nullable)
  }
  const types = typesIn(rest.filter((one) => one.type !== 'array'))
  const alone = rest.length === 1 ? boundsOf(rest[0]!) : {}
  return orNull({ type: types.length === 1 ? types[0] : types, ...alone }, nullable)
}

const typesIn = (variants: TSchema[]): string[] => [
  ...new Set(variants.map((one) => one.type ?? typeof one.const)),
]

/** One alone can be given as a list of one, where the list takes all that one may be. */
function holds({ items }: TSchema, variants: readonly TSchema[]): boolean {
  const inList = typesIn(items.anyOf ?? [items])
  return typesIn(variants.filter(({ type }) => type !== 'array')).every((t) => inList.includes(t))
}

function orNull(schema: Fields, nullable: boolean): Fields {
  if (!nullable) return schema
  return { ...schema, type: [...[schema.type].flat(), 'null'] }
}
