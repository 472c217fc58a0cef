import { type Static, Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Id, Timestamp } from '../../../identity/people/model/index.ts'
import { TeamId } from '../../../identity/teams/model/index.ts'
import { NotificationKind } from '../../inbox/model/index.ts'
import { BOARD_LEVELS, CHANNEL_KINDS, PERSONAL_EVENTS, SHARED_EVENTS } from './rules.ts'

const literals = <const T extends readonly string[]>(values: T, options: object = {}) =>
  t.Union(
    values.map((value) => t.Literal(value as T[number])),
    options,
  )
const orNull = <T extends ReturnType<typeof t.String | typeof t.Integer>>(one: T) =>
  t.Union([one, t.Null()])

export const ChannelId = Id('Id of a channel')
const Kind = literals(CHANNEL_KINDS)
const personalEvents = Object.keys(PERSONAL_EVENTS) as (keyof typeof PERSONAL_EVENTS)[]
const Event = literals([...personalEvents, ...SHARED_EVENTS])
const Events = t.Array(Event, {
  maxItems: 20,
  description: `Yours: ${personalEvents.join(', ')}. Shared: ${SHARED_EVENTS.join(', ')}`,
})
const Title = t.String({ minLength: 1, maxLength: 100, pattern: '\\S' })
const Mode = literals(['now', 'daily'], { description: 'daily: one message a day, at hour' })
const Hour = t.Integer({
  minimum: 0,
  maximum: 23,
  description: 'Hour of the daily message, in your time zone',
})

const secretText = (maxLength: number, description: string) =>
  t.Optional(t.Union([t.String({ minLength: 1, maxLength, description }), t.Null()]))

/** The fields that each kind of channel has besides `url`. */
const configInput = {
  url: t.Optional(
    t.String({ minLength: 1, maxLength: 2000, description: 'https URL; push: the endpoint' }),
  ),
  topic: t.Optional(
    t.String({ maxLength: 64, pattern: '^[-_A-Za-z0-9]{1,64}$', description: 'ntfy: the topic' }),
  ),
  token: secretText(500, 'ntfy: an access token'),
  keys: t.Optional(
    t.Object(
      {
        p256dh: t.String({ minLength: 1, maxLength: 200 }),
        auth: t.String({ minLength: 1, maxLength: 100 }),
      },
      { description: 'push: the keys of the subscription', additionalProperties: false },
    ),
  ),
  signing_secret: secretText(200, 'slack: the signing secret of the app, for buttons'),
  urls: secretText(2000, 'apprise: where its server sends to, separated by commas'),
  tags: secretText(500, 'apprise: tags of its configuration'),
}
const ConfigInput = t.Object(configInput)
export type ConfigInput = Static<typeof ConfigInput>
export const CONFIG_FIELDS = Object.keys(configInput) as (keyof ConfigInput)[]

const settingsInput = {
  title: t.Optional(Title),
  events: t.Optional(Events),
  mode: t.Optional(Mode),
  hour: t.Optional(Hour),
  active: t.Optional(t.Boolean({ description: 'false: nothing is sent' })),
}

const OF_BOARD = 'A shared channel of this board'
const OF_TEAM = 'A shared channel of this team'

/** Whose channels they are: yours without these. */
export const sharedOf = {
  project_id: t.Optional({ ...ProjectId, description: OF_BOARD }),
  team_id: t.Optional({ ...TeamId, description: OF_TEAM }),
}
const newSharedOf = {
  project_id: t.Optional({ ...ProjectId, needs: 'projects:manage', description: OF_BOARD }),
  team_id: t.Optional({ ...TeamId, needs: 'teams:manage', description: OF_TEAM }),
}

export const NewChannelInput = t.Object({
  kind: Kind,
  ...configInput,
  ...settingsInput,
  ...newSharedOf,
})
export type NewChannelInput = Static<typeof NewChannelInput>
export const ChannelChanges = t.Object({
  channel_id: ChannelId,
  ...configInput,
  ...settingsInput,
})
export type ChannelChanges = Static<typeof ChannelChanges>

const channel = {
  channel_id: ChannelId,
  kind: Kind,
  title: t.String(),
  project_id: t.Union([ProjectId, t.Null()]),
  team_id: t.Union([TeamId, t.Null()]),
  address: t.String({ description: 'Without what is secret' }),
  address_hash: orNull(
    t.String({
      description: 'push: SHA-256 of the endpoint, by which a browser finds its channel',
    }),
  ),
  events: t.Array(Event),
  mode: Mode,
  hour: Hour,
  active: t.Boolean(),
  has_token: t.Boolean(),
  has_signing_secret: t.Boolean(),
  last_error: orNull(t.String()),
  failing_since: orNull(Timestamp),
  failed_at: { ...orNull(Timestamp), description: 'When it was switched off because it failed' },
  last_delivered_at: orNull(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const ChannelRow = t.Object(channel, {
  columns: ['channel_id', 'kind', 'title', 'address', 'active', 'last_error'],
})
export type ChannelRow = Static<typeof ChannelRow>

export const NewChannel = t.Object(
  {
    ...channel,
    secret: t.Optional(t.String({ description: 'webhook: signs requests; shown only once' })),
  },
  { secret: true },
)

export const RotatedChannel = t.Object(
  {
    channel_id: ChannelId,
    secret: t.String({ description: 'Shown only once' }),
    old_secret_until: Timestamp,
  },
  { secret: true },
)

export const DeletedChannel = t.Object({ channel_id: ChannelId, deleted: t.Literal(true) })

export const ChannelTest = t.Object({
  channel_id: ChannelId,
  sent: t.Boolean(),
  status: orNull(t.Integer()),
  error: orNull(t.String()),
})

const Time = t.String({
  maxLength: 5,
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: 'Such as 22:00',
})
const Level = literals(BOARD_LEVELS)

export const SettingsChanges = t.Object({
  quiet_from: t.Optional(t.Union([Time, t.Null()])),
  quiet_to: t.Optional(t.Union([Time, t.Null()])),
  quiet_exceptions: t.Optional(t.Boolean()),
  boards: t.Optional(
    t.Array(
      t.Object(
        { project_id: ProjectId, level: t.Optional(t.Union([Level, t.Null()])) },
        { additionalProperties: false },
      ),
      {
        maxItems: 200,
        description: 'Only boards that change; without a level: as your channels say',
      },
    ),
  ),
})
export type SettingsChanges = Static<typeof SettingsChanges>

export const NotificationSettings = t.Object({
  quiet_from: orNull(t.String()),
  quiet_to: orNull(t.String()),
  quiet_exceptions: t.Boolean({
    description: 'Escalations and decision requests arrive in quiet hours',
  }),
  time_zone: t.String({ description: 'Time zone of your profile' }),
  boards: t.Array(t.Object({ project_id: ProjectId, level: Level })),
  events: t.Array(t.Object({ event: Event, kinds: t.Array(NotificationKind) }), {
    description: 'What a channel can get, and the notifications that belong to it',
  }),
  push_public_key: t.String({ description: 'applicationServerKey for push subscriptions' }),
})
export type NotificationSettings = Static<typeof NotificationSettings>
