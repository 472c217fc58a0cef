import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

async function worldWithField() {
  const w = await world()
  const { project_id } = w.board
  const { field_id, options } = await w.ada['custom_fields.create']({
    ...{ project_id, name: 'Stage', type: 'select' },
    options: [{ label: 'Draft' }, { label: 'Final' }],
  })
  const { logo, copy } = w.tasks
  const get = async (task_id: number) => [await w.ada['tasks.get']({ task_id })].flat()[0]!
  return { ...w, field_id, final: options[1]!.option_id, logo, copy, get }
}

test('each task of one call gets its own values, custom fields and assignees included', async () => {
  const { ada, cleo, logo, copy, field_id, final, get } = await worldWithField()
  const receipts = await ada['tasks.update_each']({
    changes: [
      {
        ...{ task_id: logo.task_id, title: 'Redraw the logo', priority: 1 },
        assignees: [cleo.caller.actor_id],
        custom_fields: [{ field_id, value: 'Final' }],
      },
      { task_id: copy.task_id, due_date: '2026-12-24', labels: ['bug'], assignees: [] },
    ],
  })
  expect(receipts.map(({ ticket_number }) => ticket_number)).toEqual([
    logo.ticket_number,
    copy.ticket_number,
  ])
  expect(receipts[0]!.changed).toEqual(
    expect.arrayContaining(['title', 'priority', 'custom_fields.Stage']),
  )
  const changed = await get(logo.task_id)
  expect(changed).toMatchObject({ title: 'Redraw the logo', priority: 1 })
  expect(changed.assignees.map(({ user_id }) => user_id)).toEqual([cleo.caller.actor_id])
  expect(changed.custom_fields).toMatchObject([{ value: final }])
  expect(await get(copy.task_id)).toMatchObject({ due_date: '2026-12-24', assignees: [] })
})

test('a refused task refuses all, and the fault names its row and field', async () => {
  const { ada, logo, copy, field_id, get } = await worldWithField()
  const before = await get(logo.task_id)
  const refusal = await faultOf(
    ada['tasks.update_each']({
      changes: [
        { task_id: logo.task_id, title: 'Something else' },
        { task_id: copy.task_id, custom_fields: [{ field_id, value: 'Elsewhere' }] },
      ],
    }),
  )
  expect(refusal).toMatchObject({ details: { field: 'changes.1.value' } })
  expect((await get(logo.task_id)).title).toBe(before.title)
})

test('a task that is listed twice is refused', async () => {
  const { ada, logo } = await worldWithField()
  const change = { task_id: logo.task_id, priority: 2 }
  expect(await faultOf(ada['tasks.update_each']({ changes: [change, change] }))).toMatchObject({
    code: 'invalid',
  })
})
