import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { startCpuTimer } from '../../../support/time.ts'
import { type World, world } from '../../../support/world.ts'

/** Creates tasks about water, one about fire, and one about water on a board by invitation. */
async function createRelatedTasks({ ada, board, team_id }: World) {
  const { project_id } = board
  const task = async (title: string, description: string) =>
    (await ada['tasks.create']({ project_id, title, description: `<p>${description}</p>` })).task_id
  const leak = await task('Leak in the boiler room', 'Water drips from the copper pipe.')
  const pump = await task('Order a pump', 'The old pump for water leaks at the copper joint.')
  const paint = await task('Paint the ceiling', 'A stain where water dripped from a pipe.')
  const fire = await task('Fire drill', 'Everybody meets at the gate.')
  await ada['comments.add']({ task_id: leak, text: '<p>The pipe of copper drips again.</p>' })
  await ada['comments.add']({ task_id: pump, text: '<p>Water, pump, copper, pipe: all old.</p>' })
  const secret = await ada['projects.create']({
    ...{ team_id, title: 'Vault', access: 'invited', sections: [{ title: 'Now' }] },
  })
  const hidden = await ada['tasks.create']({
    ...{ project_id: secret.project_id, title: 'Copper pipe leaks water, secretly' },
  })
  return { leak, pump, paint, fire, hidden: hidden.task_id }
}

test('related tasks are similar and visible to the caller, each once, without the task itself', async () => {
  const w = await world()
  const { leak, pump, paint, fire, hidden } = await createRelatedTasks(w)
  const found = await w.cleo['search.related']({ task_id: leak })
  const ids = found.map(({ task_id }) => task_id)
  expect(ids.slice(0, 2).sort()).toEqual([pump, paint].sort())
  expect(ids).toHaveLength(new Set(ids).size)
  for (const other of [leak, fire, hidden]) expect(ids).not.toContain(other)
  expect(found.find(({ task_id }) => task_id === paint)).toMatchObject({
    ...{ ticket_number: 'HP-7', title: 'Paint the ceiling', kind: 'description', done: false },
    ...{ passage: 'A stain where water dripped from a pipe.', url: 'http://localhost/t/HP-7' },
  })
  const related = await w.ada['search.related']({ task_id: leak })
  expect(related.map(({ task_id }) => task_id)).toContain(hidden)
})

test('same_board restricts the tasks related to a task to its board', async () => {
  const w = await world()
  const { leak, hidden } = await createRelatedTasks(w)
  const found = async (input: { same_board?: boolean }) =>
    (await w.ada['search.related']({ task_id: leak, ...input })).map(({ task_id }) => task_id)
  expect(await found({})).toContain(hidden)
  const onBoard = await found({ same_board: true })
  expect(onBoard).not.toContain(hidden)
  expect(onBoard.length).toBeGreaterThan(0)
})

test('a text finds related tasks, and one of almost a megabyte does so with little work', async () => {
  const w = await world()
  const { leak, pump, paint } = await createRelatedTasks(w)
  const text = 'There is a smell of wet copper, and the water pipe of the pump makes a noise. '
  const first = async (text: string) =>
    (await w.cleo['search.related']({ text, limit: 3 })).map(({ task_id }) => task_id).sort()
  expect(await first(text)).toEqual([leak, pump, paint].sort())
  const elapsedCpu = startCpuTimer()
  expect(await first(text.repeat(12_000))).toEqual([leak, pump, paint].sort())
  expect(elapsedCpu()).toBeLessThan(1000)
})

test('a task is addressed by number, by key or in the path, over GET and POST', async () => {
  const w = await world()
  const { leak } = await createRelatedTasks(w)
  const ask = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await w.http(w.cleo, method, path, body)
    const found = answer.data as { ticket_number: string }[]
    return { status, keys: found.map(({ ticket_number }) => ticket_number) }
  }
  const first = await ask('GET', `/api/v1/search/related?task_id=${leak}`)
  expect(first).toEqual({ status: 200, keys: expect.arrayContaining(['HP-6', 'HP-7']) })
  expect(await ask('GET', '/api/v1/tasks/HP-5/related')).toEqual(first)
  expect(await ask('POST', '/api/v1/search/related', { ticket_number: 'HP-5' })).toEqual(first)
  const one = await ask('GET', '/api/v1/tasks/HP-5/related?limit=1')
  expect(one.keys).toEqual(first.keys.slice(0, 1))
})

test('a request without a task or text, with both, or with a hidden task is refused by field', async () => {
  const w = await world()
  const ask = async (input: object) =>
    (await faultOf(w.cleo['search.related'](input as never))).details
  expect(await ask({})).toMatchObject({ field: 'text', code: 'required' })
  expect(await ask({ text: ' ' })).toMatchObject({ field: 'text', code: 'required' })
  expect(await ask({ text: 'pipe', task_id: 1 })).toMatchObject({ field: 'text', code: 'conflict' })
  expect(await ask({ text: 'x'.repeat(1_048_577) })).toMatchObject({ code: 'too_long' })
  const { hidden } = await createRelatedTasks(w)
  expect(await ask({ task_id: hidden })).toMatchObject({ field: 'task_id', code: 'not_found' })
})

test('a text with a board finds related tasks on that board only', async () => {
  const w = await world()
  const { leak, pump } = await createRelatedTasks(w)
  const { project_id } = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Cellar', sections: [{ title: 'Now' }] },
  })
  const cellar = await w.ada['tasks.create']({ project_id, title: 'The copper pipe drips water' })
  const ask = (overrides: object) =>
    w.http(w.cleo, 'POST', '/api/v1/search/related', { text: 'copper pipe water', ...overrides })
  const related = await ask({})
  const ids = (body: { data: { task_id: number }[] }) => body.data.map(({ task_id }) => task_id)
  expect(ids(related.body)).toEqual(expect.arrayContaining([leak, pump, cellar.task_id]))
  const onBoard = await ask({ project_id })
  expect({ status: onBoard.status, ids: ids(onBoard.body) }).toEqual({
    status: 200,
    ids: [cellar.task_id],
  })
  expect((await ask({ project_id: 999_999 })).status).toBe(404)
})
