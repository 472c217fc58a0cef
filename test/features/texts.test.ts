import { expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { callChat, callRest } from '../support/surface-calls.ts'
import { type World, world } from '../support/world.ts'

const CODE = 'expected <identifier> but got <eof> at List<T>, if (a<b && c>d) {}'
const HTML = '<p>Two <b>words</b></p>'

function send(w: World, name: string, input: Record<string, unknown>) {
  const op = (catalog as readonly AnyOperation[]).find((one) => one.name === name)!
  return (op.on.rest ? callRest : callChat)(w, w.cleo, op, input)
}

test('a text without content_type is stored in its detected format', async () => {
  const w = await world()
  const { cleo, tasks, board } = w
  const { project_id } = board
  const created = await cleo['tasks.create']({ project_id, title: 'x', description: CODE })
  expect(created).toMatchObject({ content_type: 'markdown' })
  const { task_id } = created
  expect(await cleo['tasks.get']({ task_id })).toMatchObject({ description: CODE })
  const changed = await cleo['tasks.update']({ task_id, description: HTML })
  expect(changed).toMatchObject({ content_type: 'html' })
  const comment = await cleo['comments.add']({ ...tasks.logo, text: CODE })
  expect(comment).toMatchObject({ content_type: 'markdown' })
  const { comment_id } = comment
  expect(await cleo['comments.get']({ comment_id })).toMatchObject({ text: CODE })
  expect(await cleo['comments.update']({ comment_id, text: HTML })).toMatchObject({
    content_type: 'html',
  })
  const { draft_id } = await cleo['drafts.create']({ ...tasks.logo, text: CODE })
  expect(await cleo['drafts.get']({ draft_id })).toMatchObject({
    ...{ content_type: 'html', text: `<p>${escaped(CODE)}</p>` },
  })
  await cleo['projects.update']({ project_id, description: CODE })
  const { description } = await cleo['projects.manifest']({ project_id })
  expect(description).toBe(`<p>${escaped(CODE)}</p>`)
})

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

test('starter tasks of a board keep their texts, and create_many accepts the same texts', async () => {
  const w = await world()
  const { cleo, team_id, board } = w
  const tasks = [CODE, HTML].map((description, at) => ({ title: `t${at}`, description }))
  const opened = await cleo['projects.create']({
    ...{ team_id, title: 'B', sections: [{ title: 'Now' }], description: CODE },
    tasks: tasks.map((task) => ({ ...task, section_index: 0 })),
  })
  const { items } = await cleo['tasks.list']({
    ...{ project_id: opened.project_id, fields: ['title', 'description', 'content_type'] },
  })
  const texts = items.map((one) => `${one.content_type} ${one.description}`)
  expect(texts.sort()).toEqual([`html ${HTML}`, `markdown ${CODE}`])
  const { status } = await send(w, 'tasks.create_many', { project_id: board.project_id, tasks })
  expect(status).toBeLessThan(300)
})

test('a warning lists what was removed from a text; an unchanged text gets no warning', async () => {
  const w = await world()
  const { board, tasks } = w
  const { project_id } = board
  const bad = '<p onclick="x()">a</p><script>b</script><iframe src="/c"></iframe>'
  const names = '<script>, <iframe>, the event handler onclick'
  const warned = (field: string) => [
    { field, code: 'content_changed', message: `Removed from ${field}: ${names}` },
  ]
  const { task_id } = tasks.logo
  const inputs: [name: string, input: Record<string, unknown>, field: string][] = [
    ['tasks.create', { project_id, title: 'x', description: bad }, 'description'],
    ['tasks.update', { task_id, description: bad }, 'description'],
    ['comments.add', { task_id, text: bad }, 'text'],
    ['drafts.create', { task_id, text: bad }, 'text'],
    ['pages.create', { task_id, content: bad, content_type: 'html' }, 'content'],
    ['projects.update', { project_id, description: bad }, 'description'],
    [
      'tasks.create_many',
      { project_id, tasks: [{ title: 'x' }, { title: 'y', description: bad }] },
      'tasks.1.description',
    ],
  ]
  for (const [name, input, field] of inputs) {
    const { warnings } = await send(w, name, input)
    expect([name, warnings]).toEqual([name, warned(field)])
  }
  const response = await send(w, 'comments.add', { task_id, text: '<center>a</center> List<T>' })
  expect(response.warnings).toBeUndefined()
})
