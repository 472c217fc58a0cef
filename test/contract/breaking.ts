/** Finds changes of the OpenAPI document that break clients of an older one. */

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  [limit: string]: unknown
}
interface Message {
  content?: Record<string, { schema?: Schema }>
}
interface Parameter extends Message {
  $ref?: string
  name: string
  in: string
  required?: boolean
  schema?: Schema
}
interface Operation {
  parameters?: Parameter[]
  requestBody?: Message
  responses: Record<string, Message>
}
export interface OpenApi {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Lower limits refuse what was accepted before. */
const UPPER_LIMITS = ['maximum', 'maxLength', 'maxItems', 'maxProperties']
const LOWER_LIMITS = ['minimum', 'minLength', 'minItems']
/** Deeper fields are those of records that other routes return too. */
const DEPTH = 8

export function breakingChanges(before: OpenApi, after: OpenApi): string[] {
  return Object.entries(before.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const route = `${method.toUpperCase()} ${path}`
      const current = after.paths[path]?.[method]
      if (!current) return [`${route} was removed`]
      return new Comparison(before, after).operations(operation, current, route)
    }),
  )
}

class Comparison {
  constructor(
    private readonly before: OpenApi,
    private readonly after: OpenApi,
  ) {}

  operations(before: Operation, after: Operation, route: string): string[] {
    return [
      ...this.parameters(before.parameters ?? [], after.parameters ?? [], route),
      ...this.bodies(before, after, route),
      ...Object.entries(before.responses).flatMap(([status, response]) =>
        status < '300'
          ? this.responses(response, after.responses[status], `${route} ${status}`)
          : [],
      ),
    ]
  }

  private parameters(before: Parameter[], after: Parameter[], route: string): string[] {
    const old = before.filter(({ name }) => name)
    const added = after.filter(
      ({ name, required }) => required && !old.some((one) => one.name === name),
    )
    return [
      ...added.map(({ name }) => `${route} requires the new parameter ${name}`),
      ...old.flatMap((one) => {
        const current = after.find(({ name, in: where }) => name === one.name && where === one.in)
        if (!current) return [`${route} has no parameter ${one.name} any longer`]
        const place = `${route} ?${one.name}`
        const nowRequired = current.required && !one.required ? [`${place} became required`] : []
        return [...nowRequired, ...this.accepts(schemaOf(one), schemaOf(current), place)]
      }),
    ]
  }

  private bodies(before: Operation, after: Operation, route: string): string[] {
    return Object.entries(after.requestBody?.content ?? {}).flatMap(([type, { schema }]) =>
      this.accepts(
        before.requestBody?.content?.[type]?.schema ?? {},
        schema ?? {},
        `${route} body`,
      ),
    )
  }

  private responses(before: Message, after: Message | undefined, place: string): string[] {
    if (!after) return [`${place} is no longer a response`]
    return Object.entries(before.content ?? {}).flatMap(([type, { schema }]) => {
      const current = after.content?.[type]
      if (!current) return [`${place} is no longer ${type}`]
      return this.returns(schema ?? {}, current.schema ?? {}, place)
    })
  }

  /** What a client may send must still be accepted. */
  private accepts(old: Schema, current: Schema, place: string, depth = 0): string[] {
    const before = this.resolve(old, this.before)
    const after = this.resolve(current, this.after)
    if (depth > DEPTH || isEqual(before, after)) return []
    if (before.anyOf || after.anyOf) {
      const fits = (variant: Schema) =>
        variantsOf(after).some((one) => !this.accepts(variant, one, place, depth + 1).length)
      return variantsOf(before).every(fits) ? [] : [`${place} accepts less`]
    }
    const lost = valuesOf(before).filter((value) => !includes(valuesOf(after), value))
    return [
      ...(narrows(typesOf(before), typesOf(after)) ? [`${place} has another type`] : []),
      ...(valuesOf(after).length && (lost.length || !valuesOf(before).length)
        ? [`${place} no longer accepts every value: ${JSON.stringify(lost)}`]
        : []),
      ...limitsOf(before, after).map((limit) => `${place} has a narrower ${limit}`),
      ...fieldsOf(before, after, (name, one, other) => {
        if (!other) return [`${place}.${name} is no longer accepted`]
        return this.accepts(one, other, `${place}.${name}`, depth + 1)
      }),
      ...requiredIn(after)
        .filter((name) => !requiredIn(before).includes(name))
        .map((name) => `${place}.${name} became required`),
      ...(before.items && after.items
        ? this.accepts(before.items, after.items, `${place}[]`, depth + 1)
        : []),
    ]
  }

  /** What a client reads must still be there. New fields and new words are no break. */
  private returns(old: Schema, current: Schema, place: string, depth = 0): string[] {
    const before = this.resolve(old, this.before)
    const after = this.resolve(current, this.after)
    if (depth > DEPTH || isEqual(before, after)) return []
    if (before.anyOf || after.anyOf) {
      const fits = (variant: Schema) =>
        variantsOf(before).some((one) => !this.returns(one, variant, place, depth + 1).length)
      return variantsOf(after).every(fits) ? [] : [`${place} returns something else`]
    }
    return [
      ...(narrows(typesOf(after), typesOf(before)) ? [`${place} has another type`] : []),
      ...fieldsOf(before, after, (name, one, other) => {
        if (!other) return [`${place}.${name} is no longer returned`]
        const isOptional = requiredIn(before).includes(name) && !requiredIn(after).includes(name)
        return [
          ...(isOptional ? [`${place}.${name} may be missing`] : []),
          ...this.returns(one, other, `${place}.${name}`, depth + 1),
        ]
      }),
      ...(before.items && after.items
        ? this.returns(before.items, after.items, `${place}[]`, depth + 1)
        : []),
    ]
  }

  private resolve(schema: Schema, { components }: OpenApi): Schema {
    const name = schema.$ref?.split('/').pop()
    return name ? (components.schemas[name] ?? {}) : schema
  }
}

const fieldsOf = (
  before: Schema,
  after: Schema,
  compare: (name: string, one: Schema, other?: Schema) => string[],
) =>
  Object.entries(before.properties ?? {}).flatMap(([name, schema]) =>
    compare(name, schema, after.properties?.[name]),
  )
const schemaOf = ({ schema, content }: Parameter) =>
  schema ?? content?.['application/json']?.schema ?? {}
/** Equal references may lead to different schemas. */
function isEqual(before: Schema, after: Schema): boolean {
  const text = JSON.stringify(before)
  return !text.includes('"$ref"') && text === JSON.stringify(after)
}
const variantsOf = (schema: Schema) => schema.anyOf ?? [schema]
const typesOf = ({ type }: Schema) => [type ?? []].flat()
const valuesOf = (schema: Schema) =>
  schema.enum ?? (schema.const === undefined ? [] : [schema.const])
const requiredIn = ({ required = [] }: Schema) => required
const includes = (values: unknown[], value: unknown) => values.some((one) => one === value)

/** Whether some of the types are not among the others. An integer is a number. */
const narrows = (types: string[], among: string[]) =>
  among.length > 0 &&
  (types.length === 0 ||
    types.some(
      (type) => !among.includes(type) && !(type === 'integer' && among.includes('number')),
    ))

const limitsOf = (before: Schema, after: Schema) => [
  ...UPPER_LIMITS.filter((name) => numberIn(after, name, 1) < numberIn(before, name, 1)),
  ...LOWER_LIMITS.filter((name) => numberIn(after, name, -1) > numberIn(before, name, -1)),
]

const numberIn = (schema: Schema, name: string, sign: number) =>
  (schema[name] as number | undefined) ?? sign * Number.POSITIVE_INFINITY
