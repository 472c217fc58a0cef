import type { Tx } from '../../../../kernel/caller.ts'
import { signIns } from './tables.ts'

export type NewSignIn = Omit<
  typeof signIns.$inferInsert,
  'sign_in_id' | 'created_at' | 'verified_at'
>

export async function insertSignIn(tx: Tx, signIn: NewSignIn, now: Date): Promise<number> {
  const [row] = await tx
    .insert(signIns)
    .values({ ...signIn, created_at: now, verified_at: now })
    .returning({ sign_in_id: signIns.sign_in_id })
  return row!.sign_in_id
}
