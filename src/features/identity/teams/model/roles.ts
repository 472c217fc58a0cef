import type { Role, Scope } from '../../../../kernel/caller.ts'

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
const member: Scope[] = [...guest, 'projects:write', 'projects:instruct', 'agents:manage']
const admin: Scope[] = [...member, 'projects:manage', 'teams:manage']

/** The scopes of each role in its team. A guest has them only on boards they were invited to. */
export const ROLES: Record<Role, ReadonlySet<Scope>> = {
  guest: new Set(guest),
  member: new Set(member),
  admin: new Set(admin),
  owner: new Set(admin),
}

/** Default scopes of an agent: it works on boards and does not change their instructions. */
export const DEFAULT_AGENT_SCOPES: readonly Scope[] = [
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

/** The most an agent can be granted. It never manages credentials, people or other agents. */
export const AGENT_SCOPES: readonly Scope[] = [...DEFAULT_AGENT_SCOPES, 'projects:instruct']
