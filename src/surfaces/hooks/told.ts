import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Fault } from '../../kernel/fault.ts'

export type Checks = 'none' | 'pending' | 'passing' | 'failing'

/** What an event says of a pull request, in the words of `pull_requests.sync`. */
export interface Told {
  urls: string[]
  sha?: string
  at?: string
  state?: 'open' | 'merged' | 'closed'
  title?: string
  branch?: string
  body?: string
  check?: { name: string; checks: Checks }
}

/** Reads one kind of event. */
export type Reader = (payload: unknown) => Told

export const text = t.String()
export const maybe = <T extends TSchema>(type: T) => t.Optional(t.Union([type, t.Null()]))

/** A reader of what has these parts, whatever else it has. */
export const reader =
  <T extends TSchema>(schema: T, read: (payload: Static<T>) => Told): Reader =>
  (payload) => {
    if (Value.Check(schema, payload)) return read(payload)
    const at = Value.Errors(schema, payload).First()?.path.slice(1).replaceAll('/', '.')
    throw new Fault(
      'invalid',
      'The event does not have the parts that such an event has',
      { ...(at && { field: at }), code: 'invalid_format' },
      'Check that the address was given to the host it was made for',
    )
  }

const MOST_TEXT = 65_536

/** Texts of strangers, fit for the database. */
export const tidy = (given: string | null | undefined) =>
  (given ?? '').slice(0, MOST_TEXT).replaceAll('\0', ' ').toWellFormed()

/** Times as hosts write them, `2026-11-20 12:00:00 UTC` among them, in ISO 8601. */
export function moment(...given: (string | null | undefined)[]): { at: string } | object {
  for (const one of given) {
    const iso = one
      ?.trim()
      .replace(/^(\S+) (\d\S*) ?(UTC|[+-]\d{4})?$/, '$1T$2$3')
      .replace('UTC', 'Z')
    const time = iso ? Date.parse(iso) : Number.NaN
    if (!Number.isNaN(time)) return { at: new Date(time).toISOString() }
  }
  return {}
}

export const named = (name: string, checks: Checks) => ({
  check: { name: tidy(name).slice(0, 200) || 'check', checks },
})
