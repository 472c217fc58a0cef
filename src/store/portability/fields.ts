import {
  type Static,
  type TOptional,
  type TProperties,
  type TSchema,
  Type as t,
} from '@sinclair/typebox'

/*
 * The vocabulary of an exported team. Records refer to each other by names that are the same on
 * every server: people by email, agents by "agent:" and their UUID, boards by key, columns by their
 * position on the board, labels by name, tasks by ticket key, and the comments and attachments of a
 * task by their position, counted from 1.
 */
export const int32 = 2_147_483_647
export const nullable = <T extends TSchema>(type: T) => t.Union([type, t.Null()])
export const oneOf = <T extends string>(...names: readonly T[]) =>
  t.Union(names.map((name) => t.Literal(name)))
export const strict = <P extends TProperties>(properties: P) =>
  t.Object(properties, { additionalProperties: false })

/** The form of every point in time that Corkboard writes. */
export const Moment = t.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })
export const ShortText = t.String({ minLength: 1, maxLength: 500 })
export const Text = t.String({ maxLength: 1_048_576 })
export const Count = t.Integer({ minimum: 0, maximum: int32 })
/** An amount of money in micro-dollars, which may exceed 32 bits. */
export const MicroUsd = t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const Positive = t.Integer({ minimum: 1, maximum: int32 })
export const Uuid = t.String({ pattern: '^[0-9a-f-]{36}$' })
export const Email = t.String({ pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 254 })
export const Who = t.String({ minLength: 1, maxLength: 254 })
export const Rank = t.String({ pattern: '^[0-9A-Za-z]+$', maxLength: 4000 })
export const Ticket = t.String({ pattern: '^[A-Z0-9]+-[1-9]\\d*$', maxLength: 50 })
export const Sha256 = t.String({ pattern: '^[0-9a-f]{64}$' })
export const Key = t.String({ pattern: '^[A-Z0-9]+$', maxLength: 20 })
export const ContentType = oneOf('html', 'markdown')

/** Compares by UTF-16 code unit, which does not depend on a locale. */
export const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** A column, by its position on the board. */
export interface ColumnName {
  board: string
  section: number
}
export interface LabelName {
  board: string
  label: string
}

/** How a file names what the rows of this server refer to by id. */
export interface Names {
  /** A person by email, an agent by `agentName`. */
  nameOf(actor_id: number): string
  /** Filled while the lines of the boards are written. */
  columns: Map<number, ColumnName>
  labels: Map<number, LabelName>
  /** The position of a row among those of its kind and task; null if it is gone. */
  positionOf(kind: string, id: number): number | null
}

/** The ids of the rows that the names in a file stand for. */
export interface Ids {
  actorOf(who: string): number
  /** The id of a label of the board that the record belongs to. */
  labelOf(name: string): number
  /** The id of a column of the board that the record belongs to, by its position. */
  columnOf(position: number): number
  idAt(kind: string, position: number): number
}

/** The ids for a record that belongs to no board or task. */
export const idsOfActors = (actorOf: Ids['actorOf']): Ids => ({
  actorOf,
  labelOf: (name) => unknownName(name),
  columnOf: (at) => unknownName(`column ${at}`),
  idAt: (kind, at) => unknownName(`${kind} ${at}`),
})

function unknownName(name: string): never {
  throw new Error(`A record refers to ${name}, which is out of its reach`)
}

export const agentName = (agent_id: string) => `agent:${agent_id}`

/** A field of a line: how the value of a column is written to it, and read from it. */
export interface Field<T extends TSchema = TSchema, V = unknown, C = unknown> {
  type: T
  write(value: V, names: Names): Static<T>
  read(value: Static<T>, ids: Ids): V
  /** The column, if its name is not that of the field. */
  column?: C
  /** The column holds one actor id or several. The file must contain these actors. */
  isActor?: boolean
}

/** Exports the stored value as it is. */
export const plain = <T extends TSchema>(type: T): Field<T, Static<T>> => ({
  type,
  write: (value) => value,
  read: (value) => value,
})

export const moment: Field<typeof Moment, Date> = {
  type: Moment,
  write: (date) => date.toISOString(),
  read: (text) => new Date(text),
}

export const actor: Field<typeof Who, number> = {
  type: Who,
  write: (actor_id, names) => names.nameOf(actor_id),
  read: (who, ids) => ids.actorOf(who),
  isActor: true,
}

export const labelNames: Field<ReturnType<typeof labelList>, number[]> = {
  type: labelList(),
  // Deleted labels are left out, as they are when a template is used.
  write: (label_ids, { labels }) =>
    label_ids.flatMap((id) => labels.get(id)?.label ?? []).sort(compare),
  read: (names, ids) => names.map((name) => ids.labelOf(name)),
}

function labelList() {
  return t.Array(ShortText, { maxItems: 10_000 })
}

const Position = nullable(Positive)
/** A reference to a row of the same task, exported as its position among the rows of a kind. */
export const position = (kind: string): Field<typeof Position, number | null> => ({
  type: Position,
  write: (id, names) => (id === null ? null : names.positionOf(kind, id)),
  read: (at, ids) => (at === null ? null : ids.idAt(kind, at)),
})

export const orNull = <T extends TSchema, V>({
  type,
  write,
  read,
  isActor,
}: Field<T, V>): Field<ReturnType<typeof nullable<T>>, V | null> => ({
  type: nullable(type),
  write: (value, names) => (value === null ? null : write(value, names)) as never,
  read: (value, ids) => (value === null ? null : read(value as Static<T>, ids)),
  ...(isActor && { isActor }),
})

export const listOf = <T extends TSchema, V>(
  { type, write, read, isActor }: Field<T, V>,
  maxItems: number,
): Field<ReturnType<typeof t.Array<T>>, V[]> => ({
  type: t.Array(type, { maxItems }),
  write: (values, names) => values.map((value) => write(value, names)),
  read: (values, ids) => values.map((value) => read(value, ids)),
  ...(isActor && { isActor }),
})

/** A field that older files lack. */
export const newer = <T extends TSchema, V, C>(
  field: Field<T, V, C>,
  missing: V,
): Field<TOptional<T>, V, C> => ({
  ...field,
  type: t.Optional(field.type) as never,
  read: (value, ids) => (value === undefined ? missing : field.read(value, ids)),
})

/** The format of a text. A file may omit it; it is detected before the record is imported. */
export const format = newer(plain(ContentType), 'html')

/** Maps a field to a column with a different name. */
export const from = <C extends string, T extends TSchema, V>(
  column: C,
  field: Field<T, V>,
): Field<T, V, C> => ({ ...field, column })
