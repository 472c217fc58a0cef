import type { TSchema } from '@sinclair/typebox'
import type { Omits } from '../../src/kernel/concise.ts'
import { differences } from './strict.ts'

type Fields = Record<string, unknown>

/**
 * Where the concise form of a response differs from the detailed one without a declared reason. A
 * field may only be missing if it is empty, has the value `absent` of its schema, or is on the list
 * `omits` of its record.
 */
export function unexplainedDifferences(
  schema: TSchema,
  detailed: unknown,
  concise: unknown,
  path = '',
  omitted: readonly string[] = [],
): string[] {
  if (Array.isArray(detailed)) {
    if (!Array.isArray(concise) || concise.length !== detailed.length)
      return [`${path}: is no list of ${detailed.length}`]
    const items = variantFor(schema, detailed).items as TSchema
    return detailed.flatMap((one, at) =>
      unexplainedDifferences(items, one, concise[at], `${path}[${at}]`, omitted),
    )
  }
  const record = isRecord(detailed) ? variantFor(schema, detailed) : undefined
  if (!record?.properties)
    return Bun.deepEquals(detailed, concise) ? [] : [`${path}: is not as it is in detail`]
  return recordDifferences(record, detailed as Fields, concise, path, omitted)
}

function recordDifferences(
  record: TSchema,
  detailed: Fields,
  concise: unknown,
  path: string,
  omitted: readonly string[],
): string[] {
  const omits = Object.keys((record.omits ?? {}) as Omits)
  const isListed = (name: string) => omits.includes(name) || omitted.includes(name)
  const remaining = Object.keys(record.properties).filter((name) => !isListed(name))
  // A record with only one field left is written as the value of that field.
  const conciseFields = isRecord(concise)
    ? concise
    : remaining.length === 1
      ? { [remaining[0]!]: concise }
      : undefined
  if (!conciseFields) return [`${path}: is no record`]
  const added = Object.keys(conciseFields).filter((name) => !(name in detailed))
  return [
    ...added.map((name) => `${path}.${name}: is not in the detailed form`),
    ...Object.entries(detailed).flatMap(([name, value]) => {
      const declared = resolveRecursion(record.properties[name] as TSchema, record)
      if (!(name in conciseFields))
        return isListed(name) || isEmpty(declared, value, omitsWithin(omits, name))
          ? []
          : [`${path}.${name}: is missing`]
      if (isListed(name)) return [`${path}.${name}: is on the list, but is not missing`]
      return unexplainedDifferences(
        declared,
        value,
        conciseFields[name],
        `${path}.${name}`,
        omitsWithin(omits, name),
      )
    }),
  ]
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The omitted fields within the records of a field. */
const omitsWithin = (omits: readonly string[], name: string) =>
  omits.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1))

const resolveRecursion = (declared: TSchema, parent: TSchema): TSchema =>
  declared.items?.again ? { ...declared, items: parent } : declared

const variantFor = (schema: TSchema, value: unknown): TSchema =>
  schema.anyOf?.find((one: TSchema) => !differences(one, value).length) ?? schema

/** A record is empty if every field of it may be omitted. */
function isEmpty(schema: TSchema, value: unknown, omitted: readonly string[]): boolean {
  if (value === null || value === '') return true
  if (schema.absent !== undefined && value === schema.absent) return true
  if (Array.isArray(value)) return !value.length
  if (!isRecord(value)) return false
  const record = variantFor(schema, value)
  return !record.properties
    ? !Object.keys(value).length
    : !recordDifferences(record, value, {}, '', omitted).length
}
