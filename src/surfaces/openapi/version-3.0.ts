import type { OpenApi } from './document.ts'

type Node = Record<string, unknown>

/**
 * Rewrites the document in OpenAPI 3.0, for generators that know no newer one. It describes the same
 * API with less detail, so that generated clients stay small: each operation once, one way to sort
 * and search, one response for all errors, and a text where several kinds of text are possible.
 */
export function toVersion30(document: OpenApi): OpenApi {
  const { webhooks: _, ...rest } = structuredClone(document) as OpenApi & Node
  const older = convert(rest) as OpenApi & { info: { license: Node } }
  older.openapi = '3.0.3'
  older.info.license = { name: older.info.license.name }
  const routes = Object.entries(older.paths).map(([path, operations]) => {
    const first = Object.entries(operations as Operations).filter(
      ([, { operationId }]) => !/\.\d+$/.test(operationId),
    )
    return [path, Object.fromEntries(first.map(([method, one]) => [method, shorten(one)]))]
  })
  older.paths = Object.fromEntries(routes.filter(([, one]) => Object.keys(one!).length))
  const components = (older as unknown as { components: Record<string, Node> }).components
  components.responses = { Problem: PROBLEM }
  delete components.parameters!.Position
  return older
}

interface Operation extends Node {
  operationId: string
  parameters?: Parameter[]
  requestBody?: Message
  responses: Record<string, Message>
}
interface Message extends Node {
  content?: Record<string, { schema?: Node }>
}
interface Parameter {
  name?: string
  $ref?: string
  description?: string
  schema?: Node
  content?: Node
}
type Operations = Record<string, Operation>

/** Parameters that say the same as another one. */
const SYNONYMS: Record<string, string> = { sort_by: 'sort', sort_order: 'sort', search: 'query' }

function shorten({
  parameters = [],
  requestBody,
  responses,
  description: _,
  ...operation
}: Operation): Operation {
  const names = new Set(parameters.map(({ name = '' }) => name))
  const remaining = parameters.filter(
    ({ name = '', $ref = '' }) =>
      !$ref.endsWith('/Position') && !names.has(SYNONYMS[name] ?? 'none'),
  )
  for (const { name, schema } of remaining) {
    if (name === 'sort') delete schema!.enum
    if (name === 'fields') delete (schema!.items as Node | undefined)?.enum
  }
  const body = requestBody && { requestBody: onlyJson(requestBody) }
  // A body that means another operation has another answer.
  if (hasAlternatives(requestBody)) delete responses['200']
  return {
    ...operation,
    parameters: remaining.map(asText),
    ...body,
    responses: withDefault(responses),
  }
}

/** An object in an address is JSON text, for which many generators have no code. */
function asText({ content, ...parameter }: Parameter): Parameter {
  if (!content) return parameter
  const description = [parameter.description, 'JSON text'].filter(Boolean).join('; ')
  return { ...parameter, description, schema: { type: 'string' } }
}

const PROBLEM = {
  description: 'The request was refused, or failed',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

/** Puts one response in the place of all refusals. */
function withDefault(responses: Operation['responses']): Operation['responses'] {
  const successes = Object.entries(responses).filter(([status]) => status < '400')
  const asJson = successes.map(([status, response]) => [status, onlyJson(response)])
  return { ...Object.fromEntries(asJson), default: { $ref: '#/components/responses/Problem' } }
}

const hasAlternatives = (message?: Message) =>
  !!message?.content?.['application/json']?.schema?.anyOf

/** Without the other formats of a report, and the bodies that mean another operation. */
function onlyJson(message: Message): Message {
  const json = message.content?.['application/json']
  if (!json) return message
  const { anyOf } = (json.schema ?? {}) as { anyOf?: Node[] }
  const schema = anyOf?.length ? anyOf[0] : json.schema
  return { ...message, content: { 'application/json': { ...json, schema } } }
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert)
  if (typeof value !== 'object' || value === null) return value
  const node = isSchema(value as Node) ? convertSchema(value as Node) : value
  return Object.fromEntries(
    Object.entries(node).map(([name, inner]) => [
      name,
      VALUES.includes(name) ? inner : convert(inner),
    ]),
  )
}

/** Keywords with values of the API, which are no schemas. */
const VALUES = ['enum', 'example', 'default']

const isSchema = ({ type, anyOf, const: constant, $ref, description }: Node) =>
  typeof type === 'string' ||
  Array.isArray(type) ||
  Array.isArray(anyOf) ||
  constant !== undefined ||
  (typeof $ref === 'string' && description !== undefined)

function convertSchema(schema: Node): Node {
  const { const: constant, patternProperties, examples: _, anyOf, type, $ref, ...rest } = schema
  const variants = (anyOf as Node[] | undefined)?.filter((variant) => variant.type !== 'null')
  const types = ([type].flat() as (string | undefined)[]).filter((name) => name !== 'null')
  const isNullable =
    [type].flat().includes('null') || (variants?.length ?? 0) < ((anyOf as Node[])?.length ?? 0)
  const converted: Node = { ...rest }
  // A generator for Java writes code for such lists of words that does not compile.
  delete converted.uniqueItems
  // An empty list is valid only in newer versions.
  if (Array.isArray(converted.required) && !converted.required.length) delete converted.required
  if (constant !== undefined) converted.enum = [constant]
  if (patternProperties) converted.additionalProperties = Object.values(patternProperties)[0]
  if (types.length === 1 && types[0]) converted.type = types[0]
  if (types.length > 1) converted.anyOf = types.map((name) => ({ type: name }))
  if (isNullable) converted.nullable = true
  if ($ref) converted.allOf = [{ $ref }]
  // Formats and patterns of one type are no alternatives for a generator.
  if (!variants || types[0] !== undefined) return converted
  const { anyOf: several, ...one } = alternatives(variants)
  if (!several && !Object.keys(one).length) delete converted.nullable
  if (!several) return { ...converted, ...one }
  const { nullable: isNull, ...about } = converted
  // Only a schema with a type can be nullable.
  return { ...about, anyOf: isNull ? (several as Node[]).map(asNullable) : several }
}

const asNullable = (schema: Node): Node => ({ ...schema, nullable: true })

/** One alternative is written as itself, and one value or a list of them as a list. */
function alternatives(variants: Node[]): Node {
  const [only, ...others] = variants
  if (!others.length && only)
    return only.$ref ? { type: 'object', allOf: [only] } : convertSchema(only)
  const list = variants.find(({ type }) => type === 'array') as { items: Node } | undefined
  const isListOrItem = variants.every(
    (variant) => variant === list || variant.type === list?.items.type,
  )
  if (!list) return { anyOf: variants }
  // No generator for Java compiles a value that may be a list of something else.
  return isListOrItem ? convertSchema(list) : {}
}
