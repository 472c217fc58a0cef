/** Writes the types and routes of the TypeScript client from the OpenAPI document. */
import { type ApiOperation, type OpenApiDocument, operationsOf, type Schema } from './document.ts'

const INDENT = '  '

export function typescriptOf(document: OpenApiDocument): string {
  const operations = operationsOf(document)
  const schemas = Object.entries(document.components.schemas)
  return [
    '/** Generated from the OpenAPI document. */',
    ...schemas.map(
      ([name, schema]) => `${comment(schema)}export type ${name} = ${typeOf(schema)}\n`,
    ),
    '/** The input and output of every operation. */',
    `export interface Operations {\n${operations.map(operationType).join('\n')}\n}\n`,
    '/** The body of each event of a webhook. */',
    `export interface WebhookEvents {\n${Object.entries(document.webhooks ?? {})
      .map(([name, { post }]) => `  '${name}': ${typeOf(bodySchema(post) ?? {})}`)
      .join('\n')}\n}\n`,
    'export const ROUTES = {',
    ...operations.map((one) => `  '${one.operationId}': '${routeText(one)}',`),
    '} as const',
    '',
  ].join('\n')
}

const routeText = ({ method, path, row, isFile }: ApiOperation) =>
  [method, path, row ? 'list' : isFile ? 'file' : ''].filter(Boolean).join(' ')

function operationType(operation: ApiOperation): string {
  const { operationId, summary, row, data, isFile } = operation
  const answer = row
    ? `row: ${typeOf(row)}`
    : `data: ${isFile ? 'Response' : typeOf(data ?? {}, INDENT)}`
  return `  /** ${summary} */\n  '${operationId}': { input: ${inputType(operation)}; ${answer} }`
}

/** The parameters of the address and the body, as one object. */
function inputType({ parameters, body }: ApiOperation): string {
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
  )
  const required = parameters.filter((one) => one.required).map(({ name }) => name)
  const parts = [
    ...(parameters.length ? [typeOf({ type: 'object', properties, required }, INDENT)] : []),
    ...(body ? [typeOf(body, INDENT)] : []),
  ]
  return parts.map((part) => (part.includes(' | ') ? `(${part})` : part)).join(' & ') || 'object'
}

const bodySchema = ({ requestBody }: { requestBody?: ApiOperation['requestBody'] }) =>
  Object.values(requestBody?.content ?? {})[0]?.schema

function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref) return schema.$ref.split('/').pop()!
  if (schema.format === 'binary') return 'Blob'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const types = [schema.type ?? []].flat()
  if (schema.anyOf && !types.length) return union(schema.anyOf.map((one) => typeOf(one, indent)))
  if (!types.length) return 'unknown'
  return union(types.map((type) => simpleType(type, schema, indent)))
}

const union = (types: string[]) => [...new Set(types)].join(' | ')

function simpleType(type: string, schema: Schema, indent: string): string {
  if (type === 'integer') return 'number'
  if (type === 'array') {
    const item = typeOf(schema.items ?? {}, indent)
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`
  }
  return type === 'object' ? objectType(schema, indent) : type
}

function objectType(schema: Schema, indent: string): string {
  const { properties, patternProperties, required = [] } = schema
  const [values] = Object.values(patternProperties ?? {})
  if (values) return `Record<string, ${typeOf(values, indent)}>`
  if (!properties) return 'Record<string, unknown>'
  const inner = indent + INDENT
  const lines = Object.entries(properties).map(([name, property]) => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    const mark = required.includes(name) ? '' : '?'
    return `${comment(property, inner)}${inner}${key}${mark}: ${typeOf(property, inner)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

const comment = ({ description }: Schema, indent = '') =>
  description ? `${indent}/** ${description.replaceAll('*/', '* /')} */\n` : ''
