import { expect, test } from 'bun:test'
import { taskLabels } from '../../../../src/features/boards/labels/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

test('update_many changes several tasks alike and returns receipts in the order of the input', async () => {
  const { cleo, sections, changeTypes } = await world()
  const receipts = await cleo['tasks.update_many']({
    ticket_numbers: ['HP-3', 'HP-1', 'hp-2'],
    ...{ section_id: sections.Review, priority: 'Low', due_date: '2026-12-01' },
  })
  expect(receipts.map(({ ticket_number, section }) => [ticket_number, section])).toEqual([
    ['HP-3', 'Review'],
    ['HP-1', 'Review'],
    ['HP-2', 'Review'],
  ])
  const { items } = await cleo['tasks.list']({ section_id: sections.Review })
  expect(items.map((one) => [one.priority, one.due_date])).toEqual(Array(3).fill([4, '2026-12-01']))
  expect(await changeTypes()).toEqual(Array(3).fill('task.updated'))
})

test('update_many adds and removes labels and keeps the others, or replaces them all', async () => {
  const { cleo, tasks } = await world()
  const ids = [tasks.logo, tasks.copy, tasks.link].map(({ task_id }) => task_id)
  const labels = async () => {
    const records = await cleo['tasks.get']({ task_id: ids })
    return [records].flat().map((one) => one.labels.map(({ name }) => name))
  }
  expect(await labels()).toEqual([['ui'], [], ['bug']])
  const added = await cleo['tasks.update_many']({ task_ids: ids, add_labels: ['bug'] })
  expect(added.map(({ changed }) => changed)).toEqual([['labels'], ['labels'], []])
  expect(await labels()).toEqual([['bug', 'ui'], ['bug'], ['bug']])
  await cleo['tasks.update_many']({ task_ids: ids, add_labels: ['ui'], remove_labels: ['BUG'] })
  expect(await labels()).toEqual([['ui'], ['ui'], ['ui']])
  await cleo['tasks.update_many']({ task_ids: ids, labels: [] })
  expect(await labels()).toEqual([[], [], []])
})

test('update_many changes all tasks or none, and a refusal names the task', async () => {
  const { cleo, team_id, board, sections, tasks, changeTypes } = await world()
  const otherBoard = await cleo['projects.create']({
    ...{ team_id, title: 'There', sections: [{ title: 'Now' }] },
  })
  const otherTask = await cleo['tasks.create']({ project_id: otherBoard.project_id, title: 'Far' })
  const before = (await changeTypes()).length
  const fault = await faultOf(
    cleo['tasks.update_many']({
      ...{ task_ids: [tasks.logo.task_id, otherTask.task_id], section_id: sections.Done },
    }),
  )
  expect(fault.message).toStartWith(`${otherTask.ticket_number}: `)
  expect(fault.details).toMatchObject({ field: 'section_id', task_id: otherTask.task_id })
  expect(await cleo['tasks.get'](tasks.logo)).toMatchObject({ section: 'Doing' })
  expect((await changeTypes()).length).toBe(before)
  const labelFault = await faultOf(
    cleo['tasks.update_many']({
      ...{ task_ids: [tasks.logo.task_id, otherTask.task_id], add_labels: ['bug'] },
    }),
  )
  expect(labelFault.details).toMatchObject({
    ...{ field: 'add_labels', code: 'not_found', ticket_number: otherTask.ticket_number },
  })
  const result = await cleo['tasks.update_many']({
    ...{ task_ids: [tasks.logo.task_id, otherTask.task_id], project_id: otherBoard.project_id },
  })
  expect(result.map(({ project_id, changed }) => [project_id, changed!.length > 0])).toEqual([
    [otherBoard.project_id, true],
    [otherBoard.project_id, false],
  ])
  expect(board.project_id).not.toBe(otherBoard.project_id)
})

test('a parent and its subtask move together, in either order', async () => {
  const { cleo, team_id, board, tasks } = await world()
  const child = await cleo['tasks.create']({
    ...{ project_id: board.project_id, title: 'Part', parent_task_id: tasks.logo.task_id },
  })
  const { project_id } = await cleo['projects.create']({
    ...{ team_id, title: 'There', sections: [{ title: 'Now' }] },
  })
  const task_ids = [child.task_id, tasks.logo.task_id]
  const move = async (targetId: number, ids: number[]) =>
    (await cleo['tasks.update_many']({ task_ids: ids, project_id: targetId })).map(
      (one) => one.task_id,
    )
  for (const [targetId, ids] of [
    [project_id, task_ids],
    [board.project_id, task_ids.toReversed()],
  ] as const) {
    expect(await move(targetId, [...ids])).toEqual([...ids])
    expect(await cleo['tasks.get']({ task_id: child.task_id })).toMatchObject({
      ...{ project_id: targetId, parent_task_id: tasks.logo.task_id },
    })
  }
})

test('concurrent update_many calls for the same tasks all succeed, in any order', async () => {
  const { cleo, tasks } = await world()
  const ids = Object.values(tasks).map(({ task_id }) => task_id)
  const orders = Array.from({ length: 8 }, (_, i) => (i % 2 ? ids : ids.toReversed()))
  const outcomes = await Promise.allSettled(
    orders.map((task_ids, i) =>
      cleo['tasks.update_many'](
        i % 3 ? { task_ids, priority: i % 5 } : { task_ids, add_labels: ['bug'] },
      ),
    ),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(Array(8).fill('fulfilled'))
  const { items } = await cleo['tasks.list']({ labels: 'bug' })
  expect(items).toHaveLength(4)
})

test('invalid input of update_many over REST is refused with its field and code', async () => {
  const { cleo, gus, http, tasks } = await world()
  const { task_id } = tasks.logo
  const patch = (body: object, actor = cleo) => http(actor, 'PATCH', '/api/v1/tasks', body)
  for (const [body, field, code, status = 400] of [
    [{ priority: 1 }, 'task_ids', 'required'],
    [{ task_ids: [task_id], ticket_numbers: ['HP-1'] }, 'task_ids', 'conflict'],
    [{ task_ids: [] }, 'task_ids', 'required'],
    [{ task_ids: Array.from({ length: 201 }, (_, i) => i + 1) }, 'task_ids', 'too_long'],
    [{ ticket_numbers: ['HP-2', 'HP-1', 'HP-2'] }, 'ticket_numbers.2', 'conflict'],
    [{ ticket_numbers: ['HP-1', 'HP-77'] }, 'ticket_numbers.1', 'not_found', 404],
    [{ task_ids: [task_id], priority: 9 }, 'priority', 'out_of_range'],
    [{ task_ids: [task_id], title: 'Same' }, 'title', 'unknown_field'],
    [{ task_ids: [task_id], add_labels: ['x'], labels: [] }, 'add_labels', 'conflict'],
    [{ task_ids: [task_id], remove_labels: ['bug'], project_id: 1 }, 'remove_labels', 'conflict'],
  ] as const) {
    const response = await patch(body)
    const { details } = response.body
    expect([field, response.status, details.field, details.code]).toEqual([
      ...[field, status, field, code],
    ])
  }
  expect((await patch({ task_ids: [task_id], priority: 1 }, gus)).status).toBe(404)
  const response = await patch({ task_ids: [task_id], priority: 1 })
  expect([response.status, response.body.data[0].changed]).toEqual([200, ['priority']])
})

test('with atomic false, update_many changes the tasks it may and says why it refused the others', async () => {
  const { bot, cleo, tasks, changeTypes } = await world()
  await bot['leases.claim']({ task_id: tasks.copy.task_id })
  const before = (await changeTypes()).length
  const results = await bot['tasks.update_many']({
    ticket_numbers: ['HP-1', 'HP-2', 'HP-99'],
    ...{ priority: 'Low', add_labels: ['bug'], atomic: false },
  })
  expect(results).toMatchObject([
    { ticket_number: 'HP-1', refused: { error: 'AgentMutationLeaseMissingError' } },
    { ticket_number: 'HP-2', changed: expect.arrayContaining(['priority', 'labels']) },
    { ticket_number: 'HP-99', refused: { details: { code: 'not_found' } } },
  ])
  const records = [await cleo['tasks.get']({ ticket_number: ['HP-1', 'HP-2'] })].flat()
  expect(records.map(({ priority_name }) => priority_name)).toEqual(['High', 'Low'])
  expect((await changeTypes()).slice(before)).toEqual(['task.updated'])
})

test('with atomic false, a task that fails in the middle leaves nothing of itself', async () => {
  const { cleo, board, labels, changeTypes, store } = await world()
  const { project_id } = board
  const draft = { project_id, atomic: false }
  const created = await cleo['tasks.create_many']({
    ...draft,
    tasks: [
      { title: 'Sand', labels: [labels.bug] },
      { title: 'Prime', assignees: ['Cleo', 'Nobody'] },
      { title: 'Paint', parent: 1 },
      { title: 'Dry', parent: 0 },
    ],
  })
  expect(created).toMatchObject([
    { title: 'Sand', changed: expect.arrayContaining(['title', 'labels']) },
    { title: 'Prime', refused: { details: { field: 'tasks.1.assignees.1' } } },
    { title: 'Paint', refused: { error: 'Conflict', details: { field: 'tasks.2.parent' } } },
    { title: 'Dry' },
  ])
  expect(await changeTypes()).toEqual(['task.created', 'task.created'])
  const { items } = await cleo['tasks.list']({ project_id, sort: 'title' })
  expect(items.map(({ title }) => title)).not.toContain('Prime')
  // A part that fails after it has written is undone, and the transaction goes on.
  const [first] = created
  await store.write(async (tx) => {
    const part = store.inSavepoint(tx, async () => {
      await tx.delete(taskLabels)
      throw new Error('no')
    })
    await expect(part).rejects.toThrow('no')
  })
  const { task_id } = first!
  const [sand] = [await cleo['tasks.get']({ task_id: task_id! })].flat()
  expect(sand!.labels.map(({ name }) => name)).toEqual(['bug'])
})
