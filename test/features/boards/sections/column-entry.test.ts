import { expect, test } from 'bun:test'
import { waitForFollowers } from '../../../support/followers.ts'
import { type World, world } from '../../../support/world.ts'

/** Returns a board of Cleo's whose column "Review" assigns entering tasks to Ada. */
async function createBoard() {
  const w = await world({ hasBoard: false })
  const { project_id, sections } = await w.cleo['projects.create']({
    ...{ title: 'Website', team_id: w.team_id },
    sections: ['Inbox', 'Doing', 'Review', 'Done'].map((title) => ({ title })),
  })
  const [inbox, doing, review, done] = sections.map(({ section_id }) => section_id)
  const auto_assign = w.ada.caller.actor_id
  await w.cleo['sections.update']({ project_id, section_id: review!, auto_assign })
  const add = (title: string, section_id: number, fields: object = {}) =>
    w.cleo['tasks.create']({ project_id, title, section_id, ...fields })
  const columns = { inbox: inbox!, doing: doing!, review: review!, done: done! }
  return { ...w, project_id, ...columns, add }
}

const assigneeNames = async (w: World, task_id: number) => {
  const task = (await w.cleo['tasks.get']({ task_id })) as { assignees: { name: string }[] }
  return task.assignees.map(({ name }) => name)
}

/** Returns all effects of moving a task, without what identifies the task. */
async function effectsOf(w: World, task_id: number, since: number) {
  const task = await w.cleo['tasks.get']({ task_id })
  const { section, done, assignees, completed_at } = task as Record<string, unknown>
  const logged = (await w.changes(since)).filter((one) => one.task_id === task_id)
  await waitForFollowers(w)
  const { items } = await w.ada['inbox.list']({})
  return {
    task: { section, done, completed_at, assignees },
    events: logged.map(({ type, data: { ticket_number, title, ...data } }) => ({ type, data })),
    inbox: items.filter(({ task }) => task!.task_id === task_id).map(({ kind }) => kind),
  }
}

for (const to of ['review', 'done'] as const)
  test(`deleting a column has the same effects on a task as placing it in ${to}`, async () => {
    const w = await createBoard()
    const recurrence = 'Daily' as const
    const fields = { due_date: '2026-11-20', recurrence, assignee_ids: [w.ben.caller.actor_id] }
    const [placed, swept] = [await w.add('A', w.doing, fields), await w.add('B', w.doing, fields)]
    const seq = (await w.changes()).at(-1)!.seq
    await w.cleo['tasks.place']({ task_id: placed.task_id, section_id: w[to] })
    await w.cleo['sections.delete']({
      ...{ project_id: w.project_id, section_id: w.doing, move_tasks_to_section_id: w[to] },
    })
    const [one, other] = [
      await effectsOf(w, placed.task_id, seq),
      await effectsOf(w, swept.task_id, seq),
    ]
    const withoutRelations = (effects: typeof one) =>
      effects.events.filter(({ type }) => type !== 'relation.created')
    expect(withoutRelations(other)).toEqual(withoutRelations(one))
    expect([other.task, other.inbox]).toEqual([one.task, one.inbox])
    const expected = to === 'review' ? ['Ada', 'Ben'] : ['Ben']
    expect((await assigneeNames(w, swept.task_id)).sort()).toEqual(expected)
    expect(other.inbox.filter((kind) => kind === 'assigned')).toHaveLength(to === 'review' ? 1 : 0)
  })

test('the activity of a task still names a deleted column', async () => {
  const w = await createBoard()
  const { task_id } = await w.add('A', w.inbox)
  await w.cleo['tasks.update']({ task_id, section_id: w.doing })
  const remove = (section_id: number, move_tasks_to_section_id: number) =>
    w.cleo['sections.delete']({ project_id: w.project_id, section_id, move_tasks_to_section_id })
  await remove(w.doing, w.review)
  await remove(w.inbox, w.review)
  const { items } = await w.cleo['comments.list']({ task_id, include_activity: true })
  const summaries = items.map(({ summary }) => summary)
  expect(summaries).toContain('created this task in Inbox')
  expect(summaries).toContain('moved this task from Inbox to Doing')
  expect(summaries).toContain('moved this task from Doing to Review')
})

test('auto_assign applies to restored, bulk-updated and moved tasks and to occurrences', async () => {
  const w = await createBoard()
  const ids = []
  for (const title of ['A', 'B']) ids.push((await w.add(title, w.inbox)).task_id)
  await w.cleo['tasks.update_many']({ task_ids: ids, section_id: w.review })
  for (const id of ids) expect(await assigneeNames(w, id)).toEqual(['Ada'])
  const [first] = ids as [number]
  const ada = w.ada.caller.actor_id
  await w.cleo['tasks.assign']({ task_id: first, user_id: ada, intent: 'unassign' })
  await w.cleo['tasks.update']({ task_id: first, status: 'Archive' })
  expect(await assigneeNames(w, first)).toEqual([])
  await w.cleo['tasks.update']({ task_id: first, status: 'Normal' })
  expect(await assigneeNames(w, first)).toEqual(['Ada'])

  const otherBoard = await w.cleo['projects.create']({
    ...{ title: 'Other', team_id: w.team_id, sections: [{ title: 'Inbox' }] },
  })
  const { task_id } = await w.cleo['tasks.create']({
    project_id: otherBoard.project_id,
    title: 'C',
  })
  const target = { target_project_id: w.project_id, target_section_id: w.review }
  await w.cleo['tasks.move']({ task_id, ...target })
  expect(await assigneeNames(w, task_id)).toEqual(['Ada'])

  const { project_id, inbox } = w
  await w.cleo['sections.update']({ project_id, section_id: inbox, auto_assign: ada })
  const repeating = await w.add('Water', w.doing, {
    due_date: '2026-11-20',
    recurrence: 'Daily',
  })
  const receipt = await w.cleo['tasks.update']({ task_id: repeating.task_id, section_id: w.done })
  expect(await assigneeNames(w, receipt.next_occurrence!.task_id)).toEqual(['Ada'])
})

test('deleting a column moves many tasks in several transactions and keeps their order', async () => {
  const w = await createBoard()
  const total = 450
  for (let at = 0; at < total; at++) await w.add(`T${at}`, w.doing)
  let commits = 0
  const before = (await w.changes()).at(-1)!.seq
  const unsubscribe = w.store.onCommit(() => void commits++)
  const receipt = await w.cleo['sections.delete']({
    ...{ project_id: w.project_id, section_id: w.doing, move_tasks_to_section_id: w.inbox },
  })
  unsubscribe()
  expect(receipt).toMatchObject({ moved_tasks: total, deleted: true })
  expect(commits).toBeGreaterThanOrEqual(3)
  expect((await w.changes(before)).at(-1)).toMatchObject({
    ...{ type: 'section.deleted', data: { moved_tasks: total } },
  })
  const board = await w.cleo['projects.board']({ project_id: w.project_id })
  const titles = board.cards.map(({ title }) => title)
  expect(titles).toEqual(Array.from({ length: total }, (_, at) => `T${at}`))
})

test('a refused deletion of a column with many tasks moves none of them', async () => {
  const w = await createBoard()
  for (let at = 0; at < 201; at++) await w.add(`T${at}`, w.doing)
  const { project_id, doing } = w
  const seq = (await w.changes()).at(-1)!.seq
  for (const to of [undefined, doing, 999_999])
    await expect(
      w.cleo['sections.delete']({
        ...{ project_id, section_id: doing },
        ...(to !== undefined && { move_tasks_to_section_id: to }),
      }),
    ).rejects.toMatchObject({ details: { field: 'move_tasks_to_section_id' } })
  expect(await w.changeTypes(seq)).toEqual([])
})
