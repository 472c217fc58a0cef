import { type Static, Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { UserId } from '../../people/model/index.ts'
import { RoleName, TeamId } from '../../teams/model/index.ts'

const kind = t.Union([t.Literal('person'), t.Literal('agent')])

/**
 * People have a user_id, a role and, for callers who may see it, an email. Agents have an owner.
 */
const member = {
  kind,
  user_id: t.Optional(UserId),
  agent_id: t.Optional(t.String({ description: 'UUID' })),
  name: t.String(),
  email: t.Optional(t.String()),
  role: t.Optional(RoleName),
  owner_id: t.Optional(UserId),
}
const columns = ['kind', 'user_id', 'agent_id', 'name', 'role']

export const TeamMember = t.Object(member, { columns })
export type TeamMember = Static<typeof TeamMember>

export const BoardMember = t.Object(
  { ...member, invited: t.Boolean({ description: 'Added to this board individually' }) },
  { columns },
)
export type BoardMember = Static<typeof BoardMember>

export const MemberReceipt = t.Object({ team_id: TeamId, user_id: UserId, name: t.String() })

export const BoardRemoval = t.Object({
  project_id: ProjectId,
  user_id: UserId,
  name: t.String(),
  sees: t.Boolean({ description: 'Whether their team role already gives access to the board' }),
})
