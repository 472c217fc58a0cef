import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { cork, folder, sweep } from './cork.ts'
import { type House, openHouse } from './house.ts'
import { soon } from './players.ts'

/** Every command of pages, run with the built executable. */

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(async () => {
  await house?.close()
  sweep()
})

async function write(body: object = {}) {
  const { ticket_number } = await house.create({ title: 'Fence' })
  const sent = { title: 'Log', content: 'Two coats.', ...body }
  const made = await house.http('POST', `/api/v1/tasks/${ticket_number}/pages`, { body: sent })
  return { ...made.body.data, path: `/api/v1/pages/${made.body.data.page_id}` }
}

describe('on the command line', () => {
  const env = () => ({ CORK_URL: house.url, CORK_TOKEN: house.key, XDG_CONFIG_HOME: folder() })
  const line = async (words: string[], input = '') => {
    const { out, err, code } = await cork(words, { env: env(), input })
    expect([words, code, err]).toEqual([words, 0, ''])
    return out
  }

  test('every pages command works with its flags', async () => {
    const { ticket_number, task_id } = await house.create({ title: 'Roof' })
    const create = ['pages', 'create', '--task', String(task_id), '--title', 'Log']
    const page = JSON.parse(await line([...create, '--content', 'One.', '--json']))
    const id = String(page.page_id)
    const file = join(folder(), 'more.md')
    writeFileSync(file, 'Two — «ü».\n')
    await line(['pages', 'append', id, '--markdown-file', file])
    await line(['pages', 'append', id, '--markdown-file', '-'], '- three\n')
    await line(['pages', 'append', id, '--html', '--content', '<p>Four <b>fat</b></p>'])
    expect(await line(['pages', 'get', id])).toBe('One.\n\nTwo — «ü».\n\n- three\n\nFour **fat**\n')
    expect(JSON.parse(await line(['pages', 'get', id, '--json']))).toMatchObject({ version: 4 })
    const note = ['--if-version', '4', '--note', 'Afresh', '--mode', 'replace']
    await line(['pages', 'update', id, '--content', 'New.', ...note])
    await line(['pages', 'update', id, '--content', 'Top.', '--mode', 'prepend'])
    expect(await line(['pages', 'versions', id])).toContain('Afresh')
    expect(await line(['pages', 'diff', id])).toContain('+Top.')
    const nested = ['pages', 'create', '--task', ticket_number, '--parent', id, '--content', 'In']
    await line(nested)
    const drawn = ['--canvas', '--content', '<p>Drawn</p>', '--title', 'Art', '--json']
    const art = JSON.parse(await line(['pages', 'create', '--task', ticket_number, ...drawn]))
    expect(await line(['pages', 'source', String(art.page_id)])).toBe('<p>Drawn</p>')
    const listed = ['pages', 'list', '--task', ticket_number, '--project', 'HOM', '--json']
    expect(JSON.parse(await line(listed))).toHaveLength(3)
    await soon(async () => {
      const found = JSON.parse(await line(['pages', 'search', 'art drawn', '--json']))
      return found.some((one: { title: string }) => one.title === 'Art')
    })
    expect(await line(['pages', 'archive', id])).toContain('and one page nested in it')
    expect(await line(['pages', 'delete', String(art.page_id)])).toStartWith('Archived page')
    const versions = JSON.parse(await line(['pages', 'versions', id, '--json']))
    await line(['pages', 'restore', id, String(versions.at(-1).version_id)])
    expect(await line(['pages', 'get', id])).toBe('One.')
  })

  test('a page read to a file is written back unchanged, and a closed pipe is no error', async () => {
    const content = `${'x'.repeat(79)}\n`.repeat(5000)
    const { page_id } = await write({ content })
    const script = `"$0" pages get ${page_id} > page.md; "$0" pages update ${page_id} --markdown-file page.md; "$0" pages get ${page_id} | head -c 5; "$0" pages update ${page_id} --markdown-file - < page.md`
    const cwd = folder()
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
    const { page_id, path } = await write()
    const id = String(page_id)
    const ending = (words: string[], input: string | undefined = '') =>
      cork(['pages', ...words], { env: env(), input })
    expect((await ending(['get', id])).code).toBe(0)
    const update = ['update', id, '--content', 'Mine', '--if-version']
    await house.http('PATCH', path, { body: { content: 'Yours' } })
    const late = await ending([...update, '1'])
    expect([late.code, late.out]).toEqual([1, ''])
    for (const said of ['at version 2, not 1: Ada changed it last', `cork pages get ${id} --json`])
      expect(late.err).toContain(said)
    const told = JSON.parse((await ending([...update, '9', '--json'])).err)
    expect(told.details).toMatchObject({ version: 2, current: 'Yours' })
    expect((await ending(['get', '999999'])).code).toBe(1)
    for (const words of [
      ['get'],
      ['create', '--content', 'x'],
      ['create', '--task', 'HOM-1'],
      ['append', id, '--markdown-file', '/nowhere.md'],
      ['append', id, '--markdown-file', '-', '--content', 'x'],
      ['update', id, '--mode', 'sideways', '--content', 'x'],
      ['burn', id],
    ])
      expect([words, (await ending(words)).code]).toEqual([words, 2])
    const latin = Bun.spawn([binary, 'pages', 'append', id, '--markdown-file', '-'], {
      ...{ env: { ...process.env, ...env() }, stderr: 'pipe' },
      stdin: new Blob([Uint8Array.of(0x63, 0x61, 0x66, 0xe9)]),
    })
    const err = await new Response(latin.stderr).text()
    expect([await latin.exited, err]).toEqual([2, expect.stringContaining('not UTF-8 text')])
  })

  test('inbox move puts a task into the inbox of a user, who must be named', async () => {
    const { ticket_number } = await house.create({ title: 'Look at this' })
    const move = await line(['inbox', 'move', ticket_number, '--user', 'Ada'])
    expect(move).toBe(`Moved ${ticket_number} to the inbox of user ${house.user_id}\n`)
    expect(await line(['inbox', 'list'])).toContain('Look at this')
    expect((await cork(['inbox', 'move', ticket_number], { env: env() })).code).toBe(2)
  })
})
