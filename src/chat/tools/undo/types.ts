export type Fields = Record<string, unknown>

/** A call of an operation by its name. */
export interface Step {
  op: string
  input: Fields
}

/** How a call is undone. Stored as JSON with the call. */
export interface Undo {
  steps: Step[]
  /** Detects whether somebody has changed the same data since. */
  unless?: CheckedRead
}

export interface CheckedRead extends Step {
  fields: string[]
  /** The digest of these fields after the call; for a list, of the fields of each row. */
  digest: string
}

export type Read = (step: Step) => Promise<unknown>

/** What is read before and after a call, and which of its fields the call changes. */
export interface ReadCall extends Step {
  fields: string[]
}

export interface CallRecord {
  input: Fields
  before: unknown
  after: unknown
  output: unknown
}

/** How an operation is undone. */
export interface UndoRule {
  reads?(input: Fields, read: Read): ReadCall | undefined | Promise<ReadCall | undefined>
  /** Undefined if there is nothing to undo or no way to undo it. */
  undo(call: CallRecord, read: Read): Step[] | undefined | Promise<Step[] | undefined>
}

/** By operation; a string says why it cannot be undone. */
export type UndoRules = Readonly<Record<string, UndoRule | string>>

export const DELETED_FOR_GOOD = 'A deletion cannot be undone'

/** Deletes what the call created, by the ids in its output. */
export const deletesCreated = (op: string, ...names: [string, ...string[]]): UndoRule => ({
  undo: ({ output }) => [{ op, input: pick(output as Fields, names) }],
})

/** Restores the previous values of the fields that the input sets. */
export function restoresFields(
  op: string,
  key: readonly string[],
  read: string,
  names: readonly string[],
): UndoRule {
  return {
    reads: (input) => ({
      op: read,
      input: pick(input, key),
      fields: names.filter((name) => input[name] !== undefined),
    }),
    undo: ({ input, before }) => {
      const set = names.filter((name) => input[name] !== undefined)
      return [{ op, input: { ...pick(input, key), ...pick(before as Fields, set) } }]
    },
  }
}

export const pick = (from: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => from[name] !== undefined).map((n) => [n, from[n]]))
