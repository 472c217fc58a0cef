import { expect, test } from 'bun:test'
import pino from 'pino'
import { projectUses } from '../../src/features/boards/projects/model/index.ts'
import type { Caller } from '../../src/kernel/caller.ts'
import type { OpenStore } from '../../src/store/store.ts'
import { startWorkers } from '../../src/workers/index.ts'
import { createDatabaseLocation, openTestStore } from '../support/database.ts'
import { expectEventually } from '../support/wait.ts'
import { NOON, world } from '../support/world.ts'

const log = pino({ level: 'silent' })
/** A database that can be opened again, as after a restart. */
async function disk() {
  const where = await createDatabaseLocation()
  return () => openTestStore(where, () => NOON)
}

const change = (store: OpenStore, actor_id: number, project_id: number, minute: number) => {
  const at = new Date(NOON.getTime() + minute * 60_000)
  return store.write((tx) =>
    store.append(tx, { actor_id } as Caller, at, [
      { type: 'project.renamed', place: { team_id: 1, project_id }, data: {} },
    ]),
  )
}

const uses = (store: OpenStore) =>
  store.read(async (tx) =>
    (await tx.select().from(projectUses)).map(
      ({ actor_id, project_id, last_used_at }) =>
        `${actor_id} on ${project_id} at ${(last_used_at.getTime() - NOON.getTime()) / 60_000}`,
    ),
  )

const waitForUses = (store: OpenStore, expected: string[]) =>
  expectEventually(async () => (await uses(store)).toSorted(), expected)

test('each person’s last use of a board is recorded, also across a restart', async () => {
  const reopen = await disk()
  const before = await reopen()
  await change(before, 1, 7, 1)
  const stop = startWorkers({ store: before, log })
  await change(before, 2, 7, 2)
  await change(before, 1, 8, 3)
  await waitForUses(before, ['1 on 7 at 1', '1 on 8 at 3', '2 on 7 at 2'])
  await stop()
  await change(before, 1, 7, 4)
  expect(await uses(before)).not.toContain('1 on 7 at 4')
  await before.close()

  const after = await reopen()
  await after.write((tx) => tx.delete(projectUses))
  const stopAgain = startWorkers({ store: after, log })
  // Changes handled before the restart are not handled again.
  await waitForUses(after, ['1 on 7 at 4'])
  await change(after, 2, 8, 5)
  await waitForUses(after, ['1 on 7 at 4', '2 on 8 at 5'])
  await stopAgain()
  await after.close()
})

test('a change that belongs to no board is not recorded as a use', async () => {
  const store = await (await disk())()
  const stop = startWorkers({ store, log })
  await store.write((tx) =>
    store.append(tx, { actor_id: 1 } as Caller, NOON, [
      { type: 'profile.updated', place: {}, data: {} },
    ]),
  )
  await change(store, 2, 7, 1)
  await waitForUses(store, ['2 on 7 at 1'])
  await stop()
  await store.close()
})

test('boards sort by the caller’s own last use, and unused boards come last', async () => {
  const { ada, cleo, team_id, store } = await world({ hasBoard: false })
  const open = (title: string) =>
    cleo['projects.create']({ title, team_id, sections: [{ title: 'Now' }] })
  const ids: number[] = []
  for (const title of ['A', 'B', 'C']) ids.push((await open(title)).project_id)
  const [a, b, c] = ids
  const use = (actor_id: number, project_id: number, minute: number) =>
    store.write((tx) =>
      tx
        .insert(projectUses)
        .values({ actor_id, project_id, last_used_at: new Date(NOON.getTime() + minute) }),
    )
  await use(ada.caller.actor_id, b!, 1)
  await use(ada.caller.actor_id, c!, 2)
  await use(cleo.caller.actor_id, a!, 3)
  const { items } = await ada['projects.list']({ sort: 'lastUsedAt' })
  expect(items.map(({ title }) => title)).toEqual(['C', 'B', 'A'])
  expect(items.map(({ last_used_at }) => last_used_at)).toEqual([
    ...['2026-11-20T12:00:00.002Z', '2026-11-20T12:00:00.001Z', null],
  ])
})
