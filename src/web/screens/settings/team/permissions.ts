import type { Input } from '../../../data/client.ts'
import type { Me } from '../../../entities/user/me.ts'
import { t } from '../../../messages/t.ts'
import { roles } from './roles.ts' with { type: 'macro' }

const SCOPES_BY_ROLE = roles()

export type Team = Me['teams'][number]
export type Role = Input<'teams.set_role'>['role']

/** From the most to the least powerful. */
export const ROLES = ['owner', 'admin', 'member', 'guest'] as const
export const NAMES: Record<Role, string> = {
  owner: t('settings.owner'),
  admin: t('settings.admin'),
  member: t('settings.member'),
  guest: t('settings.guest'),
}

export const hasScope = (role: Role, scope: string) =>
  SCOPES_BY_ROLE[role]?.includes(scope) ?? false

/** Only owners can make somebody an owner or change an owner's role. */
export const assignableRoles = (ownRole: Role): readonly Role[] =>
  ownRole === 'owner' ? ROLES : ROLES.filter((one) => one !== 'owner')
