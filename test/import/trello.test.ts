import { describe, expect, test } from 'bun:test'
import { type SourceFile, textFile } from '../../src/import/source.ts'
import { trello } from '../../src/import/sources/trello/index.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const id = (n: number) => `67c2d080000000000000${n.toString(16).padStart(4, '0')}`
const CREATED = '2025-03-01T09:16:48.000Z'
const CHANGED = '2026-03-02T08:00:00.000Z'
const harbour = await readSource(trello, await fixtureFiles('trello/harbour.json'))
const old = await readSource(trello, await fixtureFiles('trello/old.json'))
const taskOf = (n: number) => recordsOf(harbour, 'task').find((task) => task.id === id(n))

describe('Trello board', () => {
  test('each field of an export is declared', () => {
    expectAllFields(trello, harbour, old)
  })

  test('a board keeps its lists, labels and custom fields', () => {
    expect(recordsOf(harbour, 'origin')).toEqual([{ id: id(1), title: 'Harbour' }])
    expect(recordsOf(harbour, 'board')).toEqual([
      {
        id: id(1),
        title: 'Harbour',
        description: 'All *boats*',
        columns: [
          { title: 'To do' },
          { title: 'Doing', wip_limit: 3 },
          { title: 'Doing (2)', hidden: true },
          { title: 'Done', done: true },
        ],
        labels: [
          { name: 'Urgent', color: '#f87168' },
          { name: 'urgent (dark green)', color: '#1f845a' },
          { name: 'sky', color: '#6cc3e0' },
          { name: 'Storm' },
          { name: 'Calm' },
          { name: 'Template' },
        ],
        fields: [
          { name: 'Hours', type: 'number' },
          { name: 'Risk', type: 'select', options: ['High', 'Low'] },
          { name: 'Launch', type: 'date' },
          { name: 'Checked', type: 'checkbox' },
          { name: 'Votes', type: 'text' },
          { name: 'Votes (2)', type: 'number' },
          { name: 'Location', type: 'text' },
          { name: 'Repeats', type: 'text' },
          { name: 'List', type: 'text' },
        ],
      },
    ])
  })

  test('people are the members, and those of the history who left', () => {
    expect(recordsOf(harbour, 'person')).toEqual([
      { id: id(0x11), name: 'Ana', email: 'ana@example.com' },
      { id: id(0x12), name: 'ben' },
      { id: id(0x13), name: 'Cleo' },
      { id: id(0x99), name: 'Olga' },
    ])
  })

  test('a card becomes a task with everything it holds', () => {
    expect(taskOf(0x101)).toEqual({
      id: id(0x101),
      board: id(1),
      column: 'To do',
      title: 'Paint the hull',
      key: 'CardNo01',
      content_type: 'markdown',
      description: `Blue, as on [Buy \\*paint\\*](task:${id(0x102)}) and [the plan](task:${id(0x103)}).
[Buy \\*paint\\*](task:${id(0x102)} "smartCard-inline") but not https://trello.com/c/Elsewher/9-other

## Steps

- [x] Sand it
- [ ] Paint (ben, due 2026-03-08)

## Tools

- [ ] Brush

## Links

- [Colour \\[chart\\]](<https://example.com/chart>)
- [Paint shop](<https://example.com/paint%20shop>)`,
      start_date: '2026-03-01T09:00:00.000Z',
      due_date: '2026-03-10T15:30:00.000Z',
      recurrence: 'FREQ=WEEKLY;BYDAY=MO',
      labels: ['Urgent', 'urgent (dark green)', 'sky', 'Template'],
      assignees: [id(0x11), id(0x99)],
      created_by: id(0x12),
      created_at: CREATED,
      updated_at: CHANGED,
      fields: [
        { name: 'Hours', value: 2.5 },
        { name: 'Risk', value: 'High' },
        { name: 'Launch', value: '2026-04-01' },
        { name: 'Checked', value: true },
        { name: 'Votes', value: 'Berth 4' },
        { name: 'Votes (2)', value: 2 },
        { name: 'Location', value: 'Dry dock, Pier 7, 53.5, 9.9' },
      ],
    })
  })

  test('a completed card moves to a column for what is done and keeps the name of its list', () => {
    expect(taskOf(0x103)).toMatchObject({
      column: 'Done',
      completed_at: '2026-03-05T12:00:00.000Z',
      fields: [{ name: 'List', value: 'Doing' }],
    })
  })

  test('cards that are archived, or in an archived list, become archived tasks', () => {
    expect(taskOf(0x102)).toMatchObject({ archived: true, column: 'To do', created_by: id(0x13) })
    expect(taskOf(0x105)).toMatchObject({ archived: true, column: 'Doing (2)' })
  })

  test('a card that mirrors another one has its name', () => {
    expect(taskOf(0x105)!.title).toBe('Varnish the deck')
  })

  test('a long title is complete in the description', () => {
    const { title, description } = taskOf(0x106)!
    expect(title).toHaveLength(500)
    expect(description).toEndWith('carefully\n\nTwo lines.')
  })

  test('comments are in order, with their authors and edits', () => {
    const comment = { task: id(0x101), content_type: 'markdown' as const }
    expect(recordsOf(harbour, 'comment')).toEqual([
      {
        ...comment,
        id: id(0x202),
        text: 'First coat',
        author: id(0x99),
        created_at: '2026-03-02T10:00:00.000Z',
      },
      {
        ...comment,
        id: id(0x203),
        text: `Second coat after [Buy \\*paint\\*](task:${id(0x102)})`,
        author: id(0x11),
        created_at: '2026-03-03T10:00:00.000Z',
        edited_at: '2026-03-03T11:00:00.000Z',
      },
    ])
  })

  test('uploaded files are attachments, and attached or mirrored cards are relations', () => {
    expect(recordsOf(harbour, 'attachment')).toEqual([
      {
        id: id(0x81),
        task: id(0x101),
        filename: 'hull.png',
        url: 'https://trello.com/1/cards/x/attachments/y/download/hull.png',
        content_type: 'image/png',
        created_by: id(0x11),
        created_at: '2026-03-01T10:00:00.000Z',
      },
    ])
    expect(recordsOf(harbour, 'relation')).toEqual([
      { kind: 'related', first: id(0x101), second: id(0x102) },
      { kind: 'related', first: id(0x105), second: id(0x103) },
    ])
  })

  test('separators and damaged cards are left out, and losses are reported', () => {
    expect(recordsOf(harbour, 'task')).toHaveLength(5)
    expect(harbour.losses).toEqual([
      '3 cards: it has no id, or the id of another card',
      'A value of card "Paint the hull": its custom field was deleted',
      'Assignee of "Paint the hull": the export does not name this person',
      'Repeat of "Buy *paint*": Corkboard has no such rule; see its field',
      expect.stringContaining('It is in the description'),
      'Attachment of "Paint the hull": it has no address',
      expect.stringContaining('1 attachment: Trello gives private files only'),
      '1 comment: the card was deleted',
      '2 changes: the history is not imported, only its comments',
    ])
  })

  test('an old export names labels by their colors', () => {
    expect(recordsOf(old, 'board')[0]!.labels).toEqual([
      { name: 'Rope', color: '#4bce97' },
      { name: 'red', color: '#f87168' },
    ])
    expect(recordsOf(old, 'task')[0]).toMatchObject({ column: 'Done', labels: ['Rope', 'red'] })
    expect(recordsOf(old, 'attachment')[0]).toMatchObject({ filename: 'rope.jpg' })
  })
})

describe('Trello files', () => {
  test('an export of Trello is detected, and other JSON is not', async () => {
    for (const path of ['harbour', 'old'])
      expect(await trello.detects(await fixtureFiles(`trello/${path}.json`))).toBe(true)
    const actions = 'x'.repeat(500_000)
    const last = `{"actions":"${actions}","idOrganization":null,"url":"https://trello.com/b/x"}`
    expect(await trello.detects([textFile('board.json', last)])).toBe(true)
    expect(await trello.detects([textFile('board.json', '{"lists":[],"cards":[]}')])).toBe(false)
    expect(await trello.detects([textFile('a.csv', 'id,name')])).toBe(false)
  })

  test('a broken file is refused with its line and a remedy', async () => {
    const text = '{"idOrganization":null,\n"url":"https://trello.com/b/x",\n"cards":[{"name":"Cut'
    expect(readSource(trello, [textFile('broken.json', text)])).rejects.toThrow(
      /^broken.json, line 3, column 18: .* Download it again; it may have been cut short$/,
    )
  })

  test('a file without cards, and several boards, are refused', async () => {
    const single = readSource(trello, [textFile('a.json', '{"lists":[]}')])
    expect(single).rejects.toThrow('a.json, field cards: This is not the export of a Trello board')
    const [file] = await fixtureFiles('trello/harbour.json')
    expect(readSource(trello, [file!, { ...file!, path: 'b.json' }])).rejects.toThrow(
      'b.json: There are 2 boards. Import the JSON export of one board at a time',
    )
  })
})

describe('Trello API', () => {
  const options = (fetch: unknown, token = 'KEY:TOKEN') => ({
    url: 'https://trello.com/b/HarbourB/harbour',
    token,
    fetch: fetch as typeof globalThis.fetch,
    onProgress() {},
    signal: new AbortController().signal,
  })

  test('it reads the addresses of boards', () => {
    const matches = (url: string) => trello.api!.matches(new URL(url))
    expect(matches('https://trello.com/b/HarbourB/harbour')).toBe(true)
    expect(matches('https://trello.com/c/CardNo01')).toBe(false)
    expect(matches('https://trello.com.example/b/HarbourB')).toBe(false)
  })

  test('it downloads all pages of the history, and files with the token', async () => {
    const board = JSON.parse(
      new TextDecoder().decode(await (await fixtureFiles('trello/harbour.json'))[0]!.bytes()),
    )
    const comment = (n: number) => ({
      id: id(0x1000 + n),
      type: 'commentCard',
      idMemberCreator: id(0x11),
      date: '2026-03-04T10:00:00.000Z',
      data: { text: `Comment ${n}`, card: { id: id(0x101) } },
    })
    const history = Array.from({ length: 1500 }, (_, n) => comment(1500 - n))
    const requests: string[] = []
    const fetch = async (address: string, { headers }: { headers: Record<string, string> }) => {
      const { pathname, searchParams } = new URL(address)
      requests.push(`${pathname} ${searchParams.get('before') ?? ''}`.trim())
      expect(headers.authorization).toBe('OAuth oauth_consumer_key="KEY", oauth_token="TOKEN"')
      if (pathname.endsWith('/cards/all')) return Response.json(board.cards)
      if (pathname.endsWith('/actions')) {
        const before = searchParams.get('before') ?? 'z'
        return Response.json(history.filter((item) => item.id < before).slice(0, 1000))
      }
      if (pathname.endsWith('/hull.png')) return new Response('PNG')
      const { cards: _, actions: __, ...plain } = board
      return Response.json(plain)
    }
    const files: SourceFile[] = []
    for await (const file of trello.api!.download(options(fetch))) files.push(file)
    const reading = await readSource(trello, files)
    expect(recordsOf(reading, 'comment')).toHaveLength(1500)
    const [attachment] = recordsOf(reading, 'attachment')
    expect(attachment).not.toHaveProperty('url')
    expect(new TextDecoder().decode(await attachment!.bytes!())).toBe('PNG')
    expect(requests).toEqual([
      '/1/boards/HarbourB',
      '/1/boards/HarbourB/cards/all',
      '/1/boards/HarbourB/actions',
      `/1/boards/HarbourB/actions ${id(0x1000 + 501)}`,
      '/1/cards/x/attachments/y/download/hull.png',
    ])
  })

  test('a token without a key, and a refused one, are explained', async () => {
    const download = (fetch: unknown, token?: string) =>
      Array.fromAsync(trello.api!.download(options(fetch, token)))
    expect(download(undefined, 'TOKEN')).rejects.toThrow('TRELLO_TOKEN=KEY:TOKEN')
    expect(download(async () => new Response('', { status: 401 }))).rejects.toThrow(
      'Trello refuses the token',
    )
  })
})
