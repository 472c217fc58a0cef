import type { TSchema } from '@sinclair/typebox'

type Fields = Record<string, unknown>

/**
 * What the concise form of a record leaves out, each field with the reason. `labels.color` is that
 * field of the record, or of each record, in `labels`.
 */
export type Omits = Readonly<Record<string, string>>

/**
 * The concise form: at every level everything that is set, without the fields that `omits` of the
 * record names. `keep` are fields that stay wherever they are.
 */
export function brief(schema: TSchema, value: unknown, keep: readonly string[] = []): unknown {
  return shorten(schema, value, NOTHING, keep)
}

const NOTHING: readonly string[] = []

function shorten(
  schema: TSchema,
  value: unknown,
  omitted: readonly string[],
  keep: readonly string[],
): unknown {
  if (Array.isArray(value)) return inList(schema, value, omitted, keep)
  if (typeof value !== 'object' || value === null) return value
  const record = recordOf(schema, value)
  if (!record) return value
  const { own, within } = planOf(record)
  const left: Fields = {}
  for (const [name, part] of Object.entries(value)) {
    if ((own.has(name) || omitted.includes(name)) && !keep.includes(name)) continue
    const declared = recursive(record.properties[name], record)
    const shown = declared
      ? shorten(declared, part, within.get(name) ?? NOTHING, keep)
      : (part as unknown)
    if (!isEmpty(shown, declared?.absent)) left[name] = shown
  }
  return left
}

/** Of records of which a single field is left, the values of that field. */
function inList(
  schema: TSchema,
  value: readonly unknown[],
  omitted: readonly string[],
  keep: readonly string[],
): unknown {
  const item = variant(schema, (one) => one.type === 'array')?.items
  if (!item) return value
  const shown = value.map((one) => shorten(item, one, omitted, keep))
  const only = onlyField(item, omitted, keep)
  return only === undefined ? shown : shown.map((one) => (one as Fields)[only])
}

function onlyField(item: TSchema, omitted: readonly string[], keep: readonly string[]) {
  if (!omitted.length || !item.properties) return undefined
  const { own } = planOf(item)
  const isLeft = (name: string) => keep.includes(name) || !(own.has(name) || omitted.includes(name))
  const left = Object.keys(item.properties).filter(isLeft)
  return left.length === 1 ? left[0] : undefined
}

interface Plan {
  own: ReadonlySet<string>
  /** By the name of a field, what the records in it leave out besides. */
  within: ReadonlyMap<string, string[]>
}

const plans = new WeakMap<TSchema, Plan>()

function planOf(record: TSchema): Plan {
  const before = plans.get(record)
  if (before) return before
  const own = new Set<string>()
  const within = new Map<string, string[]>()
  for (const path of Object.keys((record.omits as Omits | undefined) ?? {})) {
    const [name = '', inner] = path.split('.')
    if (inner === undefined) own.add(name)
    else within.set(name, [...(within.get(name) ?? []), inner])
  }
  const plan = { own, within }
  plans.set(record, plan)
  return plan
}

/** The schema that a value fits; nothing where it may have any fields, which then are left as they are. */
function recordOf(schema: TSchema, value: object): TSchema | undefined {
  const required = (one: TSchema): string[] => one.required ?? []
  return variant(schema, (one) => one.properties && required(one).every((name) => name in value))
}

/** A list of records of the same form as the one that holds it has no schema of its own. */
const recursive = (list: TSchema | undefined, holder: TSchema): TSchema | undefined =>
  list?.items?.again ? { ...list, items: holder } : list

/** Nothing, or the value that the schema takes for granted. */
const isEmpty = (value: unknown, absent: unknown) =>
  value === null ||
  value === '' ||
  (absent !== undefined && value === absent) ||
  (typeof value === 'object' && !Object.keys(value).length)

const variant = (schema: TSchema, fits: (one: TSchema) => boolean): TSchema | undefined =>
  schema.anyOf ? schema.anyOf.find(fits) : fits(schema) ? schema : undefined
