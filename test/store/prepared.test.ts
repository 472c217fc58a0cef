import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { agents } from '../../src/features/agents/agents/model/index.ts'
import { labels, taskLabels } from '../../src/features/boards/labels/model/index.ts'
import { credentials } from '../../src/features/identity/credentials/model/index.ts'
import { actors, people } from '../../src/features/identity/people/model/index.ts'
import { tasks } from '../../src/features/tasks/tasks/model/index.ts'
import type { Tx } from '../../src/kernel/caller.ts'
import { param } from '../../src/store/prepared.ts'
import { optimizeStatement } from '../../src/store/prepared-sqlite.ts'
import { world } from '../support/world.ts'

const { store, cleo, bot } = await world()

const QUERIES: Record<string, (tx: Tx) => { prepare(name: string): unknown }> = {
  'every column of a table': (tx) =>
    tx
      .select()
      .from(tasks)
      .where(eq(tasks.task_id, param('one'))),
  'an inner join': (tx) =>
    tx
      .select({ task_id: taskLabels.task_id, label: labels })
      .from(taskLabels)
      .innerJoin(labels, eq(labels.label_id, taskLabels.label_id))
      .where(eq(taskLabels.task_id, param('one'))),
  'rows that are missing on one side of a join': (tx) =>
    tx
      .select({ credential: credentials, actor: actors, person: people, agent: agents })
      .from(credentials)
      .innerJoin(actors, eq(actors.actor_id, credentials.actor_id))
      .leftJoin(people, eq(people.actor_id, credentials.actor_id))
      .leftJoin(agents, eq(agents.actor_id, credentials.actor_id))
      .where(eq(actors.actor_id, param('someone'))),
  'an expression, a literal with a question mark and a limit': (tx) =>
    tx
      .select({ title: tasks.title, odd: sql<string>`'what?'`, twice: sql`${tasks.task_id} * 2` })
      .from(tasks)
      .limit(param('many')),
}

for (const [name, build] of Object.entries(QUERIES))
  test(`an optimized statement returns the same rows as a plain one: ${name}`, async () => {
    for (const actor_id of [cleo.caller.actor_id, bot.caller.actor_id])
      for (const one of [1, 3, 999]) {
        const values = { one, someone: actor_id, many: one }
        const { plain, optimized } = await store.read(async (tx) => {
          type Statement = { execute(values: object): Promise<unknown[]> }
          const prepare = () => build(tx).prepare(`plain_${name}`) as Statement
          const plain = await prepare().execute(values)
          return { plain, optimized: await optimizeStatement(prepare(), tx).execute(values) }
        })
        expect(optimized).toEqual(plain)
        if (one === 1) expect(optimized.length).toBeGreaterThan(name.includes('inner') ? -1 : 0)
      }
  })

test('a missing placeholder value is refused with its name', async () => {
  const incomplete = store.read(async (tx) => {
    const statement = QUERIES['every column of a table']!(tx).prepare('forgetful')
    return (
      optimizeStatement(statement, tx) as { execute(values: object): Promise<unknown> }
    ).execute({})
  })
  await expect(incomplete).rejects.toThrow(/no (value for placeholder "one"|one)/i)
})
