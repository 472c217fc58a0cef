import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { people } from '../../people/model/index.ts'

/** Makes concurrent changes of the factors of a person wait for each other. */
export async function lockPerson(tx: Tx, actor_id: number): Promise<void> {
  const row = tx.select({ actor_id: people.actor_id }).from(people)
  await forUpdate(row.where(eq(people.actor_id, actor_id)))
}
