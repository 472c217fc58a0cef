import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { waitUntil } from '../support/wait.ts'
import { type BoardServer, startBoardServer } from './board-server.ts'
import { cleanUp, cork, createFolder } from './cork.ts'

/** Every command of pages, run with the built executable. */

let server: BoardServer
beforeAll(async () => {
  server = await startBoardServer()
})
afterAll(async () => {
  await server?.close()
  cleanUp()
})

async function createPage(body: object = {}) {
  const { ticket_number } = await server.createTask({ title: 'Fence' })
  const fields = { title: 'Log', content: 'Two coats.', ...body }
  const response = await server.http('POST', `/api/v1/tasks/${ticket_number}/pages`, {
    body: fields,
  })
  return { ...response.body.data, path: `/api/v1/pages/${response.body.data.page_id}` }
}

describe('on the command line', () => {
  const env = () => ({
    CORK_URL: server.url,
    CORK_TOKEN: server.apiKey,
    XDG_CONFIG_HOME: createFolder(),
  })
  const runCork = async (words: string[], input = '') => {
    const { out, err, code } = await cork(words, { env: env(), input })
    expect([words, code, err]).toEqual([words, 0, ''])
    return out
  }

  test('every pages command works with its flags', async () => {
    const { ticket_number, task_id } = await server.createTask({ title: 'Roof' })
    const createArgs = ['pages', 'create', '--task', String(task_id), '--title', 'Log']
    const page = JSON.parse(await runCork([...createArgs, '--content', 'One.', '--json']))
    const id = String(page.page_id)
    const file = join(createFolder(), 'more.md')
    writeFileSync(file, 'Two — «ü».\n')
    await runCork(['pages', 'append', id, '--markdown-file', file])
    await runCork(['pages', 'append', id, '--markdown-file', '-'], '- three\n')
    await runCork(['pages', 'append', id, '--html', '--content', '<p>Four <b>fat</b></p>'])
    expect(await runCork(['pages', 'get', id])).toBe(
      'One.\n\nTwo — «ü».\n\n- three\n\nFour **fat**\n',
    )
    expect(JSON.parse(await runCork(['pages', 'get', id, '--json']))).toMatchObject({ version: 4 })
    const noteFlags = ['--if-version', '4', '--note', 'Afresh', '--mode', 'replace']
    await runCork(['pages', 'update', id, '--content', 'New.', ...noteFlags])
    await runCork(['pages', 'update', id, '--content', 'Top.', '--mode', 'prepend'])
    expect(await runCork(['pages', 'versions', id])).toContain('Afresh')
    expect(await runCork(['pages', 'diff', id])).toContain('+Top.')
    const nestedArgs = [
      'pages',
      'create',
      '--task',
      ticket_number,
      '--parent',
      id,
      '--content',
      'In',
    ]
    await runCork(nestedArgs)
    const canvasFlags = ['--canvas', '--content', '<p>Drawn</p>', '--title', 'Art', '--json']
    const art = JSON.parse(
      await runCork(['pages', 'create', '--task', ticket_number, ...canvasFlags]),
    )
    expect(await runCork(['pages', 'source', String(art.page_id)])).toBe('<p>Drawn</p>')
    const listArgs = ['pages', 'list', '--task', ticket_number, '--project', 'HOM', '--json']
    expect(JSON.parse(await runCork(listArgs))).toHaveLength(3)
    await waitUntil(async () => {
      const found = JSON.parse(await runCork(['pages', 'search', 'art drawn', '--json']))
      return found.some((one: { title: string }) => one.title === 'Art')
    })
    expect(await runCork(['pages', 'archive', id])).toContain('and one page nested in it')
    expect(await runCork(['pages', 'delete', String(art.page_id)])).toStartWith('Archived page')
    const versions = JSON.parse(await runCork(['pages', 'versions', id, '--json']))
    await runCork(['pages', 'restore', id, String(versions.at(-1).version_id)])
    expect(await runCork(['pages', 'get', id])).toBe('One.')
  })

  test('a page read to a file is written back unchanged, and a closed pipe is no error', async () => {
    const content = `${'x'.repeat(79)}\n`.repeat(5000)
    const { page_id } = await createPage({ content })
    const script = `"$0" pages get ${page_id} > page.md; "$0" pages update ${page_id} --markdown-file page.md; "$0" pages get ${page_id} | head -c 5; "$0" pages update ${page_id} --markdown-file - < page.md`
    const cwd = createFolder()
    const run = Bun.spawn(['bash', '-c', script, binary], {
      ...{ cwd, env: { ...process.env, ...env() }, stdout: 'pipe', stderr: 'pipe' },
    })
    const [out, err] = [
      await new Response(run.stdout).text(),
      await new Response(run.stderr).text(),
    ]
    expect(readFileSync(join(cwd, 'page.md'), 'utf8')).toBe(content)
    expect(err).toBe('')
    expect(out.match(/Nothing to change on page/g)).toHaveLength(2)
    expect(out).toContain('\nxxxxx')
  })

  test('the exit code is 0 when done, 1 when refused and 2 for wrong usage', async () => {
    const { page_id, path } = await createPage()
    const id = String(page_id)
    const runPages = (words: string[], input: string | undefined = '') =>
      cork(['pages', ...words], { env: env(), input })
    expect((await runPages(['get', id])).code).toBe(0)
    const update = ['update', id, '--content', 'Mine', '--if-version']
    await server.http('PATCH', path, { body: { content: 'Yours' } })
    const conflict = await runPages([...update, '1'])
    expect([conflict.code, conflict.out]).toEqual([1, ''])
    for (const text of ['at version 2, not 1: Ada changed it last', `cork pages get ${id} --json`])
      expect(conflict.err).toContain(text)
    const fault = JSON.parse((await runPages([...update, '9', '--json'])).err)
    expect(fault.details).toMatchObject({ version: 2, current: 'Yours' })
    expect((await runPages(['get', '999999'])).code).toBe(1)
    for (const words of [
      ['get'],
      ['create', '--content', 'x'],
      ['create', '--task', 'HOM-1'],
      ['append', id, '--markdown-file', '/nowhere.md'],
      ['append', id, '--markdown-file', '-', '--content', 'x'],
      ['update', id, '--mode', 'sideways', '--content', 'x'],
      ['burn', id],
    ])
      expect([words, (await runPages(words)).code]).toEqual([words, 2])
    const child = Bun.spawn([binary, 'pages', 'append', id, '--markdown-file', '-'], {
      ...{ env: { ...process.env, ...env() }, stderr: 'pipe' },
      stdin: new Blob([Uint8Array.of(0x63, 0x61, 0x66, 0xe9)]),
    })
    const err = await new Response(child.stderr).text()
    expect([await child.exited, err]).toEqual([2, expect.stringContaining('not UTF-8 text')])
  })

  test('inbox move puts a task into the inbox of a user, who must be named', async () => {
    const { ticket_number } = await server.createTask({ title: 'Look at this' })
    const output = await runCork(['inbox', 'move', ticket_number, '--user', 'Ada'])
    expect(output).toBe(`Moved ${ticket_number} to the inbox of user ${server.user_id}\n`)
    expect(await runCork(['inbox', 'list'])).toContain('Look at this')
    expect((await cork(['inbox', 'move', ticket_number], { env: env() })).code).toBe(2)
  })
})
