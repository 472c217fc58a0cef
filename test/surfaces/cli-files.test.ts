import { afterAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { emptyFolder } from '../support/database.ts'
import { removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

/** Creates a folder with these files and returns its path. */
function createFiles(files: Record<string, string | Uint8Array>): string {
  const folder = emptyFolder()
  Bun.spawnSync(['mkdir', folder])
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

test('local files are attached by their paths, with name, type and size', async () => {
  const w = await world()
  const { ticket_number, task_id } = w.tasks.logo
  const folder = createFiles({ 'plan b.md': '# Plan', 'a,b.txt': 'x' })
  const { cork } = terminal(w, w.cleo)
  const paths = ['--file', join(folder, 'plan b.md'), '--file', join(folder, 'a,b.txt')]
  const attached = await cork('attachments', 'attach', ticket_number, ...paths)
  expect([attached.code, attached.err]).toEqual([0, ''])
  const { items } = await w.cleo['attachments.list']({ task_id })
  expect(items.map(({ filename, content_type, size }) => [filename, content_type, size])).toEqual([
    ['plan b.md', 'text/markdown', 6],
    ['a,b.txt', 'text/plain', 1],
  ])
  const list = await cork('attachments', 'list', ticket_number)
  expect(list.out).toContain('plan b.md')
})

test('files are attached while a task is created or updated', async () => {
  const w = await world()
  const folder = createFiles({ 'a.txt': 'x' })
  const { cork } = terminal(w, w.cleo)
  const path = join(folder, 'a.txt')
  const created = await cork('tasks', 'create', w.board.key, 'Sign', '--file', path, '--json')
  const { task_id } = JSON.parse(created.out)
  expect((await w.cleo['attachments.list']({ task_id })).items).toHaveLength(1)
  const updated = await cork('tasks', 'update', String(task_id), '--attachments', path)
  expect(updated.code).toBe(0)
  expect((await w.cleo['attachments.list']({ task_id })).items).toHaveLength(2)
})

test('a file given by URL is fetched by the server and keeps the name in the URL', async () => {
  const w = await world()
  w.config.allowHosts.push('127.0.0.1')
  using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('hi') })
  const { cork } = terminal(w, w.cleo)
  const url = `http://127.0.0.1:${server.port}/deep/notes.txt?token=1#top`
  const { ticket_number, task_id } = w.tasks.logo
  expect((await cork('attachments', 'attach', ticket_number, '--file', url)).code).toBe(0)
  const { items } = await w.cleo['attachments.list']({ task_id })
  expect(items[0]).toMatchObject({ filename: 'notes.txt', content_type: 'text/plain' })
})

test('a download is saved to the given path, and replaces an existing file only with --force', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const created = await w.cleo['attachments.create']({
    task_id,
    files: [{ filename: 'a.txt', content_type: 'text/plain', data: btoa('saved') }],
  })
  const id = String(created.attachments[0]!.attachment_id)
  const target = join(createFiles({ taken: 'mine' }), 'b.txt')
  const { cork } = terminal(w, w.cleo)
  const save = (...words: string[]) => cork('attachments', 'download', ...words)
  expect(await save(id, target)).toEqual({ code: 0, out: target, err: '' })
  expect(readFileSync(target, 'utf8')).toBe('saved')
  expect(JSON.parse((await save(id, target, '--force', '--json')).out)).toMatchObject({
    ...{ filename: 'a.txt', file: target },
  })
  const existingFile = join(dirname(target), 'taken')
  expect(await save(id, existingFile)).toMatchObject({
    code: 1,
    err: expect.stringContaining('--force'),
  })
  expect(readFileSync(existingFile, 'utf8')).toBe('mine')
  expect((await save(id, '/nowhere/c.txt')).err).toContain('could not be written')
  expect(readdirSync(dirname(target)).sort()).toEqual(['b.txt', 'taken'])
  expect((await save('x')).code).toBe(2)
  expect((await save('999')).err).toContain('no attachment 999')
  const stranger = terminal(w, w.otto)
  expect((await stranger.cork('attachments', 'download', id, target)).code).toBe(1)
})

test('a missing path or too large files are refused before anything is uploaded', async () => {
  const w = await world()
  const { ticket_number, task_id } = w.tasks.logo
  const { cork } = terminal(w, w.cleo)
  const attach = (...paths: string[]) =>
    cork('attachments', 'attach', ticket_number, ...paths.flatMap((path) => ['--file', path]))
  const missing = await attach('/nowhere/a.txt')
  expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('cannot be read')])
  const folder = createFiles({ a: new Uint8Array(3_000_000), b: new Uint8Array(145_729) })
  const large = await attach(join(folder, 'a'), join(folder, 'b'))
  expect([large.code, large.err]).toEqual([1, expect.stringContaining('attachments/upload')])
  expect((await cork('attachments', 'attach', ticket_number)).code).toBe(2)
  expect((await w.cleo['attachments.list']({ task_id })).items).toEqual([])
})
