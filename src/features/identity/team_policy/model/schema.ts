import { type Static, Type as t } from '@sinclair/typebox'

const MAX_DAYS = 365
const MAX_DOMAINS = 50

const Domain = t.String({
  minLength: 3,
  maxLength: 253,
  pattern: '^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?$',
  description: 'A domain of email addresses, such as example.com',
})
const Days = t.Integer({ minimum: 1, maximum: MAX_DAYS })
const orNone = <T extends Parameters<typeof t.Union>[0][number]>(type: T, description: string) =>
  t.Union([type, t.Null()], { description })

export const policyFields = {
  guests_allowed: t.Boolean({ description: 'Whether guests may be invited and join' }),
  email_domains: orNone(
    t.Array(Domain, { minItems: 1, maxItems: MAX_DOMAINS }),
    'Only addresses of these domains may join, except as guests; null: all',
  ),
  second_factor_required: t.Boolean({
    description: 'Whether everybody in the team needs a passkey or an authenticator app',
  }),
  session_days: orNone(Days, 'Days after a sign-in when a browser is signed out; null: no limit'),
  token_days: orNone(Days, 'Most days that a new API key or access token lasts; null: no limit'),
  locale: orNone(
    t.String({ minLength: 1, maxLength: 64 }),
    'Language of members who have chosen none, as a BCP 47 tag such as pt-BR; null: English',
  ),
}

const Policy = t.Object(policyFields)
export type Policy = Static<typeof Policy>
export type PolicyField = keyof Policy
