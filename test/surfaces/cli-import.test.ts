import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { catalog } from '../../src/catalog.ts'
import { report } from '../../src/commands/report.ts'
import type { Source } from '../../src/import/source.ts'
import { SOURCES } from '../../src/import/sources/index.ts'
import type { Values } from '../../src/surfaces/cli/command.ts'
import { importFiles } from '../../src/surfaces/cli/import/index.ts'
import type { CommandIO } from '../../src/surfaces/cli/io.ts'
import {
  board,
  harbour,
  origin,
  recordsSource,
  type TestRecord,
  task,
} from '../import/records-source.ts'
import { createTemporaryFolder, removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { type World, world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

const sources = { records: async () => recordsSource }

/** Writes a file into a new folder, and returns its path. */
function write(path: string, content: unknown): string {
  const file = join(createTemporaryFolder(), path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const withoutFiles = harbour.filter((record) => !('attachment' in record))

interface Setup {
  io?: Partial<CommandIO>
  sources?: Record<string, () => Promise<Source>>
  actor?: { secret: string }
}

/** Runs `cork import` with a source that reads records, as Ada if nobody else is named. */
async function runImport(w: World, paths: string[], values: Values, setup: Setup = {}) {
  const output = { out: [] as string[], err: [] as string[] }
  const { io } = terminal(w, setup.actor ?? w.ada, {
    out: (text) => output.out.push(text),
    err: (text) => output.err.push(text),
    ...setup.io,
  })
  let code: number
  try {
    const given = { sources, ...setup }
    code = await importFiles({ catalog, io, values, paths, sources: given.sources })
  } catch (error) {
    code = report(error, values.json !== undefined, io)
  }
  return { code, out: output.out.join('\n'), err: output.err.join('\n') }
}

/** The titles of the tasks on a board, by column. */
async function titlesOn(w: World, key: string): Promise<Record<string, string[]>> {
  const boards = (await w.ada['projects.list']({})) as unknown as {
    items: { key: string; project_id: number }[]
  }
  const { project_id } = boards.items.find((one) => one.key === key)!
  const { sections, cards } = (await w.ada['projects.board']({ project_id })) as unknown as {
    sections: { section_id: number; title: string }[]
    cards: { section_id: number; title: string }[]
  }
  return Object.fromEntries(
    sections.map(({ section_id, title }) => [
      title,
      cards.filter((card) => card.section_id === section_id).map((card) => card.title),
    ]),
  )
}

test('a file is imported to new boards, and the end names them and how to undo it', async () => {
  const w = await world()
  const file = write('records.json', withoutFiles)
  const { code, out, err } = await runImport(w, [file], { yes: '' })
  expect([code, err.split('\n')]).toEqual([
    0,
    ['Reading Records: 4 tasks', 'Importing: 15 records'],
  ])
  expect(out).toMatch(/^Imported from Records: \d+ created, \d+ unchanged\n/)
  expect(out).toMatch(/\nDOCK {2}Docks {2}http:\/\/localhost\/projects\/\d+\n/)
  expect(out).toMatch(/\n\nUndo it: cork imports undo \d+$/)
  expect(await titlesOn(w, 'DOCK')).toEqual({
    'To do': ['Paint the hull', 'Order paint'],
    Doing: [],
    Done: ['Repair the boat'],
  })
})

test('a second import updates what changed in the file, and keeps what was changed here', async () => {
  const w = await world()
  await runImport(w, [write('records.json', withoutFiles)], { yes: '' })
  await w.ada['tasks.update']({ ticket_number: 'DOCK-1', title: 'Varnish the hull' })
  const changed = withoutFiles.map((record) =>
    'task' in record && record.task.id !== '3'
      ? { task: { ...record.task, title: `${record.task.title} soon` } }
      : record,
  )
  const { code, out } = await runImport(w, [write('records.json', changed)], { yes: '' })
  expect(code).toBe(0)
  expect(out).toContain('2 updated')
  expect(out).toContain(
    'Changed here and there, so kept as they are here:\n  DOCK-1 Paint the hull soon',
  )
  expect((await titlesOn(w, 'DOCK'))['To do']).toEqual(['Varnish the hull', 'Order paint soon'])
})

test('a dry run shows boards, people, priorities, fields, samples and losses, and changes nothing', async () => {
  const w = await world()
  const records = harbour.map((record) =>
    'person' in record && record.person.id === 'ben'
      ? { person: { id: 'ben', name: 'Cleo' } }
      : record,
  )
  const file = write('records.json', records)
  const { code, out } = await runImport(w, [file], { 'dry-run': '' })
  expect(code).toBe(0)
  expect(out).toBe(
    [
      'Records: Harbour',
      '4 tasks, 2 comments, 2 files, 1 time entry, 2 relations',
      '',
      'Boards',
      'TITLE   BECOMES         TASKS  COLUMNS',
      'Docks   new board DOCK  3      To do, Doing, Done',
      'Office  new board OFF   1      To do, Doing, Done',
      '',
      'People',
      'NAME  EMAIL                USES  BECOMES',
      'Ana   ana@harbour.example  3     placeholder',
      'Cleo                       2     Cleo (by name)',
      'Olga                       1     placeholder',
      '',
      'Priorities',
      '  Highest (1 task) becomes urgent',
      '  Later (1 task) becomes none, because the word is unknown',
      '',
      'Custom fields',
      '  Points of Docks: Points (number), 1 value',
      '  Tide of Docks: Tide (select), 0 values',
      '',
      'Samples',
      'KEY     TITLE            BOARD   COLUMN  ASSIGNEES  COMMENTS',
      'DOCK-1  Paint the hull   Docks   To do   Ana        2',
      '        Order paint      Docks   To do              0',
      '        Repair the boat  Docks   Done               0',
      '        Pay the invoice  Office  To do   Olga       0',
      '',
      'Cannot be imported',
      '  task.mood: tasks have no mood (1)',
      '  A sticky note: notes have no place (1)',
    ].join('\n'),
  )
  const asJson = JSON.parse((await runImport(w, [file], { 'dry-run': '', json: '' })).out)
  expect(Object.keys(asJson)).toEqual(['plan', 'mapping', 'preview'])
  expect(await w.ada['imports.list']({ team_id: w.team_id })).toMatchObject({ items: [] })
})

test('titles from a file cannot control the terminal', async () => {
  const w = await world()
  const records = [
    { origin: { id: 'o', title: 'Har\u001b[2Jbour' } },
    board('docks', 'Do\u001b[31mcks'),
    task('1', 'Sail', { priority: 'Ra\u0007re' }),
    { note: 'A no\u001b]0;te' },
  ]
  const file = write('records.json', records)
  const dry = await runImport(w, [file], { 'dry-run': '' })
  const real = await runImport(w, [file], { yes: '' })
  expect([dry.code, real.code]).toEqual([0, 0])
  expect(dry.out + dry.err + real.out + real.err).not.toMatch(/(?!\n)\p{Cc}/u)
})

test('a dry run needs no login, but an import does', async () => {
  const w = await world()
  const file = write('records.json', harbour)
  const env = { XDG_CONFIG_HOME: createTemporaryFolder(), CORK_URL: 'http://localhost' }
  const dry = await runImport(w, [file], { 'dry-run': '' }, { io: { env } })
  expect([dry.code, dry.err]).toEqual([0, expect.stringContaining('cork login')])
  expect(dry.out).toContain('Records: Harbour')
  const real = await runImport(w, [file], { yes: '' }, { io: { env } })
  expect([real.code, real.err]).toEqual([1, expect.stringContaining('You are not signed in')])
})

test('a mapping is written, edited and used, and its mistakes are refused', async () => {
  const w = await world()
  const file = write('records.json', withoutFiles)
  const mapping = join(createTemporaryFolder(), 'mapping.json')
  const written = await runImport(w, [file], { 'write-mapping': mapping })
  expect([written.code, written.out]).toEqual([0, mapping])
  expect(await runImport(w, [file], { 'write-mapping': mapping })).toMatchObject({
    ...{ code: 1, err: expect.stringContaining('already exists') },
  })
  const edited = JSON.parse(readFileSync(mapping, 'utf8'))
  edited.boards[0].title = 'Quay'
  edited.boards[0].key = 'QUAY'
  edited.boards[0].columns[2].title = 'Finished'
  edited.boards[1].skip = true
  edited.people[0].user_id = w.cleo.caller.actor_id
  edited.people.push({ id: 'zoe', user_id: 'placeholder' })
  writeFileSync(mapping, JSON.stringify(edited))
  const { code, err } = await runImport(w, [file], { mapping })
  expect([code, err]).toEqual([
    0,
    expect.stringContaining(`${mapping}: people[3] "zoe" is not in the imported files`),
  ])
  expect(await titlesOn(w, 'QUAY')).toMatchObject({ Finished: ['Repair the boat'] })
  const task = await w.ada['tasks.get']({ ticket_number: 'QUAY-1' })
  expect(task).toMatchObject({ assignees: [{ name: 'Cleo' }] })
  edited.boards[0].columns[0].done = 'yes'
  writeFileSync(mapping, JSON.stringify(edited))
  expect(await runImport(w, [file], { mapping })).toMatchObject({
    ...{ code: 1, out: '' },
    err: expect.stringContaining(`${mapping}, field boards[0].columns[0].done: `),
  })
})

test('tasks come to a board that is named, and not to another one later', async () => {
  const w = await world()
  const file = write('records.json', withoutFiles)
  expect((await runImport(w, [file], { yes: '', project: 'HP' })).code).toBe(0)
  expect(Object.values(await titlesOn(w, 'HP')).flat()).toContain('Paint the hull')
  const other = (await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Pier', sections: [{ title: 'To do' }] },
  })) as {
    project_id: number
  }
  const again = await runImport(w, [file], { yes: '', project: `${other.project_id}` })
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('Leave out --project')])
  const both = await runImport(w, [file], { yes: '', project: 'HP', team: '1' })
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('leave out --team')])
})

test('a person at a terminal sees the plan and confirms it, and a script must confirm', async () => {
  const w = await world()
  const file = write('records.json', withoutFiles)
  const answers = ['n', 'y']
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    return answers.shift()!
  }
  const refused = await runImport(w, [file], {}, { io: { ask } })
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Nothing was imported.')])
  expect(refused.err).toContain('Docks   new board DOCK')
  expect(questions).toEqual(['\nImport 4 tasks to http://localhost? (y/N) '])
  expect((await runImport(w, [file], {}, { io: { ask } })).code).toBe(0)
  const script = await runImport(w, [file], {})
  expect([script.code, script.err]).toEqual([2, expect.stringContaining('confirm')])
})

test('Ctrl+C pauses after the call in progress, and the same command continues', async () => {
  const w = await world()
  const many: TestRecord[] = [
    ...[origin, board('docks', 'Docks', { key: 'DOCK' })],
    ...Array.from({ length: 120 }, (_, at) => task(`${at}`, `Task ${at}`)),
  ]
  const file = write('records.json', many)
  let interrupt = () => {}
  let writes = 0
  const io: Partial<CommandIO> = {
    onInterrupt: (handler) => {
      interrupt = handler
      return () => {}
    },
    fetch: async (request) => {
      if (request.url.endsWith('/records') && ++writes === 2) interrupt()
      return w.app.handle(request)
    },
  }
  const paused = await runImport(w, [file], { yes: '' }, { io })
  expect([paused.code, paused.out, writes]).toEqual([130, '', 2])
  expect(paused.err).toContain('Paused. Run the same command again to continue.')
  const done = await runImport(w, [file], { yes: '', json: '' })
  const { outcomes, boards, import: imported } = JSON.parse(done.out)
  expect(done.code).toBe(0)
  expect(outcomes.created + outcomes.unchanged).toBe(121)
  expect(outcomes.created).toBeGreaterThan(50)
  expect(boards).toMatchObject([{ key: 'DOCK', url: expect.stringContaining('/projects/') }])
  expect(imported).toMatchObject({ state: 'finished', tasks: 120 })
})

test('lost connections and overload are retried, and a refusal stops the import', async () => {
  const w = await world()
  const file = write('records.json', withoutFiles)
  const waits: number[] = []
  const failing = (...answers: (() => Response)[]): Partial<CommandIO> => ({
    sleep: async (wait) => void waits.push(wait),
    fetch: async (request) => {
      const answer = request.url.endsWith('/records') ? answers.shift() : undefined
      return answer ? answer() : w.app.handle(request)
    },
  })
  const refusal = (status: number, details: object) => () =>
    Response.json(
      { success: false, error: 'Error', message: 'Not now', hint: 'Wait', details },
      { status },
    )
  const gone = () => {
    throw Object.assign(new Error('refused'), { code: 'ConnectionRefused' })
  }
  const proxy = () => new Response('<h1>Bad gateway</h1>', { status: 502 })
  const io = failing(gone, refusal(429, { retry_after: 9 }), proxy)
  expect((await runImport(w, [file], { yes: '' }, { io })).code).toBe(0)
  expect(waits).toEqual([500, 9000, 2000])
  const stopped = await runImport(w, [file], { yes: '' }, { io: failing(refusal(400, {})) })
  expect([stopped.code, stopped.err]).toEqual([
    1,
    expect.stringMatching(
      /The import stopped\. Run the same command again.*\n(.*\n)?Not now\. Wait$/,
    ),
  ])
})

test('files that the server cannot take are listed at the end', async () => {
  const w = await world()
  const records = [
    ...harbour.filter((record) => !('attachment' in record)).slice(0, -2),
    { attachment: { id: 'f1', task: '2', filename: 'offer.txt', text: 'Blue' } },
    { attachment: { id: 'f2', task: '2', filename: 'a.pdf', url: 'ftp://harbour.example/a' } },
  ]
  const { code, out, err } = await runImport(w, [write('records.json', records)], { yes: '' })
  expect(code).toBe(0)
  expect(err).toContain('Importing files: 2 files')
  expect(out).toMatch(/\nFiles that could not be imported:\n {2}a\.pdf: .+\n/)
  const task = await w.ada['tasks.get']({ ticket_number: 'DOCK-2' })
  expect(task).toMatchObject({ attachment_count: 1 })
})

test('in a folder only the files of a source are read, and never packages', async () => {
  const w = await world()
  const file = write('boards/.tool/records.json', withoutFiles)
  const root = dirname(dirname(dirname(file)))
  for (const other of ['README.md', 'node_modules/x/records.json', '.git/records.json']) {
    mkdirSync(dirname(join(root, other)), { recursive: true })
    writeFileSync(join(root, other), 'broken')
  }
  const { code, out } = await runImport(w, [root], { 'dry-run': '' })
  expect([code, out.split('\n')[0]]).toEqual([0, 'Records: Harbour'])
  const empty = await runImport(w, [createTemporaryFolder()], { 'dry-run': '' })
  expect([empty.code, empty.err]).toEqual([
    1,
    'The folder contains no files of a source. These can be imported:\n  records  Records: a file records.json',
  ])
})

test('an address is downloaded through the API of its product, with its token', async () => {
  const w = await world()
  const requests: [string, string | null][] = []
  const withApi: Source = {
    ...recordsSource,
    api: {
      token: 'RECORDS_TOKEN',
      matches: ({ hostname }) => hostname === 'records.example',
      async *download({ url, token, fetch, onProgress }) {
        const response = await fetch(url, { headers: { authorization: `${token}` } })
        onProgress('half of it')
        const bytes = await response.bytes()
        yield { path: 'records.json', size: bytes.length, bytes: async () => bytes }
      },
    },
  }
  const io = {
    env: {
      ...{ XDG_CONFIG_HOME: createTemporaryFolder(), CORK_URL: 'http://localhost' },
      ...{ CORK_TOKEN: w.ada.secret, RECORDS_TOKEN: 'secret' },
    },
    fetch: async (request: Request) => {
      if (!request.url.startsWith('https://records.example/')) return w.app.handle(request)
      if (request.url.endsWith('offline'))
        throw Object.assign(new Error('refused'), { code: 'ConnectionRefused' })
      requests.push([request.url, request.headers.get('authorization')])
      return Response.json(withoutFiles)
    },
  }
  const setup = { io, sources: { records: async () => withApi } }
  const address = 'https://records.example/board/1'
  expect((await runImport(w, [address], { yes: '' }, setup)).code).toBe(0)
  expect((await runImport(w, [address], { yes: '', token: 'other' }, setup)).code).toBe(0)
  expect(requests).toEqual([
    [address, 'secret'],
    [address, 'other'],
  ])
  const offline = await runImport(w, ['https://records.example/offline'], { yes: '' }, setup)
  expect([offline.code, offline.err]).toEqual([
    1,
    expect.stringContaining('records.example cannot be reached: refused'),
  ])
  const wrong = await runImport(w, ['https://elsewhere.example/'], { yes: '' }, setup)
  expect([wrong.code, wrong.err]).toEqual([
    1,
    'No source downloads from elsewhere.example. Import an exported file instead, or name one of these with --from:\n  records  Records (token: RECORDS_TOKEN)',
  ])
})

test('missing, unknown and damaged files are refused with the reason, and nothing is written', async () => {
  const w = await world()
  const broken = write('records.json', '[{"origin": ')
  for (const [paths, values, code, message] of [
    [['/nowhere/records.json'], {}, 1, 'File not found: /nowhere/records.json'],
    [[write('photo.png', 'x')], {}, 1, 'No source recognizes photo.png. These can be imported:'],
    [[broken], { from: 'trello' }, 1, 'There is no source "trello". These can be imported:'],
    [[broken], {}, 1, 'records.json, line 1, column 13: The file is not valid JSON'],
    [['https://a.example', broken], {}, 2, 'Import one address at a time'],
    [[createTemporaryFolder(), broken], {}, 2, 'Import one folder at a time'],
    [[write('records.json', harbour)], { mapping: '/nowhere.json' }, 1, 'cannot be read'],
  ] as [string[], Values, number, string][]) {
    const result = await runImport(w, paths, { ...values, yes: '' })
    expect([result.code, result.err]).toEqual([code, expect.stringContaining(message)])
  }
  expect(await w.ada['imports.list']({ team_id: w.team_id })).toMatchObject({ items: [] })
})

test('a member who may not manage the team is refused before anything is read from the server', async () => {
  const w = await world()
  const file = write('records.json', withoutFiles)
  const { code, err } = await runImport(w, [file], { yes: '', json: '' }, { actor: w.cleo })
  expect(code).toBe(1)
  expect(JSON.parse(err.split('\n').at(-1)!)).toMatchObject({ success: false })
})

test('cork import reads a team file on this machine, and everything else for the server', async () => {
  const w = await world()
  const { cork } = terminal(w, w.ada)
  const team = write('team.jsonl', '{"format":"corkboard-team","version":1}\n')
  const damaged = await cork('import', team, '--dry-run')
  expect([damaged.code, damaged.err]).toEqual([1, expect.stringContaining('was cut short')])
  const flags = await cork('import', team, '--yes')
  expect([flags.code, flags.err]).toEqual([2, expect.stringContaining('leave out --yes')])
  const other = write('photo.png', 'x')
  const unknown = await cork('import', other)
  expect([unknown.code, unknown.err]).toEqual([
    1,
    expect.stringContaining('No source recognizes photo.png'),
  ])
  const data = await cork('import', other, '--data', dirname(other))
  expect([data.code, data.err]).toEqual([1, expect.stringContaining('is damaged')])
  expect(existsSync(join(dirname(other), 'corkboard.db'))).toBe(false)
})

test('--columns says what columns of a CSV file are', async () => {
  const w = await world()
  const file = write('boats.csv', 'Which boat,Skipper,Colour\nAnna,Cleo,red\n')
  const columns = 'Which boat=title,Skipper=assignees,Colour=ignore'
  const result = await runImport(w, [file], { yes: '', columns }, { sources: SOURCES })
  expect([result.code, result.err]).toEqual([0, expect.anything()])
  const { items } = await w.ada['tasks.list']({ query: 'Anna' })
  expect(items).toMatchObject([{ title: 'Anna', assignees: [{ name: 'Cleo' }] }])
  const again = await runImport(w, [file], { yes: '' }, { sources: SOURCES })
  expect(again.out).toMatch(/^Imported from CSV: \d+ unchanged\n/)
  const wrong = await runImport(
    w,
    [file],
    { yes: '', columns: 'Skipper=boss' },
    { sources: SOURCES },
  )
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('A column can be title')])
})

test('a mapping says what columns of a CSV file are', async () => {
  const w = await world()
  const file = write('boats.csv', 'Which boat,Skipper,Colour\nAnna,Cleo,red\n')
  const mapping = write('mapping.json', { columns: { Skipper: 'title', Colour: 'ignore' } })
  await runImport(w, [file], { yes: '', mapping }, { sources: SOURCES })
  expect((await w.ada['tasks.list']({ query: 'Cleo' })).items).toMatchObject([{ title: 'Cleo' }])
  const wrong = write('mapping.json', { columns: { Skipper: 'boss' } })
  expect(
    await runImport(w, [file], { yes: '', mapping: wrong }, { sources: SOURCES }),
  ).toMatchObject({ code: 1, err: expect.stringContaining('field columns.Skipper: ') })
})

test('a second import has the mapping of the first one', async () => {
  const w = await world()
  const file = write('records.json', withoutFiles)
  const columns = [{ from: 'To do', title: 'Waiting', done: false }]
  const mapping = write('mapping.json', { boards: [{ id: 'docks', columns }] })
  await runImport(w, [file], { yes: '', mapping })
  const { out } = await runImport(w, [file], { yes: '' })
  expect(out).toMatch(/^Imported from Records: \d+ unchanged\n/)
  expect(Object.keys(await titlesOn(w, 'DOCK'))).toEqual(['Waiting', 'Doing', 'Done'])
})
