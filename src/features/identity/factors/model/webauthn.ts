import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Server } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { hashOf } from '../../credentials/model/index.ts'
import { type ChallengeFor, issuedAt, newChallenge } from './challenges.ts'
import type { Assertion, Attestation } from './schema.ts'
import type { passkeys } from './tables.ts'

type PasskeyRow = typeof passkeys.$inferSelect
type Keys = Pick<Server, 'url' | 'encrypt' | 'decrypt'>

const TIMEOUT_MS = 5 * 60_000
/** EdDSA, ECDSA with P-256, RSA. */
const ALGORITHMS = [-8, -7, -257]
/** Browsers bind passkeys to a host name and never to an address. */
const IP_ADDRESS = /^(\[.*\]|\d+(\.\d+){3})$/

/** Whether browsers allow passkeys at this address of the server. */
export function allowsPasskeys(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, protocol } = new URL(url)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return !IP_ADDRESS.test(hostname) && (protocol === 'https:' || isLocal)
}

function hostOf({ url }: Keys) {
  if (!allowsPasskeys(url))
    throw fault.conflict(
      'Passkeys need a server with a host name and HTTPS',
      {},
      'Ask the server operator to set CORK_URL to an https address with a host name',
    )
  const { hostname, origin } = new URL(url)
  return { rpId: hostname, origin }
}

/** The same for all passkeys of a person, so that a device replaces its earlier one. */
export const userHandleOf = (actor_id: number) => hashOf(`passkeys of ${actor_id}`)

const descriptorOf = ({ webauthn_id, transports }: PasskeyRow) => ({
  type: 'public-key',
  id: webauthn_id,
  transports,
})

interface Owner {
  actor_id: number
  email: string
  name: string
}

/** Options for `navigator.credentials.create`. */
export function creationOptions(
  server: Keys,
  owner: Owner,
  existing: readonly PasskeyRow[],
  challenge: ChallengeFor,
  now: Date,
): Record<string, unknown> {
  const { rpId } = hostOf(server)
  return {
    challenge: newChallenge(server, challenge, now),
    rp: { id: rpId, name: 'Corkboard' },
    user: { id: userHandleOf(owner.actor_id), name: owner.email, displayName: owner.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: existing.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
    timeout: TIMEOUT_MS,
  }
}

/** Options for `navigator.credentials.get`. Without passkeys, the person chooses among all. */
export function requestOptions(
  server: Keys,
  allowed: readonly PasskeyRow[] | undefined,
  challenge: ChallengeFor,
  now: Date,
): Record<string, unknown> {
  return {
    challenge: newChallenge(server, challenge, now),
    rpId: hostOf(server).rpId,
    ...(allowed && { allowCredentials: allowed.map(descriptorOf) }),
    userVerification: verificationFor(challenge),
    timeout: TIMEOUT_MS,
  }
}

/** A passkey that replaces the password must check the person: a PIN, a finger, a face. */
const verificationFor = ({ ceremony }: ChallengeFor) =>
  ceremony === 'sign in' ? 'required' : 'preferred'

/** Checks a new passkey and returns what to store of it. */
export async function checkAttestation(
  server: Keys,
  { webauthn_id, client_data, attestation, transports = [] }: Attestation,
  challenge: ChallengeFor,
  now: Date,
) {
  const { rpId, origin } = hostOf(server)
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const response = {
    ...{ id: webauthn_id, rawId: webauthn_id, type: 'public-key', clientExtensionResults: {} },
    response: { clientDataJSON: client_data, attestationObject: attestation, transports },
  } as RegistrationResponseJSON
  const { registrationInfo } = await orRefused(
    verifyRegistrationResponse({
      response,
      expectedChallenge: (text) => issuedAt(server, text, challenge, now) !== undefined,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
    }),
  )
  if (!registrationInfo) throw refused()
  const { credential, credentialBackedUp } = registrationInfo
  return {
    webauthn_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports,
    synced: credentialBackedUp,
  }
}

/** A passkey whose signature is right. `usePasskey` makes sure that it counts once. */
export interface CheckedAssertion {
  passkey_id: number
  actor_id: number
  counter: number
  issued_at: Date
}

/** Checks that a person has used their passkey to answer the challenge. */
export async function checkAssertion(
  server: Keys,
  assertion: Assertion,
  passkey: PasskeyRow,
  challenge: ChallengeFor,
  now: Date,
): Promise<CheckedAssertion> {
  const { rpId, origin } = hostOf(server)
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  let issued_at = now
  const { verified, authenticationInfo } = await orRefused(
    verifyAuthenticationResponse({
      response: responseOf(assertion),
      expectedChallenge(text) {
        issued_at = issuedAt(server, text, challenge, now)
        return true
      },
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: {
        id: passkey.webauthn_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
      requireUserVerification: verificationFor(challenge) === 'required',
    }),
  )
  const { passkey_id, actor_id } = passkey
  if (!verified || !isOwner(assertion, actor_id)) throw refused()
  return { passkey_id, actor_id, counter: authenticationInfo.newCounter, issued_at }
}

const isOwner = ({ user_handle }: Assertion, actor_id: number) =>
  user_handle === undefined || user_handle === userHandleOf(actor_id)

const responseOf = (assertion: Assertion): AuthenticationResponseJSON => ({
  ...{ id: assertion.webauthn_id, rawId: assertion.webauthn_id, type: 'public-key' },
  clientExtensionResults: {},
  response: {
    clientDataJSON: assertion.client_data,
    authenticatorData: assertion.authenticator_data,
    signature: assertion.signature,
  },
})

/** Every error of the library is about what the browser sent. */
async function orRefused<T>(check: Promise<T>): Promise<T> {
  try {
    return await check
  } catch (error) {
    throw error instanceof Fault ? error : refused()
  }
}

const refused = () =>
  new Fault('forbidden', 'The passkey could not be verified', {}, 'Try again, or use another way')
