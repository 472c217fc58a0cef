import { Type as t } from '@sinclair/typebox'

const CATEGORIES = [
  'call_failed',
  'empty_result',
  'unexpected_result',
  'auth_failed',
  'slow',
  'user_reported_broken',
  'other',
] as const

/** Only tool names and error codes fit, so that no text of users is stored. */
const code = (maxLength: number, description: string) =>
  t.String({ pattern: '^[A-Za-z][A-Za-z0-9_.-]*$', minLength: 1, maxLength, description })

const unkept = (description: string) => t.Optional(t.String({ maxLength: 10_000, description }))

export const report = {
  tool: code(60, 'Name of the tool, such as svc_tasks'),
  status: t.Optional(t.Integer({ minimum: 100, maximum: 599, description: 'HTTP status' })),
  errorCode: t.Optional(code(60, 'Code of the error, such as out_of_range')),
  category: t.Optional(t.Union(CATEGORIES.map((name) => t.Literal(name)))),
  error: unkept('Never stored; say what failed with errorCode'),
  note: unkept('Never stored'),
}

export const Reported = t.Object({
  reported: t.Literal(true),
  new: t.Boolean({ description: 'True: first report of this' }),
  count: t.Integer({ description: 'Number of times it was reported' }),
})
