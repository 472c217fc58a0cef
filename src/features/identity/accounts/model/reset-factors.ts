import { callerFor } from '../../callers/model/index.ts'
import { withChanges } from '../../departures/model/index.ts'
import {
  deleteApp,
  deletePasskey,
  deleteRecoveryCodes,
  passkeysOf,
} from '../../factors/model/index.ts'
import { resolveUser } from './operator.ts'
import type { AccountServices } from './services.ts'
import { endSessions } from './sessions.ts'

/** Removes all second factors of a person who has lost them, and signs the person out everywhere. */
export async function resetFactors({ store, clock }: AccountServices, email: string) {
  return store.write(async (tx) => {
    const { actor_id } = await resolveUser(tx, email)
    const author = await callerFor(tx, actor_id)
    return withChanges(tx, author, clock(), async ({ emit }) => {
      const passkeys = await passkeysOf(tx, actor_id)
      for (const { passkey_id, name } of passkeys) {
        await deletePasskey(tx, actor_id, passkey_id)
        emit('passkey.deleted', {}, { passkey_id, name })
      }
      const app = await deleteApp(tx, actor_id)
      if (app) emit('authenticator_app.deleted', {}, {})
      await deleteRecoveryCodes(tx, actor_id)
      const sessions = await endSessions(tx, actor_id, clock())
      return { user_id: actor_id, passkeys: passkeys.length, authenticator_app: app, sessions }
    })
  })
}
