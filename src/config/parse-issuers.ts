import type { Role } from '../kernel/caller.ts'
import type { GroupRole, NewPeople, TeamRole } from '../kernel/issuers.ts'
import { BadConfig, type RawValue } from './parse.ts'

/** A group may contain any character, so an entry ends only at its role. */
const GROUP_ROLE = /\s*(.+?)\s*=\s*([^=,:]+?)\s*:\s*(owner|admin|member|guest)\s*(?:,|$)/y
const DOMAIN = /^@?((?:[a-z0-9-]+\.)+[a-z0-9-]{2,})$/
const TEAM_ROLE = /^([^=,:]+):(owner|admin|member|guest)$/

export function parseIssuerUrl({ name, text }: RawValue): string | undefined {
  if (!text) return undefined
  const url = URL.parse(text)
  const isHttp = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash
  if (!isHttp || url.username || url.password)
    throw new BadConfig(
      `${name} must be the address of an OpenID Connect issuer, such as https://id.example.com/realms/main, not "${text}"`,
    )
  return text.replace(/\/\.well-known\/openid-configuration$/, '')
}

export function parseYes({ name, text }: RawValue): boolean {
  if (text && text !== 'yes' && text !== 'no')
    throw new BadConfig(`${name} must be yes or no, not "${text}"`)
  return text === 'yes'
}

export function parseScopes({ name, text }: RawValue): string {
  const scopes = text.split(/[\s,]+/).filter(Boolean)
  if (!scopes.includes('openid'))
    throw new BadConfig(`${name} must contain openid, such as "openid email profile"`)
  return scopes.join(' ')
}

/** Parses `cork-admins=Harbour:admin, staff=Harbour:member`. */
export function parseGroupRoles({ name, text }: RawValue): GroupRole[] {
  const roles: GroupRole[] = []
  const pattern = new RegExp(GROUP_ROLE)
  while (pattern.lastIndex < text.trimEnd().length) {
    const start = pattern.lastIndex
    const [, group = '', team = '', role] = pattern.exec(text) ?? []
    if (!role)
      throw new BadConfig(
        `${name} must list groups with a team and a role, like staff=Harbour:member, separated by commas, not "${text.slice(start).trim()}"`,
      )
    roles.push({ group, team, role: role as Role })
  }
  return roles
}

/** Parses `groups, example.com, example.org=Harbour:member`. */
export function parseNewPeople({ name, text }: RawValue): NewPeople {
  const domains: { domain: string; join?: TeamRole }[] = []
  let groups = false
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '' || entry === 'none') continue
    if (entry === 'groups') groups = true
    else domains.push(parseDomain(name, entry))
  }
  return { groups, domains }
}

function parseDomain(name: string, entry: string) {
  const [left = '', right] = entry.split(/=(.*)/s)
  const domain = DOMAIN.exec(left.trim().toLowerCase())?.[1]
  const [, team, role] = TEAM_ROLE.exec(right?.trim() ?? '') ?? []
  if (!domain || (right !== undefined && !team))
    throw new BadConfig(
      `${name} must be none, groups, or domains like example.com or example.com=Harbour:member, separated by commas, not "${entry}"`,
    )
  return { domain, ...(team && { join: { team: team.trim(), role: role as Role } }) }
}
