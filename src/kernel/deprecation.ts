import type { TSchema } from '@sinclair/typebox'

/** Marks an operation, or a field as `deprecated` in its schema, that a later release removes. */
export interface Deprecation {
  /** The day when it was marked, such as `2026-11-30`. */
  since: string
  /** The first day on which it may be gone: at least six months later. */
  sunset: string
  /** What to use instead, as the object of "use". */
  replacement: string
}

interface Declared {
  deprecated?: Deprecation
  input: { properties: Record<string, TSchema> }
}

export const deprecationText = ({ since, sunset, replacement }: Deprecation): string =>
  `Deprecated since ${since} and may be gone from ${sunset}; use ${replacement}`

/** Adds to a description that what it describes is deprecated. */
export const withDeprecation = (description: string, deprecated?: Deprecation): string =>
  deprecated ? `${description} (${deprecationText(deprecated)})` : description

/** The deprecations that concern a call: of the operation, and of the fields that the input has. */
export function deprecationsOf(op: Declared, input: object): Deprecation[] {
  const fields = Object.keys(input).map((name) => op.input.properties[name]?.deprecated)
  return [op.deprecated, ...fields].filter((one): one is Deprecation => one !== undefined)
}
