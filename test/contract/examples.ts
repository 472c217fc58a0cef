import { toArray } from '../../src/kernel/operation.ts'
import { callerFor, inputFor, needsBrowser, operations } from '../responses/requests.ts'
import { callRest, restRequest } from '../support/surface-calls.ts'
import { type World, world } from '../support/world.ts'

interface Schema {
  $ref?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}
type Content = { content?: Record<string, { schema?: Schema }> }
export interface Documented {
  paths: Record<
    string,
    Record<string, { requestBody?: Content; responses: Record<string, Content> }>
  >
  components: { schemas: Record<string, Schema> }
}

const LONGEST = 2500
const LONGEST_TEXT = 200
const SECRETS = [
  'token',
  'secret',
  'setup',
  'api_key',
  'password',
  'mcp_token',
  'codes',
  'authorization',
]
const SECRET_TEXT = /^(cork|whsec)_.{20}/

/** An example of each body and record, by the names of their schemas, from the sample calls. */
export async function collectExamples(document: Documented): Promise<Record<string, unknown>> {
  const examples: Record<string, unknown> = {}
  const shared = await world({ full: true })
  for (const op of operations) {
    const [route] = toArray(op.on.rest)
    if (!route || needsBrowser(op)) continue
    const w: World = op.needs.endsWith(':read') ? shared : await world({ full: true })
    const input = (await inputFor(w, op)) as Record<string, unknown>
    const { body } = restRequest(op, input)
    const { data } = await callRest(w, callerFor(w, op), op, input)
    for (const [name, value] of [
      [bodyName(document, route), body],
      [dataName(document, route), Array.isArray(data) ? data[0] : data],
    ] as const)
      if (name && isExample(value)) examples[name] ??= shorten(value)
  }
  return Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isExample(value: unknown): boolean {
  const isRecord = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  return isRecord && JSON.stringify(shorten(value)).length <= LONGEST
}

/** Two items of a list, the beginning of a text, and no secret. */
function shorten(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map((item) => shorten(item))
  if (typeof value === 'string') {
    if (SECRETS.includes(key.toLowerCase()) || SECRET_TEXT.test(value)) return '…'
    return value.length > LONGEST_TEXT ? value.slice(0, LONGEST_TEXT) : value
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, shorten(inner, name)]),
  )
}

const routeIn = ({ paths }: Documented, route: string) => {
  const [method = '', path = ''] = route.split(' ')
  return paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
}
const nameIn = (schema?: Schema) => schema?.$ref?.split('/').pop()
const jsonIn = (message?: Content) => message?.content?.['application/json']?.schema

export function bodyName(document: Documented, route: string): string | undefined {
  const schema = jsonIn(routeIn(document, route)?.requestBody)
  return nameIn(schema?.anyOf?.[0] ?? schema)
}

function dataName(document: Documented, route: string): string | undefined {
  const { responses = {} } = routeIn(document, route) ?? {}
  const schema = jsonIn(responses['201'] ?? responses['200'])
  const { data } = document.components.schemas[nameIn(schema) ?? '']?.properties ?? {}
  return nameIn(data?.items ?? data)
}
