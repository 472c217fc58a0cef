import type { Server } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'

const PURPOSE = 'passkey challenge'
const LIFETIME_MS = 5 * 60_000

/** What a passkey is used for. A challenge for one of these is refused for the others. */
export type Ceremony = 'create' | 'sign in' | 'second factor' | 'verify'

export interface ChallengeFor {
  ceremony: Ceremony
  /** The session or the cookie of the browser that asked for it. */
  holder: string
}

/**
 * Creates a challenge that no table has to remember: it contains, encrypted, what it is for. It is
 * random, because the encryption begins with a random nonce.
 */
export const newChallenge = (
  server: Pick<Server, 'encrypt'>,
  { ceremony, holder }: ChallengeFor,
  now: Date,
): string => server.encrypt(PURPOSE, JSON.stringify([ceremony, holder, now.getTime()]))

/** Returns when a challenge was issued. Throws if it is for something else, or too old. */
export function issuedAt(
  server: Pick<Server, 'decrypt'>,
  challenge: string,
  { ceremony, holder }: ChallengeFor,
  now: Date,
): Date {
  const [knownCeremony, knownHolder, time] = contentsOf(server, challenge)
  if (knownCeremony !== ceremony || knownHolder !== holder || typeof time !== 'number')
    throw refused('This answer of a passkey belongs to another request')
  if (now.getTime() - time >= LIFETIME_MS) throw refused('The request for a passkey has expired')
  return new Date(time)
}

function contentsOf(server: Pick<Server, 'decrypt'>, challenge: string): unknown[] {
  try {
    return JSON.parse(server.decrypt(PURPOSE, challenge))
  } catch {
    return []
  }
}

const refused = (message: string) => new Fault('forbidden', message, {}, 'Try again')
