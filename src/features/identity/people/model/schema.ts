import { type Static, Type as t } from '@sinclair/typebox'

const MAX_INT32 = 2_147_483_647
/** The id of a row, limited to 32 bits for every database engine. */
export const Id = (description: string) =>
  t.Integer({ minimum: 1, maximum: MAX_INT32, description })
export const UserId = Id('Id of a person')
/** Name of a person, team or agent. Surrounding blanks are trimmed. */
export const Name = t.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: 'A name',
})
export const Timestamp = t.String({ description: 'ISO 8601, UTC, with milliseconds' })

/** People have a user_id, agents an agent_id, and the system actor neither. */
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
