import { NAMED_PLACES, pascal, recordName, singular } from './names.ts'

export type Schema = Record<string, unknown> & {
  type?: string | string[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}
interface Message {
  content?: Record<string, { schema?: Schema }>
}
interface Operation {
  operationId: string
  parameters?: (Message & { name?: string })[]
  requestBody?: Message
  responses?: Record<string, Message>
}
export interface Route {
  method: string
  operation: Operation
}

/** An object at one place of the document, and how to name it. Lower ranks choose first. */
interface Place {
  path: string
  key: string
  rank: number
  name: (names: ReadonlyMap<string, string>) => string
  /** The name of a shape that several writes of a noun return. */
  receipt?: string
}

const RANK = { named: 0, record: 1, row: 2, write: 3, nested: 4, response: 1000 }
/** The last word of operations that return one record, which is named after the noun. */
const RECORD_VERBS = ['get', 'thread']

/**
 * Moves the objects of all routes to components and returns these by name. Objects that are equal,
 * apart from their descriptions, share one component.
 */
export function nameSchemas(routes: readonly Route[], taken: readonly string[]) {
  const names = assignNames(routes.flatMap(placesIn), taken)
  const components: Record<string, Schema> = {}
  const refer = (schema: Schema): Schema => {
    const name = isObject(schema) && names.get(keyOf(schema))
    if (!name) return mapChildren(schema, refer)
    const { description, ...rest } = schema
    components[name] ??= mapChildren({ ...rest, type: 'object' }, refer)
    const reference = { $ref: `#/components/schemas/${name}` }
    const about = description === undefined ? {} : { description }
    return isNullable(schema)
      ? { ...about, anyOf: [reference, { type: 'null' }] }
      : { ...about, ...reference }
  }
  for (const route of routes)
    for (const message of messagesOf(route.operation))
      for (const media of Object.values(message.content ?? {}))
        if (media.schema) media.schema = refer(media.schema)
  return components
}

const messagesOf = ({ parameters = [], requestBody, responses = {} }: Operation): Message[] => [
  ...parameters,
  ...(requestBody ? [requestBody] : []),
  ...Object.values(responses),
]

const isNullable = ({ type }: Schema) => Array.isArray(type) && type.includes('null')
const isObject = ({ type, properties }: Schema) => !!properties && [type].flat().includes('object')

/** Equal for schemas of the same values, whatever is said about them at the top. */
function keyOf({ description: _, ...schema }: Schema): string {
  const ordered = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(ordered)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, inner]) => [name, ordered(inner)] as const)
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
  }
  return JSON.stringify(ordered({ ...schema, type: 'object' }))
}

function mapChildren(schema: Schema, change: (child: Schema) => Schema): Schema {
  const mapped = { ...schema }
  for (const keyword of ['properties', 'patternProperties'] as const)
    if (schema[keyword])
      mapped[keyword] = Object.fromEntries(
        Object.entries(schema[keyword]).map(([name, child]) => [name, change(child)]),
      )
  if (schema.items) mapped.items = change(schema.items)
  if (schema.anyOf) mapped.anyOf = schema.anyOf.map(change)
  return mapped
}

function placesIn({ method, operation: route }: Route): Place[] {
  const { operationId, parameters = [], requestBody, responses = {} } = route
  // Further routes of an operation have its name and a number.
  const operation = operationId.replace(/\.\d+$/, '')
  const places: Place[] = []
  const add = (schema: Schema | undefined, path: string, rank: number, name: string) => {
    if (schema) places.push(...placesUnder(schema, path, rank, () => name))
  }
  for (const schema of Object.values(responses).flatMap(schemasOf))
    places.push(...placesInResponse(operation, schema, method !== 'get'))
  for (const parameter of parameters)
    if (parameter.content)
      for (const schema of schemasOf(parameter))
        add(schema, `${operation}.${parameter.name}`, RANK.nested, pascal(parameter.name!))
  if (requestBody)
    for (const schema of schemasOf(requestBody))
      add(schema, `${operation}.input`, RANK.write, bodyName(operation))
  return places
}

const bodyName = (operation: string) =>
  operation.startsWith('events.')
    ? `${pascal(operation.replace('events.', ''))}Event`
    : `${verbName(operation)}Input`

const schemasOf = ({ content = {} }: Message): Schema[] =>
  Object.values(content).flatMap(({ schema }) => (schema ? [schema] : []))

function placesInResponse(operation: string, schema: Schema, isWrite: boolean): Place[] {
  if (schema.anyOf)
    return schema.anyOf.flatMap((variant) => placesInResponse(operation, variant, isWrite))
  const { data, page } = schema.properties ?? {}
  const name = verbName(operation)
  if (!data) return placesUnder(schema, `${operation}.file`, RANK.write, () => `${name}Response`)
  const row = data.items
  const rank = rankOf(operation, !!row)
  const dataName = dataNameOf(operation, !!row, isWrite)
  const [root, ...nested] = placesUnder(data, operation, rank, () => dataName)
  const receipt = isWrite ? { receipt: `${recordName(operation.split('.')[0]!)}Receipt` } : {}
  return [
    ...(root ? [{ ...root, ...receipt }, ...nested] : []),
    ...(page?.properties
      ? placesUnder(page, `${operation}.page`, RANK.nested, () => `${name}Page`)
      : []),
    {
      path: `${operation}.response`,
      key: keyOf(schema),
      rank: RANK.response,
      name: (names) => responseName(data, names) ?? `${name}Response`,
    },
  ]
}

function rankOf(operation: string, isList: boolean): number {
  const verb = operation.split('.')[1]!
  if (RECORD_VERBS.includes(verb) && !isList) return RANK.record
  return verb === 'list' && isList ? RANK.row : RANK.write
}

function responseName(data: Schema, names: ReadonlyMap<string, string>): string | undefined {
  const name = names.get(keyOf(data.items ?? data))
  return name && (data.items ? `${name}ListResponse` : `${name}Response`)
}

const verbName = (operation: string) => {
  const [noun = '', ...verbs] = operation.split('.')
  return `${recordName(noun)}${pascal(verbs.join('_'))}`
}

/** The name of what an operation returns. */
function dataNameOf(operation: string, isList: boolean, isWrite: boolean): string {
  const [noun = '', verb = ''] = operation.split('.')
  const record = recordName(noun)
  if (RECORD_VERBS.includes(verb)) return record
  if (verb === 'list') return isList ? `${record}Row` : `${record}List`
  return `${record}${pascal(isList ? singular(verb) : verb)}${isWrite ? 'Receipt' : ''}`
}

/** Every object in a schema, each named after the object around it. */
function placesUnder(schema: Schema, path: string, rank: number, name: Place['name']): Place[] {
  if (schema.anyOf)
    return schema.anyOf.flatMap((variant, at) =>
      placesUnder(variant, `${path}|${at}`, rank, (names) => `${name(names)}`),
    )
  if (schema.items) return placesUnder(schema.items, `${path}[]`, rank, name)
  if (!isObject(schema)) return []
  const key = keyOf(schema)
  const named = NAMED_PLACES[path]
  const place = { path, key, rank: named ? RANK.named : rank, name: named ? () => named : name }
  const children = Object.entries(schema.properties!).flatMap(([property, child]) =>
    placesUnder(
      child,
      `${path}.${property}`,
      Math.max(rank, RANK.nested) + 1,
      (names) => `${names.get(key)}${pascal(child.items ? singular(property) : property)}`,
    ),
  )
  return [place, ...children]
}

/** Names of objects by their keys. */
function assignNames(places: readonly Place[], taken: readonly string[]): Map<string, string> {
  const names = new Map<string, string>()
  const used = new Set(taken)
  const shared = sharedReceipts(places)
  const byRank = [...places].sort((one, other) => one.rank - other.rank)
  for (const place of byRank) {
    if (names.has(place.key)) continue
    const receipt = shared.has(place.key) && place.rank !== RANK.named ? place.receipt : undefined
    const name = receipt && !used.has(receipt) ? receipt : nameAt(place, names, used)
    let unique = name
    for (let number = 2; used.has(unique); number++) unique = `${name}${number}`
    used.add(unique)
    names.set(place.key, unique)
  }
  return names
}

/** A row is the record itself, unless the whole record has another shape. */
function nameAt(place: Place, names: ReadonlyMap<string, string>, used: ReadonlySet<string>) {
  const name = place.name(names)
  const record = place.rank === RANK.row ? name.replace(/Row$/, '') : name
  return used.has(record) ? name : record
}

/** The keys of what at least two writes return. */
function sharedReceipts(places: readonly Place[]): Set<string> {
  const pathByKey = new Map<string, string>()
  const shared = new Set<string>()
  for (const { key, path, receipt } of places)
    if (receipt) {
      if ((pathByKey.get(key) ?? path) !== path) shared.add(key)
      pathByKey.set(key, path)
    }
  return shared
}
