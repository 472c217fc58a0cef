import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

/** The world with a second board, "Workshop", with the columns Ideas, doing and Finished. */
async function twoBoards(access: 'team' | 'invited' = 'team') {
  const w = await world()
  const created = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Workshop', access },
    sections: [{ title: 'Ideas' }, { title: 'doing' }, { title: 'Finished' }],
    labels: [{ name: 'UI' }],
    tasks: [{ title: 'Sharpen', section_index: 1 }],
  })
  const [ideas, doing, finished] = created.sections.map(({ section_id }) => section_id) as number[]
  const seq = (await w.changes()).at(-1)!.seq
  return { ...w, target: created.project_id, targetBoard: { ideas, doing, finished }, seq }
}

test('a task moves to another board with its subtasks, and its old key still finds it', async () => {
  const { ada, board, tasks, target, targetBoard: otherBoard, changes, seq } = await twoBoards()
  const { project_id } = board
  const child = await ada['tasks.create']({
    ...{ project_id, title: 'Child', parent_task_id: tasks.logo.task_id, labels: ['bug', 'ui'] },
  })
  const grandchild = await ada['tasks.create']({
    ...{ project_id, title: 'Grandchild', parent_task_id: child.task_id },
  })
  await ada['tasks.update']({ ...tasks.logo, parent_task_id: tasks.copy.task_id })
  const before = (await changes(seq)).length
  const receipt = await ada['tasks.move']({ ...tasks.logo, target_project_id: target })
  expect(receipt).toMatchObject({ ticket_number: 'WOR-2', project_id: target, section: 'doing' })
  expect(receipt.changed).toEqual([
    ...['project_id', 'ticket_number', 'section_id', 'parent_task_id', 'labels'],
  ])
  for (const ticket_number of ['HP-1', 'wor-2'])
    expect(await ada['tasks.get']({ ticket_number })).toMatchObject({
      ...{ task_id: tasks.logo.task_id, section_id: otherBoard.doing, parent_task_id: null },
      ...{ labels: [{ name: 'UI' }], assignees: [{ name: 'Cleo' }], subtask_count: 1 },
    })
  expect(await ada['tasks.get']({ unique_index: 1, project_id })).toMatchObject({
    ticket_number: 'WOR-2',
  })
  expect(await ada['tasks.get']({ task_id: child.task_id })).toMatchObject({
    ...{ ticket_number: 'WOR-3', project_id: target, parent_task_id: tasks.logo.task_id },
    ...{ section: 'Ideas', labels: [{ name: 'UI' }] },
  })
  expect(await ada['tasks.get']({ task_id: grandchild.task_id })).toMatchObject({
    ...{ ticket_number: 'WOR-4', parent_task_id: child.task_id },
  })
  const newChanges = (await changes(seq)).slice(before)
  expect(newChanges.map(({ type, project_id }) => [type, project_id])).toEqual([
    ...Array.from({ length: 3 }, () => [
      ['task.updated', target],
      ['task.left', project_id],
    ]).flat(),
  ])
  expect(newChanges[1]).toMatchObject({
    task_id: tasks.logo.task_id,
    data: { ticket_number: 'HP-1' },
  })
  // The change on the old board does not reveal where the task went.
  expect(Object.keys(newChanges[1]!.data)).toEqual(['ticket_number'])
  expect(newChanges[0]?.data).toMatchObject({
    before: { project_id: board.project_id, ticket_number: 'HP-1' },
    after: { project_id: target, ticket_number: 'WOR-2' },
  })
})

test('moving a task unassigns people who cannot see its new board', async () => {
  const { ada, cleo, tasks, target, changeTypes, seq } = await twoBoards('invited')
  await ada['tasks.update']({ ...tasks.logo, project_id: target })
  const { task_id } = tasks.logo
  expect(await ada['tasks.get']({ task_id })).toMatchObject({ assignees: [] })
  expect(await changeTypes(seq)).toEqual(['task.updated', 'task.left', 'task.unassigned'])
  expect((await faultOf(cleo['tasks.get']({ task_id }))).code).toBe('not_found')
  expect((await faultOf(cleo['tasks.get']({ ticket_number: 'HP-1' }))).code).toBe('not_found')
})

test('a completed task moves to the done column of the other board and stays completed', async () => {
  const { ada, tasks, target, targetBoard, clock } = await twoBoards()
  clock.advance(60_000)
  const receipt = await ada['tasks.move']({ ...tasks.domain, target_project_id: target })
  expect(receipt.section_id).toBe(targetBoard.finished!)
  expect(await ada['tasks.get']({ task_id: tasks.domain.task_id })).toMatchObject({
    ...{ done: true, completed_at: '2026-11-20T12:00:00.000Z' },
  })
})

test('a move to another board accepts a column of that board, not one of the old board', async () => {
  const { ada, tasks, sections, target, targetBoard } = await twoBoards()
  const { task_id } = tasks.copy
  const fault = await faultOf(
    ada['tasks.move']({
      ...{ task_id, target_project_id: target, target_section_id: sections.Next },
    }),
  )
  expect(fault).toMatchObject({ code: 'invalid', details: { field: 'target_section_id' } })
  const receipt = await ada['tasks.update']({
    ...{ task_id, project_id: target, section_id: targetBoard.finished },
  })
  expect(receipt).toMatchObject({ section: 'Finished', project_id: target })
})

test('a move within the board changes only the column and keeps the key', async () => {
  const { ada, board, tasks, sections, changeTypes } = await world()
  const targetBoard = { target_project_id: board.project_id }
  expect(await ada['tasks.move']({ ...tasks.copy, ...targetBoard })).toMatchObject({ changed: [] })
  expect(await changeTypes()).toEqual([])
  const receipt = await ada['tasks.move']({
    ...tasks.copy,
    ...targetBoard,
    target_section_id: sections.Review,
  })
  expect(receipt).toMatchObject({ ticket_number: 'HP-2', changed: ['section_id'] })
})

test('a move to another team, or to a board the caller cannot see, is refused', async () => {
  const { authenticateAs, ada, otto, otherTeamId, tasks, store, clock, changeTypes } = await world()
  const { joinTeam } = await import('../../../../src/features/identity/teams/model/index.ts')
  const { project_id } = await otto['projects.create']({
    ...{ team_id: otherTeamId, title: 'Theirs', sections: [{ title: 'Now' }] },
  })
  const seq = (await changeTypes()).length
  const move = ada['tasks.move']({ ...tasks.logo, target_project_id: project_id })
  expect(await faultOf(move)).toMatchObject({
    ...{ code: 'invalid', details: { field: 'target_project_id', code: 'not_found' } },
  })
  await store.write((tx) => joinTeam(tx, otherTeamId, ada.caller.actor_id, 'owner', clock.now))
  const both = await authenticateAs(ada.caller.actor_id)
  const fault = await faultOf(both['tasks.move']({ ...tasks.logo, target_project_id: project_id }))
  expect(fault).toMatchObject({ code: 'invalid', details: { code: 'conflict' } })
  expect((await changeTypes()).slice(seq)).toEqual([])
})
