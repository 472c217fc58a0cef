import type { TSchema } from '@sinclair/typebox'
import { differences } from './strict.ts'

type Fields = Record<string, unknown>

/** Which fields of which records had a value in some response. */
export class Coverage {
  private readonly names = new Set<string>()
  private readonly records = new Map<string, { name: string; set: Set<string> }>()

  /** How many operations have responded. */
  get operations(): number {
    return this.names.size
  }

  add(schema: TSchema, value: unknown, operation: string): void {
    this.names.add(operation)
    this.visit(schema, value, operation)
  }

  private visit(schema: TSchema, value: unknown, name: string): void {
    const variants: TSchema[] | undefined = schema.anyOf
    if (variants) {
      for (const one of variants) this.declare(one, name)
      const matchingVariant = variants.find((one) => !differences(one, value).length)
      if (matchingVariant) this.visit(matchingVariant, value, name)
      return
    }
    this.declare(schema, name)
    if (Array.isArray(value)) for (const one of value) this.visit(schema.items, one, `${name}[]`)
    else if (schema.properties && typeof value === 'object')
      this.fields(schema, value as Fields, name)
  }

  /** Fields without a value in any response, each with the record that declares it. */
  unsetFields(): string[] {
    return [...this.records.entries()].flatMap(([fields, { name, set }]) =>
      fields.split(',').flatMap((field) => (set.has(field) ? [] : `${name}.${field}`)),
    )
  }

  private declare(schema: TSchema, name: string): void {
    if (schema.anyOf) for (const one of schema.anyOf) this.declare(one, name)
    if (schema.type === 'array') this.declare(schema.items, `${name}[]`)
    if (!schema.properties) return
    const key = Object.keys(schema.properties).join()
    if (this.records.has(key)) return
    this.records.set(key, { name, set: new Set() })
    for (const [field, fieldSchema] of Object.entries<TSchema>(schema.properties))
      this.declare(fieldSchema, `${name}.${field}`)
  }

  private fields(schema: TSchema, value: Fields, name: string): void {
    const { set } = this.records.get(Object.keys(schema.properties).join())!
    for (const [field, fieldValue] of Object.entries(value)) {
      if (isSet(fieldValue)) set.add(field)
      const declared = schema.properties[field]
      this.visit(
        declared.items?.again ? { ...declared, items: schema } : declared,
        fieldValue,
        `${name}.${field}`,
      )
    }
  }
}

const isSet = (value: unknown) =>
  value !== null && value !== '' && !(Array.isArray(value) && !value.length)
