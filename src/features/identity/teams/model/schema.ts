import { type Static, Type as t } from '@sinclair/typebox'
import type { Role } from '../../../../kernel/caller.ts'
import { Id, Timestamp } from '../../people/model/index.ts'
import { ROLES } from './roles.ts'

export const TeamId = Id('Id of a team')
export const TeamRef = t.Union([TeamId, t.String({ minLength: 1, maxLength: 36 })], {
  description: 'Number or UUID of a team',
})
export const RoleName = t.Union(
  (Object.keys(ROLES) as Role[]).map((role) => t.Literal(role)),
  { description: 'owner, admin, member or guest' },
)

export const TeamRow = t.Object(
  {
    team_id: TeamId,
    team_uuid: t.String(),
    name: t.String(),
    role: RoleName,
    created_at: Timestamp,
  },
  { columns: ['team_id', 'name', 'role'], omits: { team_uuid: 'team_id names the team' } },
)
export type TeamRow = Static<typeof TeamRow>
