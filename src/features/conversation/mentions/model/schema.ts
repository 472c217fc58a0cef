import { type Static, Type as t } from '@sinclair/typebox'
import { UserId } from '../../../identity/people/model/index.ts'

export const Mention = t.Object(
  {
    user_id: t.Optional(UserId),
    agent_id: t.Optional(
      t.String({
        pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
        maxLength: 36,
        description: 'UUID of an agent, instead of user_id',
      }),
    ),
    display_name: t.Optional(
      t.String({ minLength: 1, maxLength: 200, description: 'The name after the @' }),
    ),
  },
  { additionalProperties: false },
)
export type Mention = Static<typeof Mention>

export const Mentions = t.Array(Mention, {
  maxItems: 50,
  description: 'Whom to notify; @text alone notifies nobody',
})
