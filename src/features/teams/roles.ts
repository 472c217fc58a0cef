import type { Role, Scope } from '../../kernel/caller.ts'

const guest: Scope[] = [
  'profile:read',
  'profile:write',
  'keys:read',
  'keys:manage',
  'teams:read',
  'projects:read',
  'tasks:read',
  'tasks:write',
  'pages:read',
  'pages:write',
]
const member: Scope[] = [...guest, 'projects:write', 'agents:manage']
const admin: Scope[] = [...member, 'projects:manage', 'teams:manage']

/** What each role may do in its team. A guest may do it only on boards it was invited to. */
export const ROLES: Record<Role, ReadonlySet<Scope>> = {
  guest: new Set(guest),
  member: new Set(member),
  admin: new Set(admin),
  owner: new Set(admin),
}

/** An agent works; it never manages credentials, people or other agents. */
export const AGENT_SCOPES: readonly Scope[] = [
  'profile:read',
  'profile:write',
  'teams:read',
  'projects:read',
  'projects:write',
  'projects:manage',
  'tasks:read',
  'tasks:write',
  'pages:read',
  'pages:write',
]
