import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

test('people on a board see each other until they leave or stop reporting', async () => {
  const w = await world()
  const { project_id } = w.board
  const { task_id } = w.tasks.logo
  await w.ada['presence.report']({ project_id, client_id: 'ada', task_id, is_editing: true })
  const { present } = await w.cleo['presence.report']({ project_id, client_id: 'cleo' })
  expect(present).toEqual([
    {
      ...{ client_id: 'ada', task_id, is_editing: true },
      actor: { kind: 'person', user_id: w.ada.caller.actor_id, name: 'Ada' },
    },
    { client_id: 'cleo', actor: { kind: 'person', user_id: w.cleo.caller.actor_id, name: 'Cleo' } },
  ])
  const names = async () =>
    (await w.cleo['presence.report']({ project_id, client_id: 'cleo' })).present.map(
      ({ actor }) => actor.name,
    )
  w.clock.advance(20_000)
  await w.ada['presence.report']({ project_id, client_id: 'ada', is_leaving: true })
  expect(await names()).toEqual(['Cleo'])
  await w.ada['presence.report']({ project_id, client_id: 'ada' })
  w.clock.advance(31_000)
  expect(await names()).toEqual(['Cleo'])
})

test('presence on a board is hidden from people who cannot see it', async () => {
  const w = await world()
  const { project_id } = w.board
  const refused = w.otto['presence.report']({ project_id, client_id: 'otto' })
  expect((await faultOf(refused)).code).toBe('not_found')
})
