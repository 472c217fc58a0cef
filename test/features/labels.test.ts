import { expect, test } from 'bun:test'
import { findLabels } from '../../src/features/labels/index.ts'
import { projects } from '../../src/features/projects/index.ts'
import { refused } from '../refused.ts'
import { world } from '../world.ts'

/** A world with one board, created by the member Cleo. */
async function opened(labels: { name: string; color?: string }[] = []) {
  const played = await world({ furnished: false })
  const made = await played.cleo['projects.create']({
    ...{ title: 'Website', team_id: played.team_id, sections: [{ title: 'Now' }], labels },
  })
  const seq = (await played.changes()).at(-1)!.seq
  return { ...played, project_id: made.project_id, labels: made.labels, seq }
}

test('a label is created with the given colour, or one derived from its name', async () => {
  const { cleo, project_id, seq, changes } = await opened()
  const red = await cleo['labels.create']({ project_id, name: ' Bug ', color: '#FF0000' })
  expect(red).toEqual({ label_id: red.label_id, project_id, name: 'Bug', color: '#ff0000' })
  const other = await cleo['labels.create']({ project_id, name: 'ui' })
  expect(other.color).toMatch(/^#[0-9a-f]{6}$/)
  const told = await changes(seq)
  expect(told.map(({ type }) => type)).toEqual(['label.created', 'label.created'])
  expect(told[0]!.data).toEqual({ label_id: red.label_id, name: 'Bug', color: '#ff0000' })
})

test('labels with the same name get the same default colour on every board', async () => {
  const [one, two] = [await opened([{ name: 'Backend' }]), await opened([{ name: 'backend' }])]
  const colorOf = async ({ cleo, project_id }: typeof one) =>
    (await cleo['labels.list']({ project_id })).items[0]!.color
  expect(await colorOf(one)).toBe(await colorOf(two))
})

test('labels are listed by name, searched and paged', async () => {
  const { cleo, project_id } = await opened(['ui', 'api', 'docs'].map((name) => ({ name })))
  const names = async (more: object) =>
    (await cleo['labels.list']({ project_id, ...more })).items.map(({ name }) => name)
  expect(await names({})).toEqual(['api', 'docs', 'ui'])
  expect(await names({ query: 'I' })).toEqual(['api', 'ui'])
  expect(await names({ limit: 1, offset: 1 })).toEqual(['docs'])
  expect(await names({ sort: 'title:desc' })).toEqual(['ui', 'docs', 'api'])
})

test('a duplicate label name is refused with 409 and the id of the existing label', async () => {
  const { cleo, project_id, labels, http } = await opened([{ name: 'Übung “1”' }])
  for (const name of ['übung “1”', ' ÜBUNG  “1”']) {
    const { status, body } = await http(cleo, 'POST', `/api/v1/projects/${project_id}/labels`, {
      name,
    })
    expect(status).toBe(409)
    expect(body.details).toMatchObject({ field: 'name', label_id: labels[0]!.label_id })
  }
})

test('concurrent requests for one label name create one label', async () => {
  const { ada, cleo, project_id } = await opened()
  const made = await Promise.allSettled(
    [ada, cleo, ada].map((who) => who['labels.create']({ project_id, name: 'bug' })),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await cleo['labels.list']({ project_id })).page.total).toBe(1)
})

test('invalid input for a label is refused with its field', async () => {
  const { cleo, project_id, http } = await opened()
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
    const answer = await http(cleo, 'POST', `/api/v1/projects/${project_id}/labels`, body)
    expect([answer.status, answer.body.details.field, answer.body.details.code]).toEqual([
      ...[400, field, code],
    ])
  }
})

test('label names in any script or with special characters are stored unchanged', async () => {
  const names = ['日本語', '🐞', 'a"b\'c;--', '<script>', '100% _x_', 'ق', 'é']
  const { cleo, project_id } = await opened(names.map((name) => ({ name })))
  const { items } = await cleo['labels.list']({ project_id })
  expect(new Set(items.map(({ name }) => name))).toEqual(new Set(names))
})

test('labels are found by id, numeric text or name, each once, and an unknown one is refused', async () => {
  const { store, labels } = await opened([{ name: 'Bug' }, { name: 'ui' }])
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
  const { cleo, project_id, labels, changes, seq } = await opened([{ name: 'Bug' }, { name: 'ui' }])
  const label_id = labels[0]!.label_id
  await cleo['tasks.create']({ project_id, title: 'One', labels: ['bug'] })
  const change = (more: object) => cleo['labels.update']({ project_id, label_id, ...more })
  const shown = async () => (await cleo['tasks.list']({ project_id })).items[0]!.labels
  await shown()
  const changed = await change({ name: ' Defect ', color: '#AABBCC' })
  const after = { label_id, name: 'Defect', color: '#aabbcc' }
  expect(changed).toEqual({ ...after, project_id, changed: ['name', 'color'] })
  expect(await shown()).toEqual([after])
  expect((await change({ name: 'Defect' })).changed).toEqual([])
  expect((await change({ name: 'DEFECT' })).changed).toEqual(['name'])
  const told = (await changes(seq)).filter(({ type }) => type === 'label.updated')
  expect(told.map(({ data }) => [data.name, data.changed])).toEqual([
    ['Defect', ['name', 'color']],
    ['DEFECT', ['name']],
  ])
  const taken = await refused(change({ name: 'UI' }))
  expect(taken).toMatchObject({ code: 'conflict', details: { field: 'name' } })
})

test('deleting a label removes it from all its tasks, including archived ones', async () => {
  const { cleo, project_id, labels, changes, seq } = await opened([{ name: 'Bug' }, { name: 'ui' }])
  const label_id = labels[0]!.label_id
  const task = (title: string, names: string[]) =>
    cleo['tasks.create']({ project_id, title, labels: names })
  await task('One', ['bug', 'ui'])
  const { task_id } = await task('Two', ['bug'])
  await task('Three', ['ui'])
  await cleo['tasks.update']({ task_id, status: 'Archive' })
  const shown = async () =>
    (await cleo['tasks.list']({ project_id, sort: 'createdAt:asc' })).items.map((one) =>
      one.labels.map(({ name }) => name),
    )
  expect(await shown()).toEqual([['Bug', 'ui'], ['ui']])
  const gone = await cleo['labels.delete']({ project_id, label_id })
  expect(gone).toEqual({ label_id, project_id, name: 'Bug', deleted: true, tasks: 2 })
  expect(await shown()).toEqual([['ui'], ['ui']])
  expect((await cleo['labels.list']({ project_id })).items.map(({ name }) => name)).toEqual(['ui'])
  const told = (await changes(seq)).at(-1)!
  expect([told.type, told.data]).toEqual(['label.deleted', { label_id, name: 'Bug', tasks: 2 }])
  const again = await refused(cleo['labels.delete']({ project_id, label_id }))
  expect(again).toMatchObject({ code: 'not_found', details: { field: 'label_id' } })
})

test('a label cannot be changed or deleted through another board', async () => {
  const { cleo, team_id, project_id, http } = await opened([{ name: 'Bug' }])
  const there = await cleo['projects.create']({
    ...{ team_id, title: 'There', sections: [{ title: 'Now' }], labels: [{ name: 'far' }] },
  })
  const path = `/api/v1/projects/${project_id}/labels/${there.labels[0]!.label_id}`
  expect((await http(cleo, 'PATCH', path, { name: 'x' })).status).toBe(404)
  expect((await http(cleo, 'DELETE', path)).status).toBe(404)
  const own = `/api/v1/projects/${there.project_id}/labels/${there.labels[0]!.label_id}`
  expect((await http(cleo, 'PATCH', own, { color: 'red' })).body.details.field).toBe('color')
  expect((await http(cleo, 'PATCH', own, { color: '#102030' })).status).toBe(200)
  expect((await http(cleo, 'DELETE', own)).body.data.tasks).toBe(0)
})

test('a label that is deleted while it is added to tasks remains on none of them', async () => {
  const { cleo, project_id, labels } = await opened([{ name: 'Bug' }])
  const label_id = labels[0]!.label_id
  const give = (i: number) =>
    cleo['tasks.create']({ project_id, title: `${i}`, labels: [label_id] })
  const ends = await Promise.allSettled([
    ...[0, 1, 2, 3].map(give),
    cleo['labels.delete']({ project_id, label_id }),
    ...[4, 5, 6, 7].map(give),
  ])
  expect(ends[4]!.status).toBe('fulfilled')
  for (const end of ends)
    if (end.status === 'rejected') expect(end.reason.details).toMatchObject({ code: 'not_found' })
  const { items } = await cleo['tasks.list']({ project_id })
  expect(items.flatMap((one) => one.labels)).toEqual([])
})
