import { Type as t } from '@sinclair/typebox'
import { Id, Timestamp, UserId } from '../../people/model/index.ts'
import { RoleName } from '../../teams/model/index.ts'

export const IdentityId = Id('Id of a linked identity')
const Moment = t.Union([Timestamp, t.Null()])
const Email = t.Union([t.String(), t.Null()], { description: 'The address at the issuer' })
const issuer = t.String({ description: 'URL of the OpenID Connect issuer' })

export const IdentityRow = t.Object({
  identity_id: IdentityId,
  issuer,
  issuer_name: t.Union([t.String(), t.Null()], {
    description: 'Name on its button; null: this server no longer uses it',
  }),
  email: Email,
  approved: t.Boolean({ description: 'false: an admin of a team has to approve it' }),
  created_at: Timestamp,
  last_used_at: Moment,
})

export const IssuerRow = t.Object({
  number: t.Integer({ description: 'Its sign-in begins at /sign-in/{number}' }),
  name: t.String(),
})

export const WaitingRow = t.Object({
  identity_id: IdentityId,
  user_id: UserId,
  name: t.String(),
  role: RoleName,
  account_email: t.String({ description: 'The address of the account' }),
  issuer,
  email: Email,
  created_at: Timestamp,
})
