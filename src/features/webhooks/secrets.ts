import type { Server } from '../../kernel/caller.ts'
import { SECRET } from './rules.ts'
import type { Webhook } from './store.ts'

/**
 * A secret is needed in clear whenever something is signed, so that a hash of it would not do; it
 * is derived from the signing key each time and stands in no database and no log.
 */
export async function secretOf(server: Pick<Server, 'sign'>, seed: string): Promise<string> {
  const signed = await server.sign({ webhook: seed })
  return SECRET + Bun.CryptoHasher.hash('sha256', signed, 'base64')
}

export async function newSecret(server: Pick<Server, 'sign'>) {
  const seed = crypto.randomUUID()
  return { seed, secret: await secretOf(server, seed) }
}

/** Those that sign now, the newest first. */
export function secretsOf(
  server: Pick<Server, 'sign'>,
  { seed, old_seed, old_until }: Pick<Webhook, 'seed' | 'old_seed' | 'old_until'>,
  now: Date,
): Promise<string[]> {
  const isOldGood = old_seed !== null && old_until !== null && old_until > now
  const seeds = isOldGood ? [seed, old_seed] : [seed]
  return Promise.all(seeds.map((one) => secretOf(server, one)))
}
