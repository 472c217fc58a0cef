import type { IssuerName, Role } from './caller.ts'

/** A role in a team, named as in the settings: by number, UUID or name. */
export interface TeamRole {
  team: string
  role: Role
}

/** A role that a group of an issuer has in a team. */
export interface GroupRole extends TeamRole {
  group: string
}

/** Who gets an account at their first sign-in through an issuer, besides invited people. */
export interface NewPeople {
  /** People to whom a group gives a role. */
  groups: boolean
  /** People with a verified address of a domain, and the team that they join, if any. */
  domains: readonly { domain: string; join?: TeamRole }[]
}

/** What an issuer may decide on this server. */
export interface IssuerPolicy extends IssuerName {
  /** Roles by group. Without any, its groups are ignored. */
  roles: readonly GroupRole[]
  newPeople: NewPeople
}

/** An OpenID Connect issuer, as the operator configured it. */
export interface IssuerSettings extends IssuerPolicy {
  clientId: string
  /** Public clients have none. */
  clientSecret: string | undefined
  scopes: string
  /** The claim that lists the groups of a person. */
  groupsClaim: string
  /** Whether an address counts as verified if the issuer does not say. */
  trustsEmail: boolean
}

/** A person as an issuer describes them in a checked ID token. */
export interface IssuerIdentity {
  issuer: string
  /** Identifies the person at the issuer. */
  subject: string
  email: string | undefined
  isEmailVerified: boolean
  name: string | undefined
  /** Undefined if the issuer left them out because they are too many. */
  groups: readonly string[] | undefined
  /** The id that the issuer gave to its session. */
  session: string | undefined
  idToken: string
}

/** A checked request of an issuer to end sessions: one of them, or all of a person. */
export interface LogoutRequest {
  issuer: string
  subject: string | undefined
  session: string | undefined
  /** When the issuer sent it. It does not end sessions that were opened later. */
  sentAt: Date
}
