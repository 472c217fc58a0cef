import type { TObject, TSchema } from '@sinclair/typebox'
import { deprecationText } from '../../kernel/deprecation.ts'
import { PageInfo } from '../../kernel/list.ts'
import { type AnyOperation, isWrite, toArray } from '../../kernel/operation.ts'
import { refusals, TASK } from '../openapi-parts.ts'
import { downloadOf } from './download.ts'
import { isListOfObjects, type Route } from './routes.ts'
import { type Shape, shapeOf } from './shapes.ts'

/** Fields that a `:task` in the path replaces. */
const TASK_FIELDS = ['task_id', 'task_identifier', 'ticket_number', 'unique_index']

/** The description of a route in the OpenAPI document. Some inputs mean the operation `other`. */
export function detailOf(route: Route, other: AnyOperation): Shape {
  const detail = describeRoute(route)
  if (other === route.op) return detail
  const update = describeRoute({ ...route, op: other })
  const schemas = [detail, update].map(({ requestBody }) => schemaIn(requestBody as Shape))
  return {
    ...detail,
    summary: `${route.op.summary}, or: ${other.summary}`,
    description: `${detail.description} If it addresses an existing record, it acts as \`${other.name}\`.`,
    requestBody: { required: true, content: json({ anyOf: schemas }) },
    responses: { ...(update.responses as Shape), ...(detail.responses as Shape) },
  }
}

const schemaIn = ({ content }: Shape) =>
  (content as Record<string, { schema: Shape }>)['application/json']!.schema

function describeRoute(route: Route): Shape {
  const { method, path, op } = route
  const input = documentedInput(op)
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const pathFields = inPath.includes('task') ? [...inPath, ...TASK_FIELDS] : inPath
  const otherFields = Object.keys(op.input.properties).filter((name) => !pathFields.includes(name))
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const [status, description] = op.creates ? [201, 'Created'] : [200, 'OK']
  const content = contentOf(route)
  return {
    operationId: nameOf({ method, path, op }),
    summary: op.summary,
    description: descriptionOf(op),
    ...(op.deprecated && { deprecated: true }),
    tags: [op.name.split('.')[0]!],
    security: path.startsWith('/api/mcp/') ? [{ bearer: [] }] : [{ bearer: [] }, { session: [] }],
    parameters: [
      ...inPath.map((name) => (name === 'task' ? TASK : parameter(op.input, name, 'path'))),
      ...(hasBody ? [] : otherFields.map((name) => parameter(input, name, 'query'))),
      ...(isWrite(op) || op.longPoll ? [] : [{ $ref: '#/components/parameters/Position' }]),
      ...(takesIdempotencyKey(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(hasBody && { requestBody: bodyOf(input, otherFields) }),
    responses: {
      [status]: { description, content },
      // If it exists already, or in a dry run, nothing is created and the status is 200.
      ...(op.creates &&
        (op.output.properties?.created || op.input.properties.dry_run) && {
          200: { description: 'OK', content },
        }),
      ...refusals(
        // The body of a DELETE request is read too.
        ...(method === 'GET' ? [] : ([413, 415] as const)),
        ...(op.guard ? ([428] as const) : []),
      ),
    },
  }
}

/** Whether a route takes an Idempotency-Key. Reads do not need one. */
const takesIdempotencyKey = ({ method, op }: Route) =>
  method !== 'GET' && (isWrite(op) || !!op.elevatedScope)

/** Documents the possible values of `fields` in the input of a list. */
function documentedInput({ input, output }: AnyOperation): TObject {
  const { fields } = input.properties
  const item: TSchema | undefined = output.list && output.properties.items.items
  if (!fields || !item?.properties) return input
  const names = Object.keys(item.properties)
  const list = { type: 'array', maxItems: 100, items: { type: 'string', enum: names } }
  const documented = { description: 'Only these fields', documented: list } as unknown as TSchema
  return { ...input, properties: { ...input.properties, fields: documented } }
}

function contentOf({ op, path }: Route): Shape {
  const download = downloadOf(op)
  const files: string[] = download ? [download.type] : (op.output.files ?? [])
  const content = files.map((type) => [type, { schema: { type: 'string' } }])
  return { ...json(documentedAnswer(op, path)), ...Object.fromEntries(content) }
}

/** One of the files may be JSON as well. */
function documentedAnswer(op: AnyOperation, path: string): Shape {
  const answer = envelope(documentedOutput(op, path))
  if (!op.output.files) return answer
  const tasks = { type: 'array', items: { type: 'object' } }
  return { anyOf: [answer, { type: 'object', required: ['tasks'], properties: { tasks } }] }
}

/** With `fields`, only those fields of a record that are always present are required. */
function documentedOutput({ input, output }: AnyOperation, path: string): TSchema {
  // A route of one task never returns several.
  const [one, several] = output.anyOf ?? []
  if (path.includes(':task') && one?.properties && several?.type === 'array') return one
  const rows: TSchema | undefined = output.list && output.properties.items
  if (!rows?.items.properties || !input.properties.fields) return output
  const { properties, required = [] } = rows.items
  const always = required.filter((name: string) => properties[name].always)
  const items = { ...rows, items: { ...rows.items, required: always } }
  return { ...output, properties: { ...output.properties, items } }
}

/** The operationId. Further routes of the same operation are numbered, because ids are unique. */
function nameOf({ method, path, op }: Route): string {
  const nth = (toArray(op.on.rest) as readonly string[]).indexOf(`${method} ${path}`)
  return nth > 0 ? `${op.name}.${nth + 1}` : op.name
}

function descriptionOf({ needs, on, deprecated }: AnyOperation): string {
  const otherNames = [
    ...toArray(on.mcp).flatMap((name) =>
      name.includes('.') ? `the tool action \`${name.replace('.', ' ')}\`` : [],
    ),
    ...(on.cli ? [`\`cork ${on.cli.usage}\``] : []),
  ]
  return [
    ...(deprecated ? [`${deprecationText(deprecated)}.`] : []),
    `Needs the scope \`${needs}\`.`,
    ...(otherNames.length ? [`Also: ${otherNames.join(', ')}.`] : []),
  ].join(' ')
}

function parameter({ properties, required }: TObject, name: string, where: string): Shape {
  const { description, deprecated, ...schema } = textShape(shapeOf(properties[name] as TSchema))
  const about = { ...(description ? { description } : {}), ...(deprecated ? { deprecated } : {}) }
  const common = { name, in: where, ...about }
  if (where === 'path') return { ...common, required: true, schema }
  const presence = { required: required?.includes(name) ?? false }
  // In a query, objects are sent as JSON text.
  return schema.type === 'object' || isListOfObjects(properties[name] as TSchema)
    ? { ...common, ...presence, content: json(schema) }
    : { ...common, ...presence, schema }
}

/**
 * What a value looks like in an address, where everything is text: a field for one value or several
 * is a list, which may be repeated or separated by commas, and a number or text is a text.
 */
function textShape(shape: Shape): Shape {
  const { anyOf, ...rest } = shape
  if (!Array.isArray(anyOf) || shape.type) return shape
  const variants = anyOf as Shape[]
  const isText = (variant: Shape) => variant.type === 'string' && variant.const === undefined
  const list = variants.find(({ type }) => type === 'array')
  const text = variants.find(isText)
  if (!list) return text ? { ...rest, ...text } : shape
  return { ...rest, ...list, items: text ?? textShape(list.items as Shape) }
}

function bodyOf(input: TObject, names: string[]): Shape {
  const properties = Object.fromEntries(names.map((name) => [name, input.properties[name]]))
  const required = (input.required ?? []).filter((name: string) => names.includes(name))
  const schema = shapeOf({ ...input, properties, required } as unknown as TSchema)
  return { required: required.length > 0, content: json(schema) }
}

/** The schema of a successful response. */
export function envelope(output: TSchema): Shape {
  const { items, page } = output.list ? output.properties : { items: undefined, page: undefined }
  return {
    type: 'object',
    required: ['success', 'data', ...(page ? ['page'] : [])],
    properties: {
      success: { type: 'boolean', const: true },
      data: shapeOf(items ?? output),
      ...(page && { page: pageIn(page) }),
      warnings: { type: 'array', items: { $ref: '#/components/schemas/Warning' } },
    },
  }
}

/** The schema of `page`. Most lists share one. */
const pageIn = (page: TSchema): Shape =>
  page === PageInfo ? { $ref: '#/components/schemas/PageInfo' } : shapeOf(page)

export const json = (schema: Shape): Shape => ({ 'application/json': { schema } })
