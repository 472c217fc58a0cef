import { type Static, Type as t } from '@sinclair/typebox'
import { NotificationKind } from '../inbox/index.ts'
import { Timestamp } from '../people/index.ts'

export const MODES = ['off', 'now', 'daily'] as const
export type Mode = (typeof MODES)[number]

const Mode = t.Union(
  MODES.map((mode) => t.Literal(mode)),
  { description: 'off; now: within a minute or two; daily: one letter a day' },
)
const Hour = t.Integer({
  minimum: 0,
  maximum: 23,
  description: 'Hour of the day, in your time zone, of the daily letter',
})
const Moment = t.Union([Timestamp, t.Null()])

export const Changes = t.Object({
  mode: t.Optional(Mode),
  kinds: t.Optional(
    t.Union([t.Array(NotificationKind, { minItems: 1, maxItems: 50 }), t.Null()], {
      description: 'Which notifications; null: those that are important',
    }),
  ),
  hour: t.Optional(Hour),
})
export type Changes = Static<typeof Changes>

export const Preferences = t.Object({
  mode: Mode,
  kinds: t.Array(NotificationKind),
  hour: Hour,
  time_zone: t.String({ description: 'That of your profile, in which the hour is meant' }),
  address: t.String({ description: 'Where letters go' }),
  available: t.Boolean({
    description: 'False: this server has no mail server, so nothing is sent',
  }),
  next_at: { ...Moment, description: 'When the next letter goes out, if one waits' },
  last_sent_at: Moment,
  last_error: t.Union([t.String(), t.Null()], {
    description: 'Why the last letter did not go out, until one does',
  }),
})
export type Preferences = Static<typeof Preferences>

export const Tried = t.Object({
  sent: t.Boolean(),
  address: t.String(),
  said: t.String({ description: 'What the mail server answered, or what is wrong' }),
})
