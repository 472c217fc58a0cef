import { eq } from 'drizzle-orm'
import type { PrepareContext } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { people } from '../../people/model/index.ts'
import { verifyPassword } from './passwords.ts'
import { type Source, throttleOf } from './throttle.ts'

/** Returns the hash of the present password if the given one matches, and throws otherwise. */
export async function requireCurrentPassword(
  field: string,
  password: string,
  { caller, server, read }: PrepareContext,
): Promise<string> {
  const throttle = throttleOf(server, 'password')
  // Each session is throttled separately, so one browser cannot lock the person out of another.
  const account = String(caller.actor_id)
  const source: Source = { name: caller.credential, isKnown: true }
  throttle.begin(account, source)
  const isCaller = eq(people.actor_id, caller.actor_id)
  const [person] = await read((tx) => tx.select().from(people).where(isCaller))
  const currentHash = person?.password_hash
  if (!currentHash || !(await verifyPassword(password, currentHash)))
    throw fault.invalid(field, 'conflict', 'This is not your current password')
  throttle.succeed(account, source)
  return currentHash
}
