import type { TObject, TSchema } from '@sinclair/typebox'
import { PageInfo } from '../../kernel/list.ts'
import { type AnyOperation, named, writes } from '../../kernel/operation.ts'
import { refusals, TASK } from '../documented.ts'
import { downloadOf } from './download.ts'
import { creates, isListOfObjects, type Route } from './routes.ts'
import { type Shape, shapeOf } from './shapes.ts'

/** What a path has said already. */
const ADDRESS = ['task_id', 'task_identifier', 'ticket_number', 'unique_index']

/** One route, as the OpenAPI document tells it; it may mean `other` by what is sent there. */
export function detailOf(route: Route, other: AnyOperation): Shape {
  const told = plainly(route)
  if (other === route.op) return told
  const update = plainly({ ...route, op: other })
  const schemas = [told, update].map(({ requestBody }) => schemaIn(requestBody as Shape))
  return {
    ...told,
    summary: `${route.op.summary}, or: ${other.summary}`,
    description: `${told.description} With the address of one that exists it means \`${other.name}\`.`,
    requestBody: { required: true, content: json({ anyOf: schemas }) },
    responses: { ...(update.responses as Shape), ...(told.responses as Shape) },
  }
}

const schemaIn = ({ content }: Shape) =>
  (content as Record<string, { schema: Shape }>)['application/json']!.schema

function plainly(route: Route): Shape {
  const { method, path, op } = route
  const input = documentedInput(op)
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const said = inPath.includes('task') ? [...inPath, ...ADDRESS] : inPath
  const left = Object.keys(op.input.properties).filter((name) => !said.includes(name))
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const [status, what] = creates(op) ? [201, 'Made'] : [200, 'Done']
  const content = contentOf(op)
  return {
    operationId: nameOf({ method, path, op }),
    summary: op.summary,
    description: about(op),
    tags: [op.name.split('.')[0]!],
    security: path.startsWith('/api/mcp/') ? [{ bearer: [] }] : [{ bearer: [] }, { session: [] }],
    parameters: [
      ...inPath.map((name) => (name === 'task' ? TASK : parameter(op.input, name, 'path'))),
      ...(hasBody ? [] : left.map((name) => parameter(input, name, 'query'))),
      ...(takesKey(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(hasBody && { requestBody: bodyOf(input, left) }),
    responses: {
      [status]: { description: what, content },
      // Who creates what is there already, or only asks what would be, is answered as an update is.
      ...(creates(op) &&
        (op.output.properties?.created || op.input.properties.dry_run) && {
          200: { description: 'Done', content },
        }),
      ...refusals(
        // A body of DELETE is read as well.
        ...(method === 'GET' ? [] : ([413, 415] as const)),
        ...(op.guard ? ([428] as const) : []),
      ),
    },
  }
}

/** What only reads can be repeated anyway. */
const takesKey = ({ method, op }: Route) => method !== 'GET' && (writes(op) || !!op.beyond)

/** In the input of a list, `fields` names what its records have. */
function documentedInput({ input, output }: AnyOperation): TObject {
  const { fields } = input.properties
  const item: TSchema | undefined = output.list && output.properties.items.items
  if (!fields || !item?.properties) return input
  const names = Object.keys(item.properties)
  const name = `(${names.join('|')})`
  const anyOf = [
    { type: 'string', pattern: `^${name}(,${name})*$`, maxLength: 2000 },
    { type: 'array', maxItems: 100, items: { type: 'string', enum: names } },
  ]
  const { description } = fields
  const documented = { description, documented: { anyOf } } as unknown as TSchema
  return { ...input, properties: { ...input.properties, fields: documented } }
}

function contentOf(op: AnyOperation): Shape {
  const download = downloadOf(op)
  const file = download && { [download.type]: { schema: { type: 'string' } } }
  return { ...json(envelope(documentedOutput(op))), ...file }
}

/** A record of a list has what `fields` names, and what it always has. */
function documentedOutput({ input, output }: AnyOperation): TSchema {
  const rows: TSchema | undefined = output.list && output.properties.items
  if (!rows?.items.properties || !input.properties.fields) return output
  const { properties, required = [] } = rows.items
  const always = required.filter((name: string) => properties[name].always)
  const items = { ...rows, items: { ...rows.items, required: always } }
  return { ...output, properties: { ...output.properties, items } }
}

/** A second route of the same operation is numbered: every name in the document is its own. */
function nameOf({ method, path, op }: Route): string {
  const nth = (named(op.on.rest) as readonly string[]).indexOf(`${method} ${path}`)
  return nth > 0 ? `${op.name}.${nth + 1}` : op.name
}

function about({ needs, on }: AnyOperation): string {
  const also = [
    ...named(on.mcp).flatMap((name) =>
      name.includes('.') ? `the tool action \`${name.replace('.', ' ')}\`` : [],
    ),
    ...(on.cli ? [`\`cork ${on.cli}\``] : []),
  ]
  return `Needs the scope \`${needs}\`.${also.length ? ` Also: ${also.join(', ')}.` : ''}`
}

function parameter({ properties, required }: TObject, name: string, where: string): Shape {
  const { description, ...schema } = shapeOf(properties[name] as TSchema)
  const told = { name, in: where, ...(description ? { description } : {}) }
  if (where === 'path') return { ...told, required: true, schema }
  const needed = { required: required?.includes(name) ?? false }
  // Objects travel in a query as JSON text.
  return schema.type === 'object' || isListOfObjects(properties[name] as TSchema)
    ? { ...told, ...needed, content: json(schema) }
    : { ...told, ...needed, schema }
}

function bodyOf(input: TObject, left: string[]): Shape {
  const properties = Object.fromEntries(left.map((name) => [name, input.properties[name]]))
  const required = (input.required ?? []).filter((name: string) => left.includes(name))
  const schema = shapeOf({ ...input, properties, required } as unknown as TSchema)
  return { required: required.length > 0, content: json(schema) }
}

/** Success as every route wraps it. */
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

/** Most lists page alike. */
const pageIn = (page: TSchema): Shape =>
  page === PageInfo ? { $ref: '#/components/schemas/Page' } : shapeOf(page)

export const json = (schema: Shape): Shape => ({ 'application/json': { schema } })
