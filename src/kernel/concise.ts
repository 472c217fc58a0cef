import type { TSchema } from '@sinclair/typebox'

type Fields = Record<string, unknown>

/**
 * The fields that the concise form of a record leaves out, each with the reason. `labels.color` is
 * the field `color` of the record, or of each record, in `labels`.
 */
export type Omits = Readonly<Record<string, string>>

/**
 * The concise form of a value: at every level it drops empty fields and the fields that the
 * schema's `omits` names. Fields in `keepFields` are never dropped because of `omits`.
 */
export function toConcise(
  schema: TSchema,
  value: unknown,
  keepFields: readonly string[] = [],
): unknown {
  return conciseValue(schema, value, NO_FIELDS, keepFields)
}

const NO_FIELDS: readonly string[] = []

function conciseValue(
  schema: TSchema,
  value: unknown,
  omitted: readonly string[],
  keepFields: readonly string[],
): unknown {
  if (Array.isArray(value)) return conciseList(schema, value, omitted, keepFields)
  if (typeof value !== 'object' || value === null) return value
  const record = recordOf(schema, value)
  if (!record) return value
  const { ownOmits, nestedOmits } = planOf(record)
  const concise: Fields = {}
  for (const [name, part] of Object.entries(value)) {
    if ((ownOmits.has(name) || omitted.includes(name)) && !keepFields.includes(name)) continue
    const partSchema = withItemSchema(record.properties[name], record)
    const concisePart = partSchema
      ? conciseValue(partSchema, part, nestedOmits.get(name) ?? NO_FIELDS, keepFields)
      : (part as unknown)
    if (!isEmpty(concisePart, partSchema?.absent)) concise[name] = concisePart
  }
  return concise
}

/** If a single field of the records is left, the list holds the values of that field instead. */
function conciseList(
  schema: TSchema,
  value: readonly unknown[],
  omitted: readonly string[],
  keepFields: readonly string[],
): unknown {
  const item = findVariant(schema, (candidate) => candidate.type === 'array')?.items
  if (!item) return value
  const items = value.map((entry) => conciseValue(item, entry, omitted, keepFields))
  const onlyName = onlyField(item, omitted, keepFields)
  return onlyName === undefined ? items : items.map((entry) => (entry as Fields)[onlyName])
}

function onlyField(item: TSchema, omitted: readonly string[], keepFields: readonly string[]) {
  if (!omitted.length || !item.properties) return undefined
  const { ownOmits } = planOf(item)
  const isLeft = (name: string) =>
    keepFields.includes(name) || !(ownOmits.has(name) || omitted.includes(name))
  const remaining = Object.keys(item.properties).filter(isLeft)
  return remaining.length === 1 ? remaining[0] : undefined
}

interface OmitPlan {
  ownOmits: ReadonlySet<string>
  /** For each field that holds records, the fields these omit in addition to their own. */
  nestedOmits: ReadonlyMap<string, string[]>
}

const plans = new WeakMap<TSchema, OmitPlan>()

function planOf(record: TSchema): OmitPlan {
  const before = plans.get(record)
  if (before) return before
  const ownOmits = new Set<string>()
  const nestedOmits = new Map<string, string[]>()
  for (const path of Object.keys((record.omits as Omits | undefined) ?? {})) {
    const [name = '', inner] = path.split('.')
    if (inner === undefined) ownOmits.add(name)
    else nestedOmits.set(name, [...(nestedOmits.get(name) ?? []), inner])
  }
  const plan = { ownOmits, nestedOmits }
  plans.set(record, plan)
  return plan
}

/**
 * The record schema that a value matches. If there is none, the value may have any fields, and all
 * of them are kept.
 */
function recordOf(schema: TSchema, value: object): TSchema | undefined {
  const required = (candidate: TSchema): string[] => candidate.required ?? []
  return findVariant(
    schema,
    (candidate) => candidate.properties && required(candidate).every((name) => name in value),
  )
}

/** A schema cannot contain itself: a list marked `again` holds records like its `holder`. */
const withItemSchema = (list: TSchema | undefined, holder: TSchema): TSchema | undefined =>
  list?.items?.again ? { ...list, items: holder } : list

/** Whether the value is empty, or is the one that the schema's `absent` names as the default. */
const isEmpty = (value: unknown, absent: unknown) =>
  value === null ||
  value === '' ||
  (absent !== undefined && value === absent) ||
  (typeof value === 'object' && !Object.keys(value).length)

const findVariant = (
  schema: TSchema,
  matches: (candidate: TSchema) => boolean,
): TSchema | undefined =>
  schema.anyOf ? schema.anyOf.find(matches) : matches(schema) ? schema : undefined
