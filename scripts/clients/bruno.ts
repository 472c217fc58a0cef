/** Writes a collection for Bruno, with one request for each operation. */
import { type ApiOperation, type OpenApiDocument, operationsOf, type Schema } from './document.ts'

export function brunoFilesOf(document: OpenApiDocument): Record<string, string> {
  const files: Record<string, string> = {
    'bruno.json': `${JSON.stringify({ version: '1', name: 'Corkboard', type: 'collection' }, null, 2)}\n`,
    'collection.bru': block('auth', ['mode: bearer']) + block('auth:bearer', ['token: {{token}}']),
    'environments/local.bru':
      block('vars', ['url: http://127.0.0.1:3210']) + 'vars:secret [\n  token\n]\n',
  }
  const numbers = new Map<string, number>()
  for (const operation of operationsOf(document)) {
    const tag = operation.tags[0] ?? 'system'
    const number = (numbers.get(tag) ?? 0) + 1
    numbers.set(tag, number)
    const name = operation.operationId.slice(operation.operationId.indexOf('.') + 1)
    files[`${tag}/${name}.bru`] = requestOf(operation, number, document)
  }
  return files
}

const block = (name: string, lines: string[]) =>
  lines.length ? `${name} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}\n\n` : ''

function requestOf(operation: ApiOperation, seq: number, document: OpenApiDocument): string {
  const { method, path, parameters, body, requestBody } = operation
  const isMultipart = !!requestBody?.content?.['multipart/form-data']
  const kind = !body ? 'none' : isMultipart ? 'multipartForm' : 'json'
  const at = (where: string) => parameters.filter((one) => one.in === where)
  const url = `{{url}}${path.replace(/\{(\w+)\}/g, ':$1')}`
  const query = at('query').map(({ name, required }) => `${required ? '' : '~'}${name}: `)
  const address = at('path').map(({ name }) => `${name}: `)
  const example = JSON.stringify(exampleOf(body ?? {}, document), null, 2).split('\n')
  return [
    block('meta', [`name: ${operation.summary}`, 'type: http', `seq: ${seq}`]),
    block(method.toLowerCase(), [`url: ${url}`, `body: ${kind}`, 'auth: inherit']),
    block('params:query', query),
    block('params:path', address),
    kind === 'json' ? block('body:json', example) : '',
    kind === 'multipartForm' ? block('body:multipart-form', ['file: @file()']) : '',
    block('docs', [`Operation ${operation.operationId}.`]),
  ]
    .join('')
    .trimEnd()
    .concat('\n')
}

/** An example of a schema, or the required fields with a value of their type. */
function exampleOf(schema: Schema, document: OpenApiDocument): unknown {
  const name = schema.$ref?.split('/').pop()
  if (name) return exampleOf(document.components.schemas[name] ?? {}, document)
  const [example] = (schema as { examples?: unknown[] }).examples ?? []
  if (example !== undefined) return example
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, document)
  if (schema.enum) return schema.enum[0]
  const [type] = [schema.type ?? []].flat()
  if (type === 'array') return [exampleOf(schema.items ?? {}, document)]
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type !== 'object') return ''
  const { properties = {}, required = [] } = schema
  return Object.fromEntries(
    required.map((key) => [key, exampleOf(properties[key] ?? {}, document)]),
  )
}
