import { expect, test } from 'bun:test'
import { findLabels } from '../../../../src/features/boards/labels/model/index.ts'
import { projects } from '../../../../src/features/boards/projects/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

/** A world with one board, created by the member Cleo. */
async function createLabelBoard(labels: { name: string; color?: string }[] = []) {
  const w = await world({ hasBoard: false })
  const project = await w.cleo['projects.create']({
    ...{ title: 'Website', team_id: w.team_id, sections: [{ title: 'Now' }], labels },
  })
  const seq = (await w.changes()).at(-1)!.seq
  return { ...w, project_id: project.project_id, labels: project.labels, seq }
}

test('a label is created with the given colour, or one derived from its name', async () => {
  const { cleo, project_id, seq, changes } = await createLabelBoard()
  const red = await cleo['labels.create']({ project_id, name: ' Bug ', color: '#FF0000' })
  expect(red).toEqual({ label_id: red.label_id, project_id, name: 'Bug', color: '#ff0000' })
  const other = await cleo['labels.create']({ project_id, name: 'ui' })
  expect(other.color).toMatch(/^#[0-9a-f]{6}$/)
  const labelChanges = await changes(seq)
  expect(labelChanges.map(({ type }) => type)).toEqual(['label.created', 'label.created'])
  expect(labelChanges[0]!.data).toEqual({ label_id: red.label_id, name: 'Bug', color: '#ff0000' })
})

test('labels with the same name get the same default colour on every board', async () => {
  const [one, two] = [
    await createLabelBoard([{ name: 'Backend' }]),
    await createLabelBoard([{ name: 'backend' }]),
  ]
  const colorOf = async ({ cleo, project_id }: typeof one) =>
    (await cleo['labels.list']({ project_id })).items[0]!.color
  expect(await colorOf(one)).toBe(await colorOf(two))
})

test('labels are listed by name, searched and paged', async () => {
  const { cleo, project_id } = await createLabelBoard(
    ['ui', 'api', 'docs'].map((name) => ({ name })),
  )
  const listNames = async (overrides: object) =>
    (await cleo['labels.list']({ project_id, ...overrides })).items.map(({ name }) => name)
  expect(await listNames({})).toEqual(['api', 'docs', 'ui'])
  expect(await listNames({ query: 'I' })).toEqual(['api', 'ui'])
  expect(await listNames({ limit: 1, offset: 1 })).toEqual(['docs'])
  expect(await listNames({ sort: 'title:desc' })).toEqual(['ui', 'docs', 'api'])
})

test('a duplicate label name is refused with 409 and the id of the existing label', async () => {
  const { cleo, project_id, labels, http } = await createLabelBoard([{ name: 'Übung “1”' }])
  for (const name of ['übung “1”', ' ÜBUNG  “1”']) {
    const { status, body } = await http(cleo, 'POST', `/api/v1/projects/${project_id}/labels`, {
      name,
    })
    expect(status).toBe(409)
    expect(body.details).toMatchObject({ field: 'name', label_id: labels[0]!.label_id })
  }
})

test('concurrent requests for one label name create one label', async () => {
  const { ada, cleo, project_id } = await createLabelBoard()
  const results = await Promise.allSettled(
    [ada, cleo, ada].map((actor) => actor['labels.create']({ project_id, name: 'bug' })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await cleo['labels.list']({ project_id })).page.total).toBe(1)
})

test('invalid input for a label is refused with its field', async () => {
  const { cleo, project_id, http } = await createLabelBoard()
  for (const [body, field, code] of [
    [{}, 'name', 'required'],
    [{ name: '' }, 'name', 'required'],
    [{ name: ' \n ' }, 'name', 'required'],
    [{ name: 'x'.repeat(101) }, 'name', 'too_long'],
    [{ name: 'a\0b' }, 'name', 'invalid_format'],
    [{ name: 7 }, 'name', 'invalid_type'],
    [{ name: 'x', color: 'red' }, 'color', 'invalid_format'],
    [{ name: 'x', colour: '#ffffff' }, 'colour', 'unknown_field'],
  ] as const) {
    const response = await http(cleo, 'POST', `/api/v1/projects/${project_id}/labels`, body)
    expect([response.status, response.body.details.field, response.body.details.code]).toEqual([
      ...[400, field, code],
    ])
  }
})

test('label names in any script or with special characters are stored unchanged', async () => {
  const names = ['日本語', '🐞', 'a"b\'c;--', '<script>', '100% _x_', 'ق', 'é']
  const { cleo, project_id } = await createLabelBoard(names.map((name) => ({ name })))
  const { items } = await cleo['labels.list']({ project_id })
  expect(new Set(items.map(({ name }) => name))).toEqual(new Set(names))
})

test('labels are found by id, numeric text or name, each once, and an unknown one is refused', async () => {
  const { store, labels } = await createLabelBoard([{ name: 'Bug' }, { name: 'ui' }])
  const [bug, ui] = labels.map(({ label_id }) => label_id)
  const find = (refs: (number | string)[]) =>
    store.read(async (tx) => {
      const [board] = await tx.select().from(projects)
      return (await findLabels({ tx }, board!, refs)).map(({ label_id }) => label_id)
    })
  expect(await find([])).toEqual([])
  expect(await find(['UI', ' bug', bug!, String(ui)])).toEqual([ui!, bug!])
  await expect(find(['nope'])).rejects.toMatchObject({
    ...{ code: 'invalid', details: { field: 'labels', code: 'not_found', value: 'nope' } },
    hint: expect.stringContaining('Bug, ui'),
  })
  await expect(find([999])).rejects.toMatchObject({ details: { value: 999 } })
})

test('renaming and recolouring a label updates its tasks, and a taken name is refused', async () => {
  const { cleo, project_id, labels, changes, seq } = await createLabelBoard([
    { name: 'Bug' },
    { name: 'ui' },
  ])
  const label_id = labels[0]!.label_id
  await cleo['tasks.create']({ project_id, title: 'One', labels: ['bug'] })
  const updateLabel = (overrides: object) =>
    cleo['labels.update']({ project_id, label_id, ...overrides })
  const readLabels = async () => (await cleo['tasks.list']({ project_id })).items[0]!.labels
  await readLabels()
  const changed = await updateLabel({ name: ' Defect ', color: '#AABBCC' })
  const expected = { label_id, name: 'Defect', color: '#aabbcc' }
  expect(changed).toEqual({ ...expected, project_id, changed: ['name', 'color'] })
  expect(await readLabels()).toEqual([expected])
  expect((await updateLabel({ name: 'Defect' })).changed).toEqual([])
  expect((await updateLabel({ name: 'DEFECT' })).changed).toEqual(['name'])
  const labelChanges = (await changes(seq)).filter(({ type }) => type === 'label.updated')
  expect(labelChanges.map(({ data }) => [data.name, data.changed])).toEqual([
    ['Defect', ['name', 'color']],
    ['DEFECT', ['name']],
  ])
  const fault = await faultOf(updateLabel({ name: 'UI' }))
  expect(fault).toMatchObject({ code: 'conflict', details: { field: 'name' } })
})

test('deleting a label removes it from all its tasks, including archived ones', async () => {
  const { cleo, project_id, labels, changes, seq } = await createLabelBoard([
    { name: 'Bug' },
    { name: 'ui' },
  ])
  const label_id = labels[0]!.label_id
  const createTask = (title: string, names: string[]) =>
    cleo['tasks.create']({ project_id, title, labels: names })
  await createTask('One', ['bug', 'ui'])
  const { task_id } = await createTask('Two', ['bug'])
  await createTask('Three', ['ui'])
  await cleo['tasks.update']({ task_id, status: 'Archive' })
  const readLabelNames = async () =>
    (await cleo['tasks.list']({ project_id, sort: 'createdAt:asc' })).items.map((item) =>
      item.labels.map(({ name }) => name),
    )
  expect(await readLabelNames()).toEqual([['Bug', 'ui'], ['ui']])
  const deletion = await cleo['labels.delete']({ project_id, label_id })
  expect(deletion).toEqual({ label_id, project_id, name: 'Bug', deleted: true, tasks: 2 })
  expect(await readLabelNames()).toEqual([['ui'], ['ui']])
  expect((await cleo['labels.list']({ project_id })).items.map(({ name }) => name)).toEqual(['ui'])
  const lastChange = (await changes(seq)).at(-1)!
  expect([lastChange.type, lastChange.data]).toEqual([
    'label.deleted',
    { label_id, name: 'Bug', tasks: 2 },
  ])
  const again = await faultOf(cleo['labels.delete']({ project_id, label_id }))
  expect(again).toMatchObject({ code: 'not_found', details: { field: 'label_id' } })
})

test('a label cannot be changed or deleted through another board', async () => {
  const { cleo, team_id, project_id, http } = await createLabelBoard([{ name: 'Bug' }])
  const otherBoard = await cleo['projects.create']({
    ...{ team_id, title: 'There', sections: [{ title: 'Now' }], labels: [{ name: 'far' }] },
  })
  const path = `/api/v1/projects/${project_id}/labels/${otherBoard.labels[0]!.label_id}`
  expect((await http(cleo, 'PATCH', path, { name: 'x' })).status).toBe(404)
  expect((await http(cleo, 'DELETE', path)).status).toBe(404)
  const ownPath = `/api/v1/projects/${otherBoard.project_id}/labels/${otherBoard.labels[0]!.label_id}`
  expect((await http(cleo, 'PATCH', ownPath, { color: 'red' })).body.details.field).toBe('color')
  expect((await http(cleo, 'PATCH', ownPath, { color: '#102030' })).status).toBe(200)
  expect((await http(cleo, 'DELETE', ownPath)).body.data.tasks).toBe(0)
})

test('a label that is deleted while it is added to tasks remains on none of them', async () => {
  const { cleo, project_id, labels } = await createLabelBoard([{ name: 'Bug' }])
  const label_id = labels[0]!.label_id
  const createTask = (i: number) =>
    cleo['tasks.create']({ project_id, title: `${i}`, labels: [label_id] })
  const results = await Promise.allSettled([
    ...[0, 1, 2, 3].map(createTask),
    cleo['labels.delete']({ project_id, label_id }),
    ...[4, 5, 6, 7].map(createTask),
  ])
  expect(results[4]!.status).toBe('fulfilled')
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason.details).toMatchObject({ code: 'not_found' })
  const { items } = await cleo['tasks.list']({ project_id })
  expect(items.flatMap((task) => task.labels)).toEqual([])
})
