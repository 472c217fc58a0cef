import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { cachedLoader } from '../../../../store/cache.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import type { Actor } from './schema.ts'
import { actors, people } from './tables.ts'

export type ActorRow = typeof actors.$inferSelect

/** Id of the system actor. A migration creates its row. Ids of people and agents are positive. */
export const SYSTEM_ACTOR_ID = -1

/** Turns a person or an agent into an API record. */
export const asMember = ({ kind, actor_id, agent_id, name }: ActorRow) =>
  kind === 'agent'
    ? { kind, agent_id: agent_id!, name }
    : { kind: 'person' as const, user_id: actor_id, name }

export const asActor = (row: ActorRow): Actor =>
  row.kind === 'system' ? { kind: row.kind, name: row.name } : asMember(row)

const selectActor = prepared((tx) =>
  tx
    .select()
    .from(actors)
    .where(eq(actors.actor_id, param('actor_id')))
    .prepare('actor_by_id'),
)

/** Caches actors by id. Unknown ids are left out. */
const actorCache = cachedLoader<number, ActorRow>({
  key: (actor_id) => actor_id,
  dependsOn: [actors],
  async load(tx, ids) {
    const [actor_id, ...others] = new Set(ids)
    const rows = others.length
      ? await tx
          .select()
          .from(actors)
          .where(inArray(actors.actor_id, [actor_id!, ...others]))
      : await selectActor(tx).execute({ actor_id })
    return new Map(rows.map((row) => [row.actor_id, row]))
  },
})

export const actorsOf = (tx: Tx, ids: readonly number[]) => actorCache.getMany(tx, ids)

export interface NewPerson {
  name: string
  email: string
  password_hash: string | null
  time_zone: string
  locale: string
}

export async function createPerson(tx: Tx, person: NewPerson, now: Date): Promise<number> {
  const { name, email, ...rest } = person
  const [actor] = await tx
    .insert(actors)
    .values({ kind: 'person', name, created_at: now })
    .returning({ actor_id: actors.actor_id })
  const { actor_id } = actor!
  await tx.insert(people).values({ actor_id, email: email.toLowerCase(), created_at: now, ...rest })
  return actor_id
}

export async function emailOf(tx: Tx, actor_id: number): Promise<string> {
  const [person] = await tx
    .select({ email: people.email })
    .from(people)
    .where(eq(people.actor_id, actor_id))
  return person!.email
}

export async function personByEmail(tx: Tx, email: string) {
  const [row] = await tx.select().from(people).where(eq(people.email, email.toLowerCase()))
  return row
}
