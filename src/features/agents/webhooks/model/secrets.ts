import type { Server } from '../../../../kernel/caller.ts'
import { SECRET } from './rules.ts'
import type { Webhook } from './store.ts'

/**
 * Signing needs the secret in plain text, so a hash would not do. It is derived from the signing
 * key each time, and is in no database and no log.
 */
export async function secretOf(server: Pick<Server, 'sign'>, seed: string): Promise<string> {
  const signed = await server.sign({ webhook: seed })
  return SECRET + Bun.CryptoHasher.hash('sha256', signed, 'base64')
}

export async function newSecret(server: Pick<Server, 'sign'>) {
  const seed = crypto.randomUUID()
  return { seed, secret: await secretOf(server, seed) }
}

/** What the secrets of a webhook are derived from. */
export type Seeds = Pick<Webhook, 'seed' | 'old_seed' | 'old_until'>

/** The secrets that are valid now, newest first. */
export function secretsOf(
  server: Pick<Server, 'sign'>,
  { seed, old_seed, old_until }: Seeds,
  now: Date,
): Promise<string[]> {
  const isOldGood = old_seed !== null && old_until !== null && old_until > now
  const seeds = isOldGood ? [seed, old_seed] : [seed]
  return Promise.all(seeds.map((one) => secretOf(server, one)))
}

/** A random secret, for webhooks that store it encrypted. */
export const newWebhookSecret = (): string =>
  SECRET + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
