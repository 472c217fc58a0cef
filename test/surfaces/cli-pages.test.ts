import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandIO } from '../../src/surfaces/cli/io.ts'
import { createTemporaryFolder, removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

async function pageTerminal(overrides: Partial<CommandIO> = {}) {
  const w = await world()
  const { cork } = terminal(w, w.cleo, overrides)
  return {
    w,
    cork,
    /** Runs a command that must succeed, and returns its output. */
    async line(...words: string[]) {
      const { code, out, err } = await cork(...words)
      expect([words, code, err]).toEqual([words, 0, ''])
      return out
    },
    read: (page_id: number) => w.cleo['pages.get']({ page_id }),
  }
}

const CREATE = ['pages', 'create', '--task', 'HP-1']

describe('a page on the command line', () => {
  test('is created on a task by its number or its key, with or without a title', async () => {
    const { w, line, read } = await pageTerminal()
    const task = String(w.tasks.logo.task_id)
    const words = ['pages', 'create', '--task', task, '--title', 'Colours', '--content', 'Red.']
    expect(await line(...words)).toStartWith('Created page 1 "Colours" http://localhost/p/pg_')
    expect(await line(...CREATE, '--content', '# Shapes\n\nRound.')).toContain('page 2 "Shapes"')
    expect(await read(1)).toMatchObject({ ticket_number: 'HP-1', title: 'Colours', version: 1 })
    const nested = JSON.parse(
      await line(...CREATE, '--content', 'Inner.', '--parent', '1', '--json'),
    )
    expect(await read(nested.page_id)).toMatchObject({ parent_page_id: 1, title: 'Inner.' })
  })

  test('is appended to, replaced and renamed, and each command prints what changed', async () => {
    const { line, read } = await pageTerminal()
    await line(...CREATE, '--title', 'Log', '--content', 'One.')
    expect(await line('pages', 'append', '1', '--content', 'Two.')).toStartWith(
      'Updated page 1 "Log": content http',
    )
    const before = ['--content', 'Zero.', '--mode', 'prepend', '--note', 'It began earlier']
    await line('pages', 'update', '1', ...before)
    expect((await read(1)).content).toBe('Zero.\n\nOne.\n\nTwo.')
    expect(await line('pages', 'versions', '1')).toContain('It began earlier')
    await line('pages', 'update', '1', '--content', 'New.', '--if-version', '3')
    await line('pages', 'update', '1', '--title', 'Diary')
    expect(await read(1)).toMatchObject({ content: 'New.', title: 'Diary', version: 5 })
    const same = await line('pages', 'update', '1', '--content', 'New.')
    expect(same).toStartWith('Nothing to change on page 1 "Diary"')
  })

  test('is HTML with --html, and a canvas with --canvas', async () => {
    const { line, read } = await pageTerminal()
    await line(...CREATE, '--html', '--content', '<p>One <b>bold</b></p>')
    expect(await read(1)).toMatchObject({ content_type: 'html', content: 'One **bold**\n' })
    await line('pages', 'append', '1', '--content', 'Two *slanted*', '--content-type', 'markdown')
    expect((await read(1)).content).toBe('One **bold**\n\nTwo *slanted*\n')
    await line('pages', 'update', '1', '--html', '--mode', 'append', '--content', '<p>Three</p>')
    expect((await read(1)).content).toEndWith('\n\nThree\n')
    const canvas = '<!doctype html><script>let x</script><p>Drawn</p>'
    await line(...CREATE, '--canvas', '--title', 'Sketch', '--content', canvas)
    expect(await read(2)).toMatchObject({ content_type: 'html', canvas: true, content: 'Drawn\n' })
    expect(await line('pages', 'source', '2')).toBe(canvas)
    await line('pages', 'update', '2', '--canvas', '--content', `${canvas}<p>More</p>`)
    expect(await line('pages', 'source', '2')).toBe(`${canvas}<p>More</p>`)
  })
})

describe('the text of a page', () => {
  test('is read from a markdown file or from standard input', async () => {
    const { line, read } = await pageTerminal({ input: async () => '- from a pipe\n' })
    const file = join(createTemporaryFolder(), 'notes.md')
    writeFileSync(file, '# From a file\n\n«one»\n')
    await line(...CREATE, '--markdown-file', file)
    expect(await read(1)).toMatchObject({
      ...{ title: 'From a file', content_type: 'markdown', content: '# From a file\n\n«one»\n' },
    })
    await line('pages', 'append', '1', '--markdown-file', '-')
    await line('pages', 'update', '1', '--mode', 'prepend', '--markdown-file', '-')
    writeFileSync(file, '\ufeff# From Windows\r\n')
    await line(...CREATE, '--markdown-file', file)
    expect(await read(2)).toMatchObject({ title: 'From Windows', content: '# From Windows\r\n' })
    expect((await read(1)).content).toMatch(
      /^- from a pipe\n\n# From[\s\S]*one»\n\n- from a pipe\n$/,
    )
  })

  test('is the same after "cork pages get" wrote it to a file and the file is sent again', async () => {
    const { line, read } = await pageTerminal()
    for (const [index, content] of ['# A\n\ntext', 'ends\n', '\n  keeps\n\n', 'é 🙂'].entries()) {
      await line(...CREATE, '--content', content)
      const file = join(createTemporaryFolder(), 'page.md')
      writeFileSync(file, await line('pages', 'get', String(index + 1)))
      expect(readFileSync(file, 'utf8')).toBe(content)
      expect(await line('pages', 'update', String(index + 1), '--markdown-file', file)).toStartWith(
        'Nothing to change on page',
      )
      expect((await read(index + 1)).version).toBe(1)
    }
    await line(...CREATE, '--html', '--content', '<p>One <b>bold</b></p>')
    const file = join(createTemporaryFolder(), 'page.md')
    writeFileSync(file, await line('pages', 'get', '5'))
    await line('pages', 'update', '5', '--markdown-file', file)
    expect(await read(5)).toMatchObject({ content: 'One **bold**\n', content_type: 'markdown' })
  })

  test('is refused as wrong usage if it is missing, not UTF-8 or given twice', async () => {
    const { w, cork } = await pageTerminal()
    const folder = createTemporaryFolder()
    writeFileSync(join(folder, 'latin.md'), Buffer.from('caf\xe9', 'latin1'))
    for (const [words, message] of [
      [['--markdown-file', join(folder, 'none.md')], 'none.md cannot be read'],
      [['--markdown-file', folder], 'cannot be read'],
      [['--markdown-file', join(folder, 'latin.md')], 'it is not UTF-8 text'],
      [['--markdown-file', '-', '--content', 'x'], ', not both'],
      [[], '--content or --markdown-file is required'],
      [
        ['--content', 'x', '--kind', 'poem'],
        '--kind must be one of page, description, exploration',
      ],
      [['--content', 'x', '--html', '--content-type', 'markdown'], 'conflicts with --content-type'],
    ] as const) {
      const { code, out, err } = await cork(...CREATE, ...words)
      expect([words, code, out]).toEqual([words, 2, ''])
      expect(err).toContain(message)
    }
    for (const [words, message] of [
      [['create', '--content', 'x'], 'needs --task'],
      [['get'], 'needs <page_id>'],
      [['update', '1', '--mode', 'insert'], '--mode must be one of replace, append, prepend'],
      [['append', '1'], '--content or --markdown-file is required'],
      [['search'], 'needs <query>'],
      [['remove', '1'], 'cork pages has no verb "remove"'],
    ] as const) {
      const { code, err } = await cork('pages', ...words)
      expect([words, code, err]).toEqual([words, 2, expect.stringContaining(message)])
    }
    expect(await w.changeTypes()).toEqual([])
  })
})

test('a page is printed as stored, but without control characters on a terminal', async () => {
  const { w, line } = await pageTerminal()
  const content = 'Red \u001b[31mink\u001b[0m'
  await line(...CREATE, '--content', content)
  expect(await line('pages', 'get', '1')).toBe(content)
  const { cork } = terminal(w, w.cleo, { screen: { colour: true, width: 80 } })
  expect((await cork('pages', 'get', '1')).out).not.toContain('\u001b')
  const { version, page_id } = JSON.parse(await line('pages', 'get', '1', '--json'))
  expect([version, page_id]).toEqual([1, 1])
})

test('a version conflict names who changed the page and the commands to continue with', async () => {
  const { w, cork, line } = await pageTerminal()
  await line(...CREATE, '--content', 'One.')
  await w.ben['pages.update']({ page_id: 1, content: 'Two.' })
  const staleUpdate = ['pages', 'update', '1', '--content', 'Three.', '--if-version', '1']
  const { code, err } = await cork(...staleUpdate)
  expect(code).toBe(1)
  for (const message of [
    'The page is at version 2, not 1: Ben changed it last',
    'cork pages get 1 --json',
    '--if-version 2',
  ])
    expect(err).toContain(message)
  const invalidVersion = await cork('pages', 'update', '1', '--content', 'x', '--if-version', '-1')
  expect(invalidVersion.err).toContain('--if-version')
  expect(invalidVersion.err).not.toContain('undefined')
  const { details } = JSON.parse((await cork(...staleUpdate, '--json')).err)
  expect(details).toMatchObject({ version: 2, current: 'Two.', updated_by: { name: 'Ben' } })
})

test('versions are listed, compared and restored', async () => {
  const { line, read } = await pageTerminal()
  await line(...CREATE, '--content', 'One.\n')
  await line('pages', 'update', '1', '--content', 'Two.\n')
  const versions = JSON.parse(await line('pages', 'versions', '1', '--json'))
  const first = versions.at(-1).version_id
  expect(await line('pages', 'diff', '1')).toContain('\n-One.\n+Two.\n')
  expect(await line('pages', 'diff', '1', '2', '1')).toContain('\n-Two.\n+One.\n')
  expect(await line('pages', 'restore', '1', String(first))).toStartWith('Restored page 1 "One."')
  expect(await read(1)).toMatchObject({ content: 'One.\n', version: 3 })
  expect(await line('pages', 'get', '1', '--version', '2')).toBe('Two.\n')
})

test('pages are listed by task and board, and archived with archive or its alias delete', async () => {
  const { w, cork, line } = await pageTerminal()
  await line(...CREATE, '--title', 'Here', '--content', 'x')
  await line(...CREATE, '--title', 'Within', '--content', 'x', '--parent', '1')
  await line('pages', 'create', '--task', 'HP-2', '--title', 'There', '--content', 'x')
  const titles = async (...words: string[]) =>
    JSON.parse(await line('pages', 'list', '--sort', 'title', ...words, '--json')).map(
      ({ title }: { title: string }) => title,
    )
  expect(await titles()).toEqual(['Here', 'There', 'Within'])
  expect(await titles('--task', 'HP-1')).toEqual(['Here', 'Within'])
  expect(await titles('--task', String(w.tasks.copy.task_id))).toEqual(['There'])
  expect(await titles('--project', 'HP')).toHaveLength(3)
  expect(await line('pages', 'delete', '3')).toBe('Archived page 3 "There"')
  expect(await line('pages', 'archive', '1')).toBe(
    'Archived page 1 "Here", and one page nested in it',
  )
  expect(await line('pages', 'archive', '1')).toBe('Page 1 "Here" is already archived')
  expect((await cork('pages', 'list')).err).toBe('Nothing to list')
  const archivedAppend = await cork('pages', 'append', '1', '--content', 'x')
  expect([archivedAppend.code, archivedAppend.err]).toEqual([
    1,
    expect.stringContaining('is archived'),
  ])
  expect((await cork('pages', 'get', '99')).code).toBe(1)
})

test('the help and the completion of cork pages have every flag', async () => {
  const { line } = await pageTerminal()
  const flags = {
    create: ['--task', '--title', '--content', '--markdown-file', '--html', '--canvas', '--parent'],
    append: ['--content', '--markdown-file', '--html', '--canvas', '--note'],
    update: [
      '--content',
      '--markdown-file',
      '--mode',
      '--if-version',
      '--note',
      '--html',
      '--canvas',
    ],
    list: ['--task', '--project'],
    get: ['--json'],
  }
  const script = await line('completion', 'bash')
  for (const [verb, names] of Object.entries(flags)) {
    const help = await line('pages', verb, '--help')
    const offers = new RegExp(`"pages ${verb}"\\) offers="([^"]*)"`).exec(script)![1]!
    for (const name of names) {
      expect([verb, help.replace('[no-]', '')]).toEqual([verb, expect.stringContaining(`${name}`)])
      expect([verb, offers.split(' ')]).toEqual([verb, expect.arrayContaining([name])])
    }
  }
  const verbs = /"pages"\) offers="([^"]*)"/.exec(script)![1]!.split(' ')
  const expectedVerbs = ['create', 'get', 'append', 'update', 'list', 'search', 'archive', 'delete']
  expect(verbs).toEqual(expect.arrayContaining(expectedVerbs))
})
