import type { Input, Output } from './client.ts'

type Options = Output<'passkeys.begin'>['options']
interface Descriptor {
  id: string
}
type Assertion = NonNullable<Input<'verification.verify'>['passkey']>
type NewPasskey = Omit<Input<'passkeys.create'>, 'name'>

export const browserHasPasskeys = () => typeof PublicKeyCredential === 'function'

const fromBase64url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))

const toBase64url = (buffer: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const withBytes = (descriptors: unknown) =>
  (descriptors as Descriptor[]).map((one) => ({ ...one, id: fromBase64url(one.id) }))

/** Lets the browser create a passkey. Undefined if the user closed its dialog. */
export async function createPasskey(options: Options): Promise<NewPasskey | undefined> {
  const user = options.user as Descriptor
  const publicKey = {
    ...options,
    challenge: fromBase64url(String(options.challenge)),
    user: { ...user, id: fromBase64url(user.id) },
    excludeCredentials: withBytes(options.excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions
  const credential = await unlessClosed(navigator.credentials.create({ publicKey }))
  if (!credential) return undefined
  const response = credential.response as AuthenticatorAttestationResponse
  return {
    webauthn_id: credential.id,
    client_data: toBase64url(response.clientDataJSON),
    attestation: toBase64url(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  }
}

/** Lets the user choose a passkey. Undefined if they closed the dialog of the browser. */
export async function requestPasskey(options: Options): Promise<Assertion | undefined> {
  const publicKey = {
    ...options,
    challenge: fromBase64url(String(options.challenge)),
    allowCredentials: withBytes(options.allowCredentials),
  } as unknown as PublicKeyCredentialRequestOptions
  const credential = await unlessClosed(navigator.credentials.get({ publicKey }))
  if (!credential) return undefined
  const response = credential.response as AuthenticatorAssertionResponse
  return {
    webauthn_id: credential.id,
    client_data: toBase64url(response.clientDataJSON),
    authenticator_data: toBase64url(response.authenticatorData),
    signature: toBase64url(response.signature),
    ...(response.userHandle?.byteLength && { user_handle: toBase64url(response.userHandle) }),
  }
}

async function unlessClosed(request: Promise<Credential | null>) {
  try {
    return (await request) as PublicKeyCredential | null
  } catch (error) {
    if (error instanceof DOMException && CLOSED.has(error.name)) return undefined
    throw error
  }
}

/** Browsers do not tell whether the user closed the dialog or waited too long. */
const CLOSED = new Set(['NotAllowedError', 'AbortError'])
