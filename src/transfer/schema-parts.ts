import { type TProperties, type TSchema, Type as t } from '@sinclair/typebox'

export const int32 = 2_147_483_647
export const nullable = <T extends TSchema>(type: T) => t.Union([type, t.Null()])
export const oneOf = <T extends string>(...names: readonly T[]) =>
  t.Union(names.map((name) => t.Literal(name)))
export const strict = <P extends TProperties>(properties: P) =>
  t.Object(properties, { additionalProperties: false })

export const Short = t.String({ minLength: 1, maxLength: 500 })
export const Text = t.String({ maxLength: 1_048_576 })
export const Count = t.Integer({ minimum: 0, maximum: int32 })
export const Uuid = t.String({ pattern: '^[0-9a-f-]{36}$' })
export const Moment = t.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })
export const Email = t.String({ pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 254 })
export const Who = t.String({ minLength: 1, maxLength: 254 })
export const Rank = t.String({ pattern: '^[0-9A-Za-z]+$', maxLength: 4000 })
export const Ticket = t.String({ pattern: '^[A-Z0-9]+-[1-9]\\d*$', maxLength: 50 })
export const Sha256 = t.String({ pattern: '^[0-9a-f]{64}$' })
export const Key = t.String({ pattern: '^[A-Z0-9]+$', maxLength: 20 })
export const ContentType = oneOf('html', 'markdown')
export const Checks = oneOf('none', 'pending', 'passing', 'failing')

/** When a task is to be done. */
export const schedule = {
  start_date: nullable(Moment),
  due_date: nullable(t.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d(T.{5,20}Z)?$', maxLength: 40 })),
  due_at: nullable(Moment),
  // Files from before recurring tasks have none of these.
  recurrence: t.Optional(nullable(oneOf('Daily', 'Weekdays', 'Weekly', 'Biweekly', 'Monthly'))),
  repeats_from: t.Optional(nullable(t.String({ maxLength: 100 }))),
  starts_from: t.Optional(nullable(t.String({ maxLength: 100 }))),
  snoozed_until: t.Optional(nullable(Moment)),
  /** Reminders sent about the due date: 0 none, 1 that it is near, 2 that it has passed. */
  reminded: t.Optional(t.Union([t.Literal(0), t.Literal(1), t.Literal(2)])),
}
