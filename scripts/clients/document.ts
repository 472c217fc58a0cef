export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  description?: string
}
interface Message {
  content?: Record<string, { schema?: Schema }>
}
interface Parameter extends Message {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}
interface Operation {
  operationId: string
  summary: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: Message
  responses: Record<string, Message>
}
export interface OpenApiDocument {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema> }
}

/** An operation as clients call it. */
export interface ApiOperation extends Operation {
  method: string
  path: string
  /** The parameters of path and query. */
  parameters: (Parameter & { schema: Schema })[]
  body?: Schema
  /** What a page of a list consists of. */
  row?: Schema
  /** What other operations return. */
  data?: Schema
  /** It returns a file or a stream. */
  isFile: boolean
}

/** Each operation once, by its first route. */
export function operationsOf(document: OpenApiDocument): ApiOperation[] {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  return routes
    .filter(({ operation }) => !/\.\d+$/.test(operation.operationId))
    .map(({ path, method, operation }) => ({
      ...operation,
      ...answerOf(operation, document),
      path,
      method: method.toUpperCase(),
      parameters: parametersOf(operation),
      body: bodyOf(operation),
    }))
}

/** Where a body may mean another operation, clients have a method for that one too. */
function bodyOf({ requestBody }: Operation): Schema | undefined {
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema
  return schema?.anyOf?.[0] ?? schema
}

const parametersOf = ({ parameters = [] }: Operation) =>
  parameters
    .filter((one) => one.in === 'path' || one.in === 'query')
    .map((one) => ({
      ...one,
      schema: one.schema ?? one.content?.['application/json']?.schema ?? {},
    }))

function answerOf({ responses }: Operation, { components }: OpenApiDocument) {
  const { content = {} } = responses['200'] ?? responses['201'] ?? {}
  const schema = content['application/json']?.schema
  if (!schema) return { isFile: true }
  const reference = schema.anyOf?.[0] ?? schema
  const name = reference.$ref?.split('/').pop()
  const { data, page } = (name ? components.schemas[name] : reference)?.properties ?? {}
  if (!data) return { isFile: false, data: schema }
  return { isFile: false, ...(page ? { row: data.items } : { data }) }
}
