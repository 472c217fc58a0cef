import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder, removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { type World, world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

const exportBacklog = (w: World, folder: string, ...flags: string[]) =>
  terminal(w, w.cleo).cork('export', '--format', 'backlog', '--project', 'HP', folder, ...flags)

/** The front matter and the body of a task file. */
function readTask(folder: string, name: string) {
  const text = readFileSync(join(folder, 'tasks', name), 'utf8')
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text)!
  return { fields: Bun.YAML.parse(head!) as Record<string, unknown>, body: body! }
}

const taskNames = (folder: string) => readdirSync(join(folder, 'tasks')).sort()

test('a board is exported to standard output or to a file, which only --force overwrites', async () => {
  const w = await world()
  const { cork } = terminal(w, w.cleo)
  const words = ['export', '--format', 'csv', '--project', 'Home page']
  const printed = await cork(...words)
  expect([printed.code, printed.err]).toEqual([0, ''])
  expect(printed.out).toContain('HP-1,Draw the logo,Doing,false,High')
  const file = join(createTemporaryFolder(), 'tasks.csv')
  expect(await cork(...words, file)).toEqual({ code: 0, out: file, err: '' })
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(6)
  expect(await cork(...words, file)).toMatchObject({
    ...{ code: 1, err: expect.stringContaining('--force') },
  })
  expect((await cork(...words, file, '--force')).code).toBe(0)
})

test('a view is exported by its title, and markdown with --full has descriptions', async () => {
  const w = await world()
  const { project_id } = w.board
  await w.ada['views.create']({ project_id, title: 'Interface', label_names: ['ui'] })
  const { cork } = terminal(w, w.cleo)
  const words = ['export', '--format', 'markdown', '--view', 'Interface']
  expect((await cork(...words)).out).not.toContain('In two colours')
  const { out } = await cork(...words, '--full')
  expect(out).toContain('# Home page: Interface (HP)')
  expect(out).toContain('  In two colours.')
  expect(out).not.toContain('HP-2')
})

test('an export without a source, with two, or of a hidden board is refused with the reason', async () => {
  const w = await world()
  const { cork } = terminal(w, w.otto)
  for (const [words, code, message] of [
    [['--format', 'csv'], 2, 'either --project or --view'],
    [['--format', 'csv', '--project', '1', '--view', 'x'], 2, 'either --project or --view'],
    [['--format', 'pdf', '--project', '1'], 2, '--format'],
    [['--format', 'backlog', '--project', '1'], 2, 'Name the folder'],
    [['--format', 'csv', '--project', String(w.board.project_id)], 1, 'that you can see'],
    [[], 2, '--team'],
    [['--project', '1'], 2, 'either --format'],
    [['--team', '1', '--view', 'x'], 2, 'either --format'],
  ] as const) {
    const result = await cork('export', ...words)
    expect([result.code, result.err]).toEqual([code, expect.stringContaining(message)])
  }
})

test('a Backlog.md folder has the columns as statuses and a file for each task', async () => {
  const w = await world()
  const { logo, copy } = w.tasks
  await w.cleo['relations.create']({
    ...{ source_task_id: logo.task_id, target_task_id: copy.task_id },
    relation_type: 'BlockedBy',
  })
  const description =
    'In two colours.\n\n## Acceptance criteria\n\n- [x] It is blue\n- [ ] It is red\n\nThanks'
  await w.cleo['tasks.update']({ task_id: logo.task_id, description, content_type: 'markdown' })
  await w.cleo['comments.add']({
    ...{ task_id: logo.task_id, content_type: 'markdown' },
    text: 'Blue?\n\n---\n\n<!-- COMMENTS:END -->',
  })
  await w.ada['tasks.create']({
    ...{ project_id: w.board.project_id, title: 'Sketch', parent_task_id: logo.task_id },
    due_date: '2026-12-01T15:30:00Z',
  })
  const folder = join(createTemporaryFolder(), 'backlog')
  expect(await exportBacklog(w, `${folder}/`)).toEqual({ code: 0, out: `${folder}/`, err: '' })
  expect(Bun.YAML.parse(readFileSync(join(folder, 'config.yml'), 'utf8'))).toMatchObject({
    ...{ project_name: 'Home page', default_status: 'Inbox', task_prefix: 'hp' },
    statuses: ['Inbox', 'Next', 'Doing', 'Review', 'Done'],
  })
  expect(taskNames(folder)).toEqual([
    ...['hp-1 - Draw-the-logo.md', 'hp-2 - Write-the-copy.md', 'hp-3 - Mend-the-broken-link.md'],
    ...['hp-4 - Buy-the-domain.md', 'hp-5 - Sketch.md'],
  ])
  const { fields, body } = readTask(folder, 'hp-1 - Draw-the-logo.md')
  expect(fields).toEqual({
    ...{ id: 'HP-1', title: 'Draw the logo', status: 'Doing', assignee: ['Cleo'] },
    ...{ reporter: 'Ada', created_date: '2026-11-20 12:00', updated_date: '2026-11-20 12:00' },
    ...{ due_date: '2026-11-27 23:59', labels: ['ui'], dependencies: ['HP-2'], priority: 'high' },
    ...{ references: ['http://localhost/t/HP-1'], ordinal: 4000 },
  })
  expect(body).toBe(`
## Description

<!-- SECTION:DESCRIPTION:BEGIN -->
In two colours.

Thanks
<!-- SECTION:DESCRIPTION:END -->

## Acceptance Criteria

<!-- AC:BEGIN -->
- [x] #1 It is blue
- [ ] #2 It is red
<!-- AC:END -->

## Comments

<!-- COMMENTS:BEGIN -->
author: Cleo
created: 2026-11-20 12:00
---
Blue?

***

&lt;!-- COMMENTS:END -->
---
<!-- COMMENTS:END -->
`)
  const sketch = readTask(folder, 'hp-5 - Sketch.md').fields
  expect(sketch).toMatchObject({ parent_task_id: 'HP-1', due_date: '2026-12-01 15:30' })
})

test('a title cannot lead out of the folder, and long or empty names stay valid', async () => {
  const w = await world()
  const { project_id } = w.board
  const titles = ['../../etc/passwd', 'CON\u202e', '???', 'ä'.repeat(300), '"quoted": #yes\\']
  for (const title of titles) await w.ada['tasks.create']({ project_id, title })
  const folder = join(createTemporaryFolder(), 'backlog')
  expect((await exportBacklog(w, folder)).code).toBe(0)
  expect(taskNames(folder).slice(4)).toEqual([
    ...['hp-5 - ..-..-etc-passwd.md', 'hp-6 - CON.md', 'hp-7 - task.md'],
    ...[`hp-8 - ${'ä'.repeat(96)}.md`, 'hp-9 - quoted-yes.md'],
  ])
  expect(readTask(folder, 'hp-9 - quoted-yes.md').fields.title).toBe('"quoted": #yes\\')
})

test('a folder with other files is left alone, and --force replaces only tasks and configuration', async () => {
  const w = await world()
  const folder = createTemporaryFolder()
  expect((await exportBacklog(w, folder)).code).toBe(0)
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'docs', 'doc-1 - Guide.md'), 'Guide')
  writeFileSync(join(folder, 'tasks', 'readme.md'), 'About')
  await w.ada['tasks.update']({ task_id: w.tasks.logo.task_id, title: 'Draw a logo' })
  expect(await exportBacklog(w, folder)).toMatchObject({
    ...{ code: 1, err: expect.stringContaining('is not empty') },
  })
  expect((await exportBacklog(w, folder, '--force')).code).toBe(0)
  expect(taskNames(folder)).toEqual([
    ...['hp-1 - Draw-a-logo.md', 'hp-2 - Write-the-copy.md', 'hp-3 - Mend-the-broken-link.md'],
    ...['hp-4 - Buy-the-domain.md', 'readme.md'],
  ])
  expect(readFileSync(join(folder, 'docs', 'doc-1 - Guide.md'), 'utf8')).toBe('Guide')
  const other = createTemporaryFolder()
  writeFileSync(join(other, 'thesis.txt'), 'mine')
  expect(await exportBacklog(w, other, '--force')).toMatchObject({ code: 1 })
  expect(readdirSync(other)).toEqual(['thesis.txt'])
})

test('an export that breaks off leaves no file and no folder', async () => {
  const w = await world()
  const parent = createTemporaryFolder()
  const cut = async (request: Request) => {
    const response = await w.app.handle(request)
    if (!request.url.includes('/export')) return response
    return new Response((await response.text()).slice(0, 900))
  }
  const { cork } = terminal(w, w.cleo, { fetch: cut })
  const words = ['export', '--format', 'backlog', '--project', 'HP']
  const result = await cork(...words, join(parent, 'backlog'))
  expect([result.code, result.err]).toEqual([1, expect.stringContaining('broke off')])
  expect(readdirSync(parent)).toEqual([])
})
