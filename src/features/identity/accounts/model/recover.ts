import { randomBytes } from 'node:crypto'
import { fault } from '../../../../kernel/fault.ts'
import { insertOperatorLink, linkUrl } from '../../account_emails/model/index.ts'
import { callerFor } from '../../callers/model/index.ts'
import { resolveUser } from './operator.ts'
import type { AccountServices } from './services.ts'

/**
 * Creates a link with which a person signs in once and can set a password, for people who lost
 * every other way. It works however people sign in on this server, and it ends nothing.
 */
export async function createRecoveryLink({ store, clock, server }: AccountServices, ref: string) {
  const token = randomBytes(32).toString('base64url')
  const now = clock()
  return store.write(async (tx) => {
    const { actor_id, email, deactivated_at } = await resolveUser(tx, ref)
    if (deactivated_at)
      throw fault.conflict(
        `${email} is deactivated`,
        {},
        `Reactivate the account first: "cork user reactivate --email ${email}"`,
      )
    const expires_at = await insertOperatorLink(tx, actor_id, token, now)
    await store.append(tx, await callerFor(tx, actor_id), now, [
      { type: 'person.recovered', place: {}, data: { user_id: actor_id } },
    ])
    const link = linkUrl(server, 'password', token)
    return { user_id: actor_id, email, link, expires_at: expires_at.toISOString() }
  })
}
