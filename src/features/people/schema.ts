import { type Static, Type as t } from '@sinclair/typebox'

const int32 = 2_147_483_647
/** The number of any row; small enough for every engine. */
export const Id = (description: string) => t.Integer({ minimum: 1, maximum: int32, description })
export const UserId = Id('Id of a person')
/** What people, teams and agents are called; blanks around it are cut off. */
export const Name = t.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: 'A name',
})
export const Timestamp = t.String({ description: 'ISO 8601, UTC, with milliseconds' })

/** Whoever did or holds something. People have a user_id, agents an agent_id, the house neither. */
export const Actor = t.Object(
  {
    kind: t.Union([t.Literal('person'), t.Literal('agent'), t.Literal('system')], {
      absent: 'person',
    }),
    user_id: t.Optional(UserId),
    agent_id: t.Optional(t.String()),
    name: t.String(),
  },
  { omits: { agent_id: 'the name of an agent is unique in its team' } },
)
export type Actor = Static<typeof Actor>
