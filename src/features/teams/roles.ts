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
const member: Scope[] = [...guest, 'projects:write', 'projects:instruct', 'agents:manage']
const admin: Scope[] = [...member, 'projects:manage', 'teams:manage']

/** What each role may do in its team. A guest may do it only on boards it was invited to. */
export const ROLES: Record<Role, ReadonlySet<Scope>> = {
  guest: new Set(guest),
  member: new Set(member),
  admin: new Set(admin),
  owner: new Set(admin),
}

/** What an agent may do unless it is said otherwise: it works on boards and does not instruct. */
export const USUAL_AGENT_SCOPES: readonly Scope[] = [
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

/** What an agent can be allowed; it never manages credentials, people or other agents. */
export const AGENT_SCOPES: readonly Scope[] = [...USUAL_AGENT_SCOPES, 'projects:instruct']
