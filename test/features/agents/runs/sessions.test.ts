import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { type World, world } from '../../../support/world.ts'

const startRun = (w: World, task: { task_id: number }) =>
  w.bot['runs.create']({ task_id: task.task_id })

/** Three runs, a second apart, oldest first. */
async function startThreeRuns(w: World): Promise<number[]> {
  const ids: number[] = []
  for (const task of [w.tasks.logo, w.tasks.copy, w.tasks.link]) {
    ids.push((await startRun(w, task)).run_id)
    w.clock.advance(1000)
  }
  return ids
}

const listPage = (w: World, overrides: object = {}) =>
  w.ada['sessions.list']({
    ...{ project_id: w.board.project_id, prefer: 'paged=true' as const, ...overrides },
  })

const since = (w: World, history_key: string) => listPage(w, { history_key })

const ids = ({ items }: { items: { run_id: number }[] }) => items.map(({ run_id }) => run_id)

test('the sessions of a board are its runs, newest first, with parent tasks and subtasks', async () => {
  const w = await world()
  const { project_id } = w.board
  const [above, below] = [w.tasks.logo.task_id, w.tasks.link.task_id]
  await w.ada['tasks.update']({ task_id: w.tasks.copy.task_id, parent_task_id: above })
  await w.ada['tasks.update']({ task_id: below, parent_task_id: w.tasks.copy.task_id })
  const [first, second, third] = await startThreeRuns(w)
  const { items, page } = await w.ada['sessions.list']({ project_id })
  expect(items.map(({ run_id }) => run_id)).toEqual([third!, second!, first!])
  expect(page).toEqual({ total: 3, limit: 20, offset: 0, next_cursor: null, has_more: false })
  const numbers = (tasks: { ticket_number: string }[]) => tasks.map((one) => one.ticket_number)
  const families = items.map(({ task, parent_tasks, subtasks }) => [
    ...[task.ticket_number, numbers(parent_tasks), numbers(subtasks)],
  ])
  expect(families).toEqual([
    ['HP-3', ['HP-2', 'HP-1'], []],
    ['HP-2', ['HP-1'], ['HP-3']],
    ['HP-1', [], ['HP-2']],
  ])
  expect(await w.cleo['runs.get']({ run_id: second! })).toEqual(items[1]!)
})

test('sessions are paged, sorted and filtered like lists, and not found by another team', async () => {
  const w = await world()
  const { project_id } = w.board
  const [first, second, third] = await startThreeRuns(w)
  await w.bot['runs.update']({ run_id: first!, state: 'done' })
  const page = await w.ada['sessions.list']({ project_id, limit: 2 })
  expect([ids(page), page.page.has_more]).toEqual([[third!, second!], true])
  const cursor = page.page.next_cursor!
  expect(ids(await w.ada['sessions.list']({ project_id, cursor }))).toEqual([first!])
  expect(ids(await w.ada['sessions.list']({ project_id, state: 'done' }))).toEqual([first!])
  expect(ids(await w.ada['sessions.list']({ project_id, sort_by: 'updatedAt' }))[0]).toBe(first!)
  expect(ids(await w.ada['sessions.list']({ project_id, query: 'copy' }))).toEqual([second!])
  const agent_id = w.bot.caller.agent_id!
  expect(ids(await w.ada['sessions.list']({ project_id, agent_id }))).toHaveLength(3)
  expect(ids(await w.bot['sessions.list']({ project_id, agent_id: 'self' }))).toHaveLength(3)
  expect(ids(await w.ada['sessions.list']({ project_id, agent_id: 'nobody' }))).toEqual([])
  expect(await faultOf(w.otto['sessions.list']({ project_id }))).toMatchObject({
    code: 'not_found',
  })
})

test('a history_key returns each run changed since then once, in its current state', async () => {
  const w = await world()
  const [first, second, third] = await startThreeRuns(w)
  const before = await listPage(w)
  expect([ids(before), before.page.removed]).toEqual([[third!, second!, first!], undefined])
  const unchanged = await since(w, before.page.history_key!)
  expect([unchanged.items, unchanged.page.removed]).toEqual([[], []])
  await w.bot['runs.update']({ run_id: second!, state: 'waiting' })
  await w.bot['runs.update']({ run_id: second!, state: 'done', summary: 'Written' })
  await w.bot['runs.append']({ run_id: first!, entries: [{ text: 'Drawing' }] })
  const changed = await since(w, before.page.history_key!)
  expect(changed.items).toMatchObject([
    { run_id: second!, state: 'done', summary: 'Written' },
    { run_id: first!, last_entry: 'Drawing' },
  ])
  expect((await since(w, changed.page.history_key!)).items).toEqual([])
  // The old key still returns everything that changed after it.
  expect(ids(await since(w, before.page.history_key!))).toEqual([second!, first!])
})

test('a run counts as changed if its task’s title, subtasks or column change, not its priority', async () => {
  const w = await world()
  const [first] = await startThreeRuns(w)
  const { task_id } = w.tasks.logo
  let key = (await listPage(w)).page.history_key!
  const idsAfter = async (change: Promise<unknown>) => {
    await change
    const { items, page } = await since(w, key)
    key = page.history_key!
    return items.map(({ run_id }) => run_id)
  }
  expect(await idsAfter(w.ada['tasks.update']({ task_id, title: 'Draw it' }))).toEqual([first!])
  const { project_id } = w.board
  const title = 'A detail'
  const child = w.ada['tasks.create']({ project_id, title, parent_task_id: task_id })
  expect(await idsAfter(child)).toEqual([first!])
  const section_id = w.sections.Doing
  const renamed = w.ada['sections.update']({ project_id, section_id, title: 'Making' })
  expect(await idsAfter(renamed)).toEqual([first!])
  expect(await idsAfter(w.ada['tasks.update']({ task_id, priority: 'Low' }))).toEqual([])
})

test('a history_key returns new runs and lists as removed those that left the page or board', async () => {
  const w = await world()
  const [first, second, third] = await startThreeRuns(w)
  const { page } = await listPage(w, { limit: 2 })
  const fourth = (await startRun(w, w.tasks.domain)).run_id
  const changed = await since(w, page.history_key!)
  expect([ids(changed), changed.page.removed]).toEqual([[fourth], [second!]])
  await w.ada['tasks.update']({ task_id: w.tasks.link.task_id, status: 'Deleted' })
  const afterDeletion = await since(w, changed.page.history_key!)
  expect([ids(afterDeletion), afterDeletion.page.removed]).toEqual([[second!], [third!]])
  // Each page has its own history_key.
  const all = await listPage(w, { limit: 2 })
  const next = await listPage(w, { limit: 2, cursor: all.page.next_cursor! })
  expect(ids(next)).toEqual([first!])
  await w.bot['runs.update']({ run_id: first!, state: 'done' })
  expect(ids(await since(w, next.page.history_key!))).toEqual([first!])
  expect(ids(await since(w, all.page.history_key!))).toEqual([])
})

test('a history_key is refused with another board or filters, or if it is forged', async () => {
  const w = await world()
  await startThreeRuns(w)
  const { page } = await listPage(w, { state: 'running', limit: 2 })
  const history_key = page.history_key!
  const other = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Garden', sections: [{ title: 'To do' }, { title: 'Done' }] },
  })
  const field = (call: Promise<unknown>) => faultOf(call).then(({ details }) => details)
  expect(
    await field(w.ada['sessions.list']({ project_id: other.project_id, history_key })),
  ).toMatchObject({ field: 'history_key', code: 'conflict' })
  expect(await field(listPage(w, { history_key, state: 'done' }))).toMatchObject({
    ...{ field: 'history_key', code: 'conflict' },
  })
  expect((await listPage(w, { history_key, state: 'running', limit: 2 })).items).toEqual([])
  const forged = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const { project_id } = w.board
  for (const bad of [
    ...['x', forged([project_id]), forged([project_id, { limit: 1000 }, []])],
    ...[forged([project_id, { query: '\0' }, []]), forged([project_id, {}, [['1', 'x']]])],
  ])
    expect(await field(listPage(w, { history_key: bad }))).toMatchObject({
      ...{ field: 'history_key', code: 'invalid_format' },
    })
})

test('transcripts for a history_key are in its order: the last 20 entries, 2,000 characters each', async () => {
  const w = await world()
  const [first, second] = await startThreeRuns(w)
  const entries = Array.from({ length: 25 }, (_, at) => ({ text: `Step ${at + 1}` }))
  await w.bot['runs.append']({ run_id: first!, entries })
  await w.bot['runs.append']({ run_id: second!, entries: [{ text: 'x'.repeat(3000) }] })
  const { page } = await listPage(w, { query: 'logo' })
  const both = await listPage(w, { limit: 3 })
  const { project_id } = w.board
  const read = async (history_key: string) =>
    (await w.cleo['sessions.transcripts']({ project_id, history_key })).transcripts
  const [session, ...rest] = await read(page.history_key!)
  expect(rest).toEqual([])
  expect([session!.run_id, session!.entry_count, session!.entries.length]).toEqual([first!, 25, 20])
  expect([session!.entries[0]!.text, session!.entries.at(-1)!.text]).toEqual(['Step 6', 'Step 25'])
  const all = await read(both.page.history_key!)
  expect(all.map(({ run_id }) => run_id)).toEqual(ids(both))
  expect(all[1]!.entries[0]!.text).toHaveLength(2000)
  expect(all[0]!.entries).toEqual([])
})

test('a history_key gives no transcripts of moved runs or of a board the caller cannot see', async () => {
  const w = await world()
  await startThreeRuns(w)
  const history_key = (await listPage(w)).page.history_key!
  const { project_id } = w.board
  for (const actor of [w.otto, w.gus])
    expect(await faultOf(actor['sessions.transcripts']({ project_id, history_key }))).toMatchObject(
      {
        code: 'not_found',
      },
    )
  // An older history_key does not show runs that have left the board.
  const garden = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Garden', sections: [{ title: 'To do' }, { title: 'Done' }] },
  })
  const { task_id } = w.tasks.logo
  await w.ada['tasks.move']({ task_id, target_project_id: garden.project_id })
  const read = () => w.ada['sessions.transcripts']({ project_id, history_key })
  expect((await read()).transcripts).toHaveLength(2)
  await waitForFollowers(w, 'runs')
  expect((await read()).transcripts).toHaveLength(2)
})

test('over REST prefer=paged=true gives a history_key, which sessions.transcripts requires', async () => {
  const w = await world()
  await startThreeRuns(w)
  const path = `/api/v1/projects/${w.board.project_id}/sessions`
  const first = await w.http(w.cleo, 'GET', `${path}?prefer=paged=true&limit=2`)
  expect([first.status, first.body.data.length]).toEqual([200, 2])
  const key = first.body.page.history_key
  const response = await w.http(w.cleo, 'GET', `${path}?prefer=paged=true&history_key=${key}`)
  expect([response.status, response.body.data]).toEqual([200, []])
  const read = await w.http(w.cleo, 'GET', `${path}.transcripts?history_key=${key}`)
  expect([read.status, read.body.data.transcripts.length]).toEqual([200, 2])
  const bare = await w.http(w.cleo, 'GET', `${path}.transcripts`)
  expect([bare.status, bare.body.details.field]).toEqual([400, 'history_key'])
  expect((await w.http(w.cleo, 'GET', `${path}?prefer=paged`)).status).toBe(400)
  expect((await w.http(w.cleo, 'GET', `${path}?limit=1`)).body.page.history_key).toBeUndefined()
})
