import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { syncIssue } from '../../../src/features/code/issues/model/sync.ts'
import { issues } from '../../../src/features/code/issues/model/tables.ts'
import type { Target } from '../../../src/features/code/issues/model/target.ts'
import { type World, world } from '../../support/world.ts'
import { linkedRepository } from './linked.ts'

const BASE = { title: 'Fix the gate' }

/** The issue of a task that is deleted forever. */
async function orphan(w: World, number: number | null) {
  const { project_id, repository_id } = await linkedRepository(w)
  const { task_id } = await w.ada['tasks.create']({ project_id, title: BASE.title })
  const base = number === null ? null : (BASE as never)
  const [row] = await w.store.write((tx) =>
    tx
      .insert(issues)
      .values({
        ...{ team_id: w.team_id, repository_id, number, task_id, mark: 'm', base },
        ...{ check_host: true, requests: 0, attempts: 0, due_at: w.clock.now },
      })
      .returning(),
  )
  await w.ada['tasks.update']({ task_id, status: 'Deleted' })
  await w.ada['trash.delete']({ task_ids: [task_id] })
  const stored = () =>
    w.store.read((tx) => tx.select().from(issues).where(eq(issues.issue_id, row!.issue_id)))
  return { row: (await stored())[0]!, stored }
}

const targetOf = ({ store, clock }: World) =>
  ({ services: { store, clock: clock.read } }) as unknown as Target

test('an issue whose task was deleted forever does not bring the task back', async () => {
  const w = await world()
  const { row, stored } = await orphan(w, 7)
  expect(row).toMatchObject({ task_id: null, number: 7 })
  await syncIssue(targetOf(w), row)
  expect(await stored()).toMatchObject([{ task_id: null, due_at: null, check_host: false }])
})

test('an issue that was not created before its task was deleted forever is forgotten', async () => {
  const w = await world()
  const { row, stored } = await orphan(w, null)
  await syncIssue(targetOf(w), row)
  expect(await stored()).toEqual([])
})
