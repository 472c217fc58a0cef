import type { Server } from '../../../../kernel/caller.ts'

/**
 * Derives the secret of a receiver from the signing key. Checking a signature needs the secret
 * itself, so a stored hash would not do, and the database never holds the secret.
 */
export async function receiverSecret(server: Pick<Server, 'sign'>, receiver_id: string) {
  const seed = await server.sign({ pull_request_receiver: receiver_id })
  return `whsec_${Bun.CryptoHasher.hash('sha256', seed, 'base64')}`
}
