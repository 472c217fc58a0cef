import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const labels = (...taskList: string[]) => taskList.map((label) => ({ label }))

/** Returns the world with a select field on its board and its value on one task. */
async function worldWithSelectField() {
  const w = await world()
  const { project_id } = w.board
  const field = await w.ada['custom_fields.create']({
    ...{ project_id, name: 'Stage', type: 'select', options: labels('Draft', 'Final') },
  })
  const { task_id } = w.tasks.logo
  await w.cleo['custom_fields.set']({ task_id, field_name: 'Stage', value: 'Draft' })
  const { seq } = (await w.changes()).at(-1)!
  return { ...w, project_id, field_id: field.field_id, options: field.options, task_id, seq }
}

async function valuesOf({ cleo }: Pick<World, 'cleo'>, task_id: number) {
  const record = await cleo['tasks.get']({ task_id })
  if (Array.isArray(record)) throw new Error('Expected one task')
  return record.custom_fields
}

test('fields are sorted by name, searched and paged, and not found by other teams', async () => {
  const w = await world()
  const { project_id } = w.board
  for (const name of ['Size', 'Cost', 'Note'])
    await w.cleo['custom_fields.create']({ project_id, name, type: 'text' })
  const names = async (overrides: object) =>
    (await w.cleo['custom_fields.list']({ project_id, ...overrides })).items.map(({ name }) => name)
  expect(await names({})).toEqual(['Cost', 'Note', 'Size'])
  expect(await names({ query: 'o' })).toEqual(['Cost', 'Note'])
  expect(await names({ limit: 1, offset: 1 })).toEqual(['Note'])
  expect((await faultOf(w.otto['custom_fields.list']({ project_id }))).code).toBe('not_found')
})

test('a field with a taken name, an invalid type or invalid options is refused', async () => {
  const w = await worldWithSelectField()
  const path = `/api/v1/projects/${w.project_id}/custom-fields`
  for (const [body, status, field, code] of [
    [{ name: ' stage', type: 'number' }, 409, 'name', 'conflict'],
    [{ name: 'X' }, 400, 'type', 'required'],
    [{ name: 'X', type: 'colour' }, 400, 'type', 'out_of_range'],
    [{ name: 'X', type: 'text', options: labels('a') }, 400, 'options', 'conflict'],
    [{ name: 'X', type: 'select', options: labels('a', 'A ') }, 400, 'options.1.label', 'conflict'],
    [{ name: 'X', type: 'select', options: labels(' ') }, 400, 'options.0.label', 'required'],
    [
      { name: 'X', type: 'select', options: labels(...Array(101).fill('a')) },
      ...[400, 'options', 'too_long'],
    ],
    [{ name: '\n', type: 'text' }, 400, 'name', 'required'],
  ] as [object, number, string, string][]) {
    const response = await w.http(w.cleo, 'POST', path, body)
    const { details } = response.body
    expect([response.status, details.field, details.code]).toEqual([status, field, code])
  }
  expect((await w.http(w.bot, 'POST', path, { name: 'Url', type: 'url' })).status).toBe(201)
})

test('the fifty-first custom field of a board is refused', async () => {
  const w = await world()
  const { project_id } = w.board
  const createField = (i: number) =>
    w.cleo['custom_fields.create']({ project_id, name: `F${i}`, type: 'text' })
  for (let i = 0; i < 50; i++) await createField(i)
  expect(await faultOf(createField(50))).toMatchObject({ code: 'conflict', details: { limit: 50 } })
})

test('renaming a field and its options keeps the values of tasks', async () => {
  const w = await worldWithSelectField()
  const { project_id, field_id, options } = w
  const [draft, final] = options
  expect(await valuesOf(w, w.task_id)).toMatchObject([{ name: 'Stage', label: 'Draft' }])
  const update = { project_id, field_id, name: 'Phase' }
  const receipt = await w.cleo['custom_fields.update']({
    ...update,
    options: [
      { option_id: draft!.option_id, label: 'Sketch' },
      { label: 'final' },
      { label: 'New' },
    ],
  })
  expect(receipt).toMatchObject({ changed: ['name', 'options'], cleared_tasks: 0 })
  expect(receipt.options).toMatchObject([
    { option_id: draft!.option_id, label: 'Sketch' },
    { option_id: final!.option_id, label: 'final' },
    { label: 'New' },
  ])
  expect(await valuesOf(w, w.task_id)).toEqual([
    { field_id, name: 'Phase', type: 'select', value: draft!.option_id, label: 'Sketch' },
  ])
  expect((await w.cleo['custom_fields.update'](update)).changed).toEqual([])
  expect(await w.changes(w.seq)).toMatchObject([
    { type: 'custom_field.updated', data: { field_id, changed: ['name', 'options'] } },
  ])
})

test('removing an option in use requires force and clears it from tasks', async () => {
  const w = await worldWithSelectField()
  const update = { project_id: w.project_id, field_id: w.field_id, options: labels('Final') }
  const { code, details, hint } = await faultOf(w.cleo['custom_fields.update'](update))
  expect([code, details.tasks]).toEqual(['conflict', 1])
  expect(hint).toContain('force')
  expect(await valuesOf(w, w.task_id)).toMatchObject([{ label: 'Draft' }])
  expect(await w.cleo['custom_fields.update']({ ...update, force: true })).toMatchObject({
    cleared_tasks: 1,
  })
  expect(await valuesOf(w, w.task_id)).toEqual([])
})

test('deleting a field removes it from the board and its tasks', async () => {
  const w = await worldWithSelectField()
  const field = { project_id: w.project_id, field_id: w.field_id }
  expect(await w.cleo['custom_fields.delete'](field)).toMatchObject({
    ...{ name: 'Stage', deleted: true, cleared_tasks: 1 },
  })
  expect(await valuesOf(w, w.task_id)).toEqual([])
  expect((await faultOf(w.cleo['custom_fields.delete'](field))).code).toBe('not_found')
  expect(await w.changes(w.seq)).toMatchObject([
    { type: 'custom_field.deleted', data: { name: 'Stage', cleared_tasks: 1 } },
  ])
})

test('a value set while its field is deleted is refused or removed with the field', async () => {
  const w = await worldWithSelectField()
  const { project_id, field_id } = w
  const taskList = [w.tasks.logo, w.tasks.copy, w.tasks.link, w.tasks.domain]
  const outcomes = await Promise.allSettled([
    ...taskList.map(({ task_id }) =>
      w.cleo['custom_fields.set']({ task_id, field_id, value: 'Final' }),
    ),
    w.ada['custom_fields.delete']({ project_id, field_id }),
  ])
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(outcome.reason.details).toMatchObject({ field: 'field_id', code: 'not_found' })
  expect(outcomes.at(-1)?.status).toBe('fulfilled')
  for (const { task_id } of taskList) expect(await valuesOf(w, task_id)).toEqual([])
})

test('moving a task keeps values whose field exists there with the same name and type', async () => {
  const w = await worldWithSelectField()
  const workshop = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Workshop', sections: [{ title: 'Doing' }] },
  })
  const project_id = workshop.project_id
  const createField = (name: string, type: 'number' | 'text' | 'select') =>
    w.ada['custom_fields.create']({
      ...{ project_id, name, type, ...(type === 'select' && { options: labels('draft') }) },
    })
  await createField('STAGE', 'select')
  await createField('Points', 'number')
  await createField('Note', 'number')
  const child = await w.ada['tasks.create']({
    ...{ project_id: w.project_id, title: 'Child', parent_task_id: w.task_id },
  })
  for (const task_id of [w.task_id, child.task_id])
    for (const [field_name, value] of [
      ['Points', 3],
      ['Only here', 4],
    ] as const)
      await w.cleo['custom_fields.set']({ task_id, field_name, value })
  await w.ada['custom_fields.create']({ project_id: w.project_id, name: 'Note', type: 'text' })
  await w.cleo['custom_fields.set']({ task_id: w.task_id, field_name: 'Note', value: 'words' })
  const result = await w.ada['tasks.move']({ task_id: w.task_id, target_project_id: project_id })
  expect(result.changed).toEqual(
    expect.arrayContaining(['custom_fields.Note', 'custom_fields.Only here']),
  )
  expect(result.changed).not.toContain('custom_fields.Points')
  const displayedValues = async (task_id: number) =>
    (await valuesOf(w, task_id)).map(({ name, label, value }) => [name, label ?? value])
  expect(await displayedValues(w.task_id)).toEqual([
    ['Points', 3],
    ['STAGE', 'draft'],
  ])
  expect(await displayedValues(child.task_id)).toEqual([['Points', 3]])
})
