export type Fields = Record<string, unknown>

/** A call of an operation by its name. */
export interface Step {
  op: string
  input: Fields
}

/** How a call is undone. It is kept as JSON until somebody asks for it. */
export interface Undo {
  steps: Step[]
  /** What would show that somebody has changed the same since. */
  unless?: Seen
}

export interface Seen extends Step {
  fields: string[]
  /** Of these fields as they were left; of a list, those of each. */
  digest: string
}

export type Look = (step: Step) => Promise<unknown>

/** What is looked at before a call and after it, and of that what the call changes. */
export interface Sight extends Step {
  fields: string[]
}

export interface Was {
  input: Fields
  before: unknown
  after: unknown
  output: unknown
}

/** The way back from a call. */
export interface Way {
  sees?(input: Fields, look: Look): Sight | undefined | Promise<Sight | undefined>
  /** Nothing where there is nothing to undo, or no way to do so. */
  back(was: Was, look: Look): Step[] | undefined | Promise<Step[] | undefined>
}

/** Of a call that has none, why. */
export type Ways = Readonly<Record<string, Way | string>>

export const GONE = 'What is deleted is gone for good'

/** What was made is taken away again, by the number that it was answered with. */
export const unmade = (op: string, ...names: [string, ...string[]]): Way => ({
  back: ({ output }) => [{ op, input: picked(output as Fields, names) }],
})

/** Fields are given the values that they had. */
export function reverted(
  op: string,
  key: readonly string[],
  read: string,
  names: readonly string[],
): Way {
  return {
    sees: (input) => ({
      ...{ op: read, input: picked(input, key) },
      fields: names.filter((name) => input[name] !== undefined),
    }),
    back: ({ input, before }) => {
      const given = names.filter((name) => input[name] !== undefined)
      return [{ op, input: { ...picked(input, key), ...picked(before as Fields, given) } }]
    },
  }
}

export const picked = (from: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => from[name] !== undefined).map((n) => [n, from[n]]))
