import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { callTool } from '../../../support/surface-calls.ts'
import { type World, world } from '../../../support/world.ts'

type Type = 'number' | 'text' | 'select' | 'date' | 'checkbox' | 'url'

/** Returns the world with helpers to create, set and read custom fields of its board. */
async function worldWithFields() {
  const w = await world()
  const { project_id } = w.board
  const createField = (name: string, type: Type, ...labels: string[]) =>
    w.ada['custom_fields.create']({
      ...{ project_id, name, type },
      ...(type === 'select' && { options: labels.map((label) => ({ label })) }),
    })
  const setField = (
    field_name: string,
    value: string | number | boolean | null,
    task = w.tasks.logo,
  ) => w.cleo['custom_fields.set']({ task_id: task.task_id, field_name, value })
  return {
    ...w,
    project_id,
    make: createField,
    set: setField,
    shown: (task = w.tasks.logo) => shownOn(w, task.task_id),
  }
}

async function shownOn({ cleo }: Pick<World, 'cleo'>, task_id: number) {
  const record = await cleo['tasks.get']({ task_id })
  if (Array.isArray(record)) throw new Error('Expected one task')
  return record.custom_fields.map(({ name, type, value, label }) => [name, type, label ?? value])
}

test('setting a number on an unknown field creates a number field', async () => {
  const w = await worldWithFields()
  w.clock.advance(60_000)
  const receipt = await w.set(' Story  points ', 5)
  expect(receipt).toMatchObject({
    ...{ changed: ['custom_fields.Story points'], field_created: true, ticket_number: 'HP-1' },
    updated_at: '2026-11-20T12:01:00.000Z',
  })
  const { items } = await w.cleo['custom_fields.list']({ project_id: w.project_id })
  expect(items).toMatchObject([
    { name: 'Story points', type: 'number', field_id: receipt.field_id!, options: [] },
  ])
  expect(await w.shown()).toEqual([['Story points', 'number', 5]])
  const [created, changed, ...rest] = await w.changes()
  expect(rest).toEqual([])
  expect(created).toMatchObject({ type: 'custom_field.created', data: { name: 'Story points' } })
  expect(changed).toMatchObject({
    ...{ type: 'task.updated', task_id: w.tasks.logo.task_id },
    data: {
      changed: ['custom_fields.Story points'],
      before: { 'custom_fields.Story points': null },
      after: { 'custom_fields.Story points': 5 },
    },
  })
})

test('a field is found by id or by name in any case, and both must match if given', async () => {
  const w = await worldWithFields()
  const { task_id } = w.tasks.logo
  const { field_id } = await w.make('Größe', 'number')
  expect(await w.set('GRÖSSE'.replace('SS', 'ß'), 1)).toMatchObject({ field_created: false })
  await w.cleo['custom_fields.set']({ task_id, field_id: field_id.toUpperCase(), value: 2 })
  expect(await w.shown()).toEqual([['Größe', 'number', 2]])
  const other = await w.make('Other', 'text')
  const setField = (fields: object) => w.cleo['custom_fields.set']({ task_id, value: 3, ...fields })
  for (const [fields, details] of [
    [{}, { field: 'field_name', code: 'required' }],
    [
      { field_id, field_name: 'Other' },
      { field: 'field_name', code: 'conflict' },
    ],
    [{ field_id: Bun.randomUUIDv7() }, { field: 'field_id', code: 'not_found' }],
  ] as const)
    expect((await faultOf(setField(fields))).details).toMatchObject(details)
  expect((await faultOf(setField({ field_id: other.field_id }))).details.code).toBe('invalid_type')
})

test('each field type accepts its valid values and returns them normalized', async () => {
  const w = await worldWithFields()
  await w.make('Effort', 'number')
  await w.make('Note', 'text')
  await w.make('Stage', 'select', 'Draft', 'Final')
  await w.make('Review on', 'date')
  await w.make('Signed', 'checkbox')
  await w.make('Link', 'url')
  for (const [name, input, expected] of [
    ['Effort', -1.5, -1.5],
    ['Effort', '1e3', 1000],
    ['Effort', -0, 0],
    ['Note', ' as it is ', ' as it is '],
    ['Note', '日本語 🐞 <b>', '日本語 🐞 <b>'],
    ['Stage', ' fINAL ', 'Final'],
    ['Review on', '2028-02-29', '2028-02-29'],
    ['Signed', false, false],
    ['Signed', 'true', true],
    ['Link', 'https://example.com/ä?x=1', 'https://example.com/ä?x=1'],
  ] as const) {
    await w.set(name, input)
    expect((await w.shown()).find(([displayed]) => displayed === name)?.[2]).toEqual(expected)
  }
  const { items } = await w.cleo['tasks.list']({ project_id: w.project_id, query: 'logo' })
  expect(items[0]?.custom_fields).toHaveLength(6)
  const stage = items[0]!.custom_fields.find(({ name }) => name === 'Stage')!
  await w.set('Stage', 'Draft')
  await w.set('Stage', String(stage.value))
  expect((await w.shown()).find(([name]) => name === 'Stage')?.[2]).toBe('Final')
})

test('a value that does not fit the type of its field is refused and nothing is written', async () => {
  const w = await worldWithFields()
  for (const type of ['number', 'text', 'date', 'checkbox', 'url'] as const)
    await w.make(type, type)
  await w.make('select', 'select', 'One')
  const { seq } = (await w.changes()).at(-1)!
  for (const [name, input, code] of [
    ['number', 'many', 'invalid_type'],
    ['number', '1e999', 'invalid_type'],
    ['number', true, 'invalid_type'],
    ['text', 5, 'invalid_type'],
    ['text', 'x'.repeat(10_001), 'too_long'],
    ['select', 'Two', 'not_found'],
    ['select', false, 'not_found'],
    ['date', '2026-02-29', 'invalid_format'],
    ['date', '2026-12-01T10:00:00Z', 'invalid_format'],
    ['date', 20261201, 'invalid_format'],
    ['checkbox', 'yes', 'invalid_type'],
    ['checkbox', 1, 'invalid_type'],
    ['url', 'javascript:alert(1)', 'invalid_format'],
    ['url', ' JaVaScRiPt://x', 'invalid_format'],
    ['url', 'https://', 'invalid_format'],
    ['url', `https://x.org/${'y'.repeat(2000)}`, 'too_long'],
  ] as const) {
    const { details, message } = await faultOf(w.set(name, input))
    expect([name, input, details.field, details.code]).toEqual([name, input, 'value', code])
    expect(message).toContain(name)
  }
  const { hint, message } = await faultOf(w.set('Colour', 'red'))
  expect(message).toContain('no field "Colour"')
  for (const word of ['number', 'text', 'select', 'date', 'checkbox', 'url'])
    expect(hint).toContain(word)
  expect(await w.changeTypes(seq)).toEqual([])
  expect(await w.shown()).toEqual([])
})

test('null and the empty text clear a value, and clearing does not create a field', async () => {
  const w = await worldWithFields()
  await w.set('Points', 3)
  const { seq } = (await w.changes()).at(-1)!
  expect((await w.set('Points', '')).changed).toEqual(['custom_fields.Points'])
  expect((await w.set('Points', null)).changed).toEqual([])
  const { body } = await w.http(w.cleo, 'PUT', '/api/v1/tasks/HP-1/custom-fields', {
    ...{ field_name: 'Pionts', value: null },
  })
  expect(body).toMatchObject({ data: { changed: [] }, warnings: [{ field: 'field_name' }] })
  expect(await w.shown()).toEqual([])
  expect((await w.changes(seq)).map(({ data }) => data.after)).toEqual([
    { 'custom_fields.Points': null },
  ])
  expect((await w.cleo['custom_fields.list']({ project_id: w.project_id })).page.total).toBe(1)
})

test('setting the current value changes nothing and emits no change', async () => {
  const w = await worldWithFields()
  await w.make('Stage', 'select', 'Draft')
  await w.set('Points', 3)
  await w.set('Stage', 'Draft')
  const { seq } = (await w.changes()).at(-1)!
  w.clock.advance(60_000)
  for (const [name, value] of [
    ['points', 3],
    ['Points', '3.0'],
    ['Stage', 'DRAFT'],
  ] as const)
    expect(await w.set(name, value)).toMatchObject({
      ...{ changed: [], updated_at: '2026-11-20T12:00:00.000Z' },
    })
  expect(await w.changeTypes(seq)).toEqual([])
})

test('concurrent values for an unknown field create one field', async () => {
  const w = await worldWithFields()
  const taskList = [w.tasks.logo, w.tasks.copy, w.tasks.link, w.tasks.domain]
  const setField = await Promise.all(taskList.map((task, i) => w.set('Points', i + 1, task)))
  expect(setField.filter(({ field_created }) => field_created)).toHaveLength(1)
  expect(new Set(setField.map(({ field_id }) => field_id)).size).toBe(1)
  for (const [i, task] of taskList.entries())
    expect(await w.shown(task)).toEqual([['Points', 'number', i + 1]])
  expect((await w.changeTypes()).filter((type) => type === 'custom_field.created')).toHaveLength(1)
})

test('a long text is truncated in lists and changes, and returned whole by get', async () => {
  const w = await worldWithFields()
  await w.make('Note', 'text')
  const text = 'é'.repeat(9000)
  await w.set('Note', text)
  expect(await w.shown()).toEqual([['Note', 'text', text]])
  const { items } = await w.cleo['tasks.list']({ project_id: w.project_id, query: 'logo' })
  const [note] = items[0]!.custom_fields
  expect(note).toMatchObject({ clipped: true, value: `${'é'.repeat(499)}…` })
  const logged = JSON.stringify((await w.changes()).at(-1))
  expect(logged).toContain('ééé')
  expect(logged.length).toBeLessThan(800)
})

test('invalid input of custom_fields.set is refused with its field and code', async () => {
  const { cleo, http } = await worldWithFields()
  for (const [body, field, code] of [
    [{ field_name: 'x' }, 'value', 'required'],
    [{ value: 1 }, 'field_name', 'required'],
    [{ field_name: 'x', value: [1] }, 'value', 'invalid_type'],
    [{ field_name: 'x', value: 'y'.repeat(20_001) }, 'value', 'too_long'],
    [{ field_name: '', value: 1 }, 'field_name', 'required'],
    [{ field_name: ' ', value: 1 }, 'field_name', 'required'],
    [{ field_name: 'x'.repeat(101), value: 1 }, 'field_name', 'too_long'],
    [{ field_name: 'a\0b', value: 1 }, 'field_name', 'invalid_format'],
    [{ field_id: 'seven', value: 1 }, 'field_id', 'invalid_format'],
    [{ field_name: 'x', value: 1, colour: 'red' }, 'colour', 'unknown_field'],
  ] as const) {
    const response = await http(cleo, 'PUT', '/api/v1/tasks/HP-1/custom-fields', body)
    expect([response.status, response.body.details.field, response.body.details.code]).toEqual([
      ...[400, field, code],
    ])
  }
  const fault = await faultOf(cleo['custom_fields.set']({ field_name: 'x', value: 1 }))
  expect(fault.details).toMatchObject({ field: 'ticket_number', code: 'required' })
})

test('setting a field of a task that the caller cannot see is refused with not_found', async () => {
  const w = await worldWithFields()
  const { task_id } = w.tasks.logo
  for (const actor of [w.otto, w.gus]) {
    const setField = actor['custom_fields.set']({ task_id, field_name: 'Points', value: 1 })
    expect((await faultOf(setField)).code).toBe('not_found')
  }
  expect(await w.changeTypes()).toEqual([])
})

test('svc_tasks returns custom fields of a task with name, value and option label', async () => {
  const { http, cleo, make: createField, set: setField } = await worldWithFields()
  const { options } = await createField('Stage', 'select', 'Draft', 'Final')
  await setField('Points', 5)
  await setField('Stage', 'final')
  const args = { action: 'get', input: { ticket_number: 'HP-1' } }
  const { result } = (await callTool({ http }, cleo, 'svc_tasks', args)).body
  expect(result.structuredContent.data.custom_fields).toEqual([
    { name: 'Points', value: 5 },
    { name: 'Stage', value: options[1]!.option_id, label: 'Final' },
  ])
  const listArguments = { action: 'list', input: { project_id: 1, query: 'stage' } }
  const fields = (await callTool({ http }, cleo, 'svc_custom_fields', listArguments)).body.result
  expect(fields.structuredContent.data[0].options).toEqual(options)
})
