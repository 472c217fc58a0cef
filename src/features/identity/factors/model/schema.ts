import { type Static, Type as t } from '@sinclair/typebox'
import { Id, Timestamp } from '../../people/model/index.ts'

/** Enough for a person with a phone, computers and security keys. */
export const MAX_PASSKEYS = 20
export const RECOVERY_CODES = 10

const encoded = (maxLength: number, description: string) =>
  t.String({
    minLength: 1,
    maxLength,
    pattern: '^[\\w-]+$',
    description: `${description}, base64url`,
  })

export const PasskeyId = Id('Id of one of your passkeys')
export const PasskeyName = t.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'What you call the passkey, such as the device it is on',
})

/** What an authenticator returns when it creates a passkey. */
export const NewPasskey = {
  name: PasskeyName,
  webauthn_id: encoded(1400, 'Id of the credential'),
  client_data: encoded(8000, 'The clientDataJSON'),
  attestation: encoded(40_000, 'The attestationObject'),
  transports: t.Optional(
    t.Array(t.String({ minLength: 1, maxLength: 20 }), {
      maxItems: 8,
      description: 'How the browser reaches the authenticator',
    }),
  ),
}
const Attestation = t.Object(NewPasskey)
export type Attestation = Static<typeof Attestation>

/** What an authenticator returns when a person uses a passkey. */
export const Assertion = t.Object(
  {
    webauthn_id: encoded(1400, 'Id of the credential'),
    client_data: encoded(8000, 'The clientDataJSON'),
    authenticator_data: encoded(8000, 'The authenticatorData'),
    signature: encoded(8000, 'The signature'),
    user_handle: t.Optional(encoded(200, 'The userHandle')),
  },
  { additionalProperties: false },
)
export type Assertion = Static<typeof Assertion>

export const WebAuthnOptions = t.Record(t.String(), t.Unknown(), {
  description: 'Options for the WebAuthn API of the browser, as JSON',
})

export const Code = t.String({
  minLength: 1,
  maxLength: 40,
  description: 'The code that the authenticator app shows',
})

const orNull = <T extends typeof Timestamp>(type: T) => t.Union([type, t.Null()])

export const Passkey = t.Object({
  passkey_id: PasskeyId,
  name: t.String(),
  synced: t.Boolean({ description: 'Whether it is synchronized between your devices' }),
  created_at: Timestamp,
  last_used_at: orNull(Timestamp),
})

export const Factors = t.Object({
  passkeys: t.Array(Passkey),
  authenticator_app: t.Union([
    t.Object({ created_at: Timestamp, last_used_at: orNull(Timestamp) }),
    t.Null(),
  ]),
  recovery_codes: t.Union([
    t.Object({ left: t.Integer({ description: 'Number of unused codes' }), created_at: Timestamp }),
    t.Null(),
  ]),
  passkeys_available: t.Boolean({
    description: 'Whether the address of this server allows passkeys',
  }),
})
export type Factors = Static<typeof Factors>
