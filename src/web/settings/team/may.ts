import type { Input } from '../../data/client.ts'
import type { Me } from '../../frame/places.ts'
import { roles } from './roles.ts' with { type: 'macro' }

const TABLE = roles()

export type Team = Me['teams'][number]
export type Role = Input<'teams.set_role'>['role']

/** From the one who may do most. */
export const ROLES = ['owner', 'admin', 'member', 'guest'] as const
export const NAMES: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
  guest: 'Guest',
}

export const may = (role: Role, scope: string) => TABLE[role]?.includes(scope) ?? false

/** Only an owner makes owners, or makes something else of one. */
export const rolesToGive = (by: Role): readonly Role[] =>
  by === 'owner' ? ROLES : ROLES.filter((one) => one !== 'owner')
