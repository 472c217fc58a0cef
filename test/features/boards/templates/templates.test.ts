import { expect, test } from 'bun:test'
import {
  MAX_SUBTASKS,
  MAX_TEMPLATES,
} from '../../../../src/features/boards/templates/model/schema.ts'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const read = async ({ cleo }: World, task_id: number) => {
  const found = await cleo['tasks.get']({ task_id })
  if (Array.isArray(found)) throw new Error('Expected one template')
  return found
}

const listed = async (w: World, overrides: object = {}) =>
  (await w.cleo['templates.list']({ projectId: w.board.project_id, ...overrides })).items

test('a template is created from a task with its fields and listed on its board', async () => {
  const w = await world()
  const { project_id } = w.board
  const template = await w.cleo['templates.create']({ taskId: w.tasks.logo.task_id })
  expect(template).toEqual({
    template_id: template.template_id,
    project_id,
    name: 'Draw the logo',
    title: 'Draw the logo',
    ...{ priority: 2, priority_name: 'High', estimate: 3, size: 'S' },
    labels: [{ label_id: w.labels.ui, name: 'ui' }],
    subtask_count: 0,
    created_by: template.created_by,
    created_at: '2026-11-20T12:00:00.000Z',
  })
  expect(template.created_by).toMatchObject({ name: 'Cleo' })
  expect(await listed(w)).toEqual([template])
  expect(await w.changes()).toMatchObject([
    {
      ...{ type: 'template.created', project_id },
      data: { template_id: template.template_id, name: 'Draw the logo' },
    },
  ])
})

test('applying a template creates the original task again, in the first open column', async () => {
  const w = await world()
  const { template_id } = await w.cleo['templates.create']({
    ...{ taskId: w.tasks.logo.task_id, name: ' A logo ' },
  })
  await w.ada['tasks.update']({ task_id: w.tasks.logo.task_id, title: 'Gone its own way' })
  const before = (await w.changeTypes()).length
  const { status, body } = await w.http(w.cleo, 'POST', '/api/task-templates/apply', {
    templateId: template_id,
  })
  expect(status).toBe(201)
  expect(body.data).toMatchObject({ title: 'Draw the logo', section: 'Inbox', status: 'Normal' })
  expect(body.data.changed.toSorted()).toEqual([
    ...['description', 'estimate', 'labels', 'priority', 'title'],
  ])
  expect((await w.changeTypes()).slice(before)).toEqual(['task.created'])
  const task = await read(w, body.data.task_id)
  expect(task).toMatchObject({
    ...{ title: 'Draw the logo', description: '<p>In two colours.</p>', content_type: 'html' },
    ...{ priority: 2, estimate: 3, due_date: null, assignees: [], subtask_count: 0 },
    description_version: 1,
  })
  expect(task.labels.map(({ name }) => name)).toEqual(['ui'])
  expect((await listed(w))[0]).toMatchObject({ name: 'A logo', title: 'Draw the logo' })
})

test('a template skips labels deleted since, and uses the new name of a renamed label', async () => {
  const w = await world()
  const { project_id } = w.board
  const { task_id } = w.tasks.logo
  await w.ada['tasks.update']({ task_id, labels: ['ui', 'bug'] })
  const { template_id } = await w.cleo['templates.create']({ taskId: task_id })
  await w.ada['labels.delete']({ project_id, label_id: w.labels.bug })
  await w.ada['labels.update']({ project_id, label_id: w.labels.ui, name: 'design' })
  expect((await listed(w))[0]!.labels).toEqual([{ label_id: w.labels.ui, name: 'design' }])
  const receipt = await w.cleo['templates.apply']({ templateId: template_id })
  const { labels } = await read(w, receipt.task_id)
  expect(labels.map(({ name }) => name)).toEqual(['design'])
})

test('with includeSubtasks a template contains the direct subtasks that are not deleted', async () => {
  const w = await world()
  const { project_id } = w.board
  const { task_id } = w.tasks.logo
  const below = (title: string, parent_task_id: number, overrides: object = {}) =>
    w.ada['tasks.create']({ project_id, title, parent_task_id, ...overrides })
  const sketch = await below('Sketch', task_id, {
    description: '*On paper*',
    labels: ['bug'],
    content_type: 'markdown',
  })
  await below('Sharpen the pencil', sketch.task_id)
  await below('Colour', task_id, { estimate: 5 })
  const deleted = await below('Forget it', task_id)
  await w.ada['tasks.update']({ task_id: deleted.task_id, status: 'Deleted' })
  const single = await w.cleo['templates.create']({ taskId: task_id })
  const withSubtasks = await w.cleo['templates.create']({ taskId: task_id, includeSubtasks: true })
  expect([single.subtask_count, withSubtasks.subtask_count]).toEqual([0, 2])
  const one = await w.cleo['templates.apply']({ templateId: single.template_id })
  expect((await read(w, one.task_id)).subtask_count).toBe(0)
  const applied = await w.cleo['templates.apply']({ templateId: withSubtasks.template_id })
  const { tree } = await w.cleo['tasks.tree']({ task_id: applied.task_id })
  const children = tree.children.map(({ title, section, children }) => [title, section, children])
  expect(children).toEqual([
    ['Sketch', 'Inbox', []],
    ['Colour', 'Inbox', []],
  ])
  const [first, second] = tree.children
  expect(await read(w, first!.task_id)).toMatchObject({
    ...{ description: '*On paper*', content_type: 'markdown', labels: [{ name: 'bug' }] },
  })
  expect(await read(w, second!.task_id)).toMatchObject({ estimate: 5, description: null })
})

test('a template is deleted by body or query parameter, and tasks created from it stay', async () => {
  const w = await world()
  const taskId = w.tasks.logo.task_id
  const ids = []
  for (const name of ['One', 'Two'])
    ids.push((await w.cleo['templates.create']({ taskId, name })).template_id)
  const [one, two] = ids
  const applied = await w.cleo['templates.apply']({ templateId: one! })
  const byBody = await w.http(w.ben, 'DELETE', '/api/task-templates', { templateId: one })
  expect([byBody.status, byBody.body.data]).toEqual([
    200,
    { template_id: one, project_id: w.board.project_id, name: 'One' },
  ])
  const byAddress = await w.http(w.ben, 'DELETE', `/api/task-templates?templateId=${two}`)
  expect(byAddress.status).toBe(200)
  expect((await w.changeTypes()).filter((type) => type === 'template.deleted')).toHaveLength(2)
  expect(await listed(w)).toEqual([])
  expect(await read(w, applied.task_id)).toMatchObject({ title: 'Draw the logo', status: 'Normal' })
  const again = await faultOf(w.cleo['templates.delete']({ templateId: one! }))
  expect([again.code, again.details.field]).toEqual(['not_found', 'templateId'])
})

test('a caller who cannot see the board gets not_found for its templates', async () => {
  const w = await world()
  const { project_id } = w.board
  const taskId = w.tasks.logo.task_id
  const { template_id: templateId } = await w.cleo['templates.create']({ taskId })
  const before = (await w.changeTypes()).length
  for (const stranger of [w.otto, w.gus]) {
    const faults = [
      await faultOf(stranger['templates.list']({ projectId: project_id })),
      await faultOf(stranger['templates.create']({ taskId })),
      await faultOf(stranger['templates.apply']({ templateId })),
      await faultOf(stranger['templates.delete']({ templateId })),
    ]
    expect(faults.map(({ code, details }) => [code, details.field])).toEqual([
      ['not_found', 'projectId'],
      ['not_found', 'taskId'],
      ['not_found', 'templateId'],
      ['not_found', 'templateId'],
    ])
  }
  expect((await w.changeTypes()).length).toBe(before)
})

test('invalid input for a template is refused with the field, and nothing is stored', async () => {
  const w = await world()
  const taskId = w.tasks.logo.task_id
  const deletedId = w.tasks.copy.task_id
  await w.ada['tasks.update']({ task_id: deletedId, status: 'Deleted' })
  const before = (await w.changeTypes()).length
  const bad: [path: string, body: object, status: number, field: string][] = [
    ['', { taskId: 999_999 }, 404, 'taskId'],
    ['', { taskId: deletedId }, 409, 'taskId'],
    ['', { taskId: 'logo' }, 400, 'taskId'],
    ['', {}, 400, 'taskId'],
    ['', { taskId, name: 'x'.repeat(201) }, 400, 'name'],
    ['', { taskId, name: '  ' }, 400, 'name'],
    ['', { taskId, includeSubtasks: 'all' }, 400, 'includeSubtasks'],
    ['', { taskId, colour: 'red' }, 400, 'colour'],
    ['/apply', { templateId: 999_999 }, 404, 'templateId'],
    ['/apply', {}, 400, 'templateId'],
  ]
  for (const [path, body, status, field] of bad) {
    const answer = await w.http(w.cleo, 'POST', `/api/task-templates${path}`, body)
    expect([body, answer.status, answer.body.details.field]).toEqual([body, status, field])
  }
  const response = await w.http(w.cleo, 'GET', '/api/task-templates')
  expect([response.status, response.body.details.field]).toEqual([400, 'projectId'])
  expect(await listed(w)).toEqual([])
  expect((await w.changeTypes()).length).toBe(before)
})

test('a board has at most 200 templates, and a template a limited number of subtasks', async () => {
  const w = await world()
  const { project_id } = w.board
  const { task_id } = w.tasks.logo
  for (let n = 0; n <= MAX_SUBTASKS; n++)
    await w.ada['tasks.create']({ project_id, title: `Step ${n}`, parent_task_id: task_id })
  const input = { taskId: task_id, includeSubtasks: true }
  const large = await faultOf(w.cleo['templates.create'](input))
  expect([large.code, large.details.field]).toEqual(['conflict', 'includeSubtasks'])
  for (let n = 0; n < MAX_TEMPLATES; n++)
    await w.cleo['templates.create']({ taskId: task_id, name: `Template ${n}` })
  const { code, message } = await faultOf(w.cleo['templates.create']({ taskId: task_id }))
  expect([code, message]).toEqual(['conflict', 'A board has at most 200 templates'])
  const found = await listed(w, { query: 'template 19', limit: 50 })
  expect(found.map(({ name }) => name)).toContain('Template 199')
})
