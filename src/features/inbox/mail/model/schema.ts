import { type Static, Type as t } from '@sinclair/typebox'
import { Timestamp } from '../../../identity/people/model/index.ts'
import { NotificationKind } from '../../inbox/model/index.ts'

export const MODES = ['off', 'now', 'daily'] as const
export type Mode = (typeof MODES)[number]

const Mode = t.Union(
  MODES.map((mode) => t.Literal(mode)),
  { description: 'off; now: within a minute or two; daily: one email a day' },
)
const Hour = t.Integer({
  minimum: 0,
  maximum: 23,
  description: 'Hour of the daily email, in your time zone',
})
const Moment = t.Union([Timestamp, t.Null()])

export const Changes = t.Object({
  mode: t.Optional(Mode),
  kinds: t.Optional(
    t.Union([t.Array(NotificationKind, { minItems: 1, maxItems: 50 }), t.Null()], {
      description: 'Which notifications; null: the important ones',
    }),
  ),
  hour: t.Optional(Hour),
})
export type Changes = Static<typeof Changes>

export const Preferences = t.Object({
  mode: Mode,
  kinds: t.Array(NotificationKind),
  hour: Hour,
  time_zone: t.String({ description: 'Time zone of your profile, which applies to hour' }),
  address: t.String({ description: 'Address that emails are sent to' }),
  available: t.Boolean({
    description: 'False: email is not set up on this server, so nothing is sent',
  }),
  next_at: { ...Moment, description: 'When the next email is sent, if one is pending' },
  last_sent_at: Moment,
  last_error: t.Union([t.String(), t.Null()], {
    description: 'Why the last email failed; null once one succeeds',
  }),
})
export type Preferences = Static<typeof Preferences>

export const Tried = t.Object({
  sent: t.Boolean(),
  address: t.String(),
  said: t.String({ description: 'Response of the mail server, or the error' }),
})
