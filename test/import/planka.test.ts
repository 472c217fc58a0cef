import { describe, expect, test } from 'bun:test'
import { type SourceFile, textFile } from '../../src/import/source.ts'
import { planka } from '../../src/import/sources/planka/index.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const id = (n: number) => `13571585680080${String(n).padStart(5, '0')}`
const CREATED = '2026-03-01T09:00:00.000Z'
const [file] = await fixtureFiles('planka/planka-2.json')
const document = JSON.parse(new TextDecoder().decode(await file!.bytes()))
const harbour = await readSource(planka, [file!])
const old = await readSource(planka, await fixtureFiles('planka/planka-1.json'))
const taskOf = (n: number) => recordsOf(harbour, 'task').find((task) => task.id === id(n))

describe('Planka board', () => {
  test('each field of both versions is declared', () => {
    expectAllFields(planka, harbour, old)
  })

  test('a board keeps its lists, labels and custom fields', () => {
    expect(recordsOf(harbour, 'origin')).toEqual([{ id: id(1), title: 'Harbour' }])
    expect(recordsOf(harbour, 'board')).toEqual([
      {
        id: id(1),
        title: 'Harbour',
        description: 'Port\n\nAll *boats*',
        columns: [{ title: 'To do' }, { title: 'Doing' }, { title: 'Shipped', done: true }],
        labels: [
          { name: 'egg yellow', color: '#f9c423' },
          { name: 'Urgent', color: '#e83855' },
          { name: 'Odd' },
        ],
        fields: [
          { name: 'Boat: Length', type: 'text' },
          { name: 'Sizes: Length', type: 'text' },
          { name: 'Berth', type: 'text' },
          { name: 'List', type: 'text' },
          { name: 'Type', type: 'text' },
          { name: 'Stopwatch minutes', type: 'number' },
        ],
      },
    ])
    expect(recordsOf(harbour, 'person')).toEqual([
      { id: id(11), name: 'Ana', email: 'ana@example.com' },
      { id: id(12), name: 'ben' },
    ])
  })

  test('a card becomes a task with everything it holds', () => {
    expect(taskOf(101)).toEqual({
      id: id(101),
      board: id(1),
      column: 'To do',
      title: 'Paint the hull',
      content_type: 'markdown',
      description: `After [Buy \\[paint\\]](task:${id(102)}), see [this](task:${id(102)}) and @Ben, \
not https://planka.example/cards/${id(999)}

## Steps

- [x] Sand it (ben)
- [ ] [Buy \\[paint\\]](task:${id(102)})

## Links

- [Chart](<https://example.com/a%20chart>)`,
      due_date: '2026-03-10T15:30:00.000Z',
      labels: ['Urgent', 'egg yellow'],
      assignees: [id(12)],
      created_by: id(11),
      created_at: CREATED,
      updated_at: '2026-03-02T09:00:00.000Z',
      fields: [
        { name: 'Boat: Length', value: '12 m' },
        { name: 'Sizes: Length', value: '9 m' },
        { name: 'Berth', value: '4' },
        { name: 'Type', value: 'story' },
        { name: 'Stopwatch minutes', value: 90 },
      ],
    })
  })

  test('completed cards are in a column for what is done', () => {
    expect(taskOf(103)).toMatchObject({
      column: 'Shipped',
      completed_at: '2026-03-05T12:00:00.000Z',
    })
    expect(taskOf(102)).toMatchObject({
      column: 'Shipped',
      fields: [{ name: 'List', value: 'Doing' }],
    })
  })

  test('an archived card keeps its list, and a card in the trash is left out', () => {
    expect(taskOf(104)).toMatchObject({ column: 'Doing', archived: true })
    expect(taskOf(105)).toBeUndefined()
    expect(harbour.losses).toEqual([
      '1 card: it has no id, or the id of another card',
      '1 card: it is in the trash',
      'Attachment of "Paint the hull": it has no address',
      expect.stringContaining('1 attachment: Planka gives files only with a token'),
    ])
  })

  test('comments, attachments and relations belong to their tasks', () => {
    expect(recordsOf(harbour, 'comment')).toEqual([
      {
        id: id(301),
        task: id(101),
        text: 'First',
        content_type: 'markdown',
        created_at: CREATED,
      },
      {
        id: id(302),
        task: id(101),
        text: 'Second @Ana',
        content_type: 'markdown',
        author: id(12),
        created_at: '2026-03-03T09:00:00.000Z',
        edited_at: '2026-03-03T10:00:00.000Z',
      },
    ])
    expect(recordsOf(harbour, 'attachment')).toEqual([
      {
        id: id(81),
        task: id(101),
        filename: 'hull.png',
        url: 'https://planka.example/attachments/81/download/hull.png',
        content_type: 'image/png',
        created_by: id(11),
        created_at: CREATED,
      },
    ])
    expect(recordsOf(harbour, 'relation')).toEqual([
      { kind: 'related', first: id(101), second: id(102) },
    ])
  })

  test('a board of Planka 1 has one task list per card, and comments in its history', () => {
    expect(recordsOf(old, 'task')[0]).toMatchObject({
      column: 'Done',
      description: '## Tasks\n\n- [ ] Cut',
      fields: [
        { name: 'List', value: 'To do' },
        { name: 'Stopwatch minutes', value: 1 },
      ],
    })
    expect(recordsOf(old, 'comment')).toHaveLength(1)
    expect(recordsOf(old, 'comment')[0]).toMatchObject({ text: 'Done *well*', author: id(11) })
    expect(recordsOf(old, 'attachment')[0]).toMatchObject({ filename: 'rope.jpg' })
  })
})

describe('Planka files', () => {
  test('a board of Planka is detected, and other JSON is not', async () => {
    expect(await planka.detects([file!])).toBe(true)
    expect(await planka.detects(await fixtureFiles('planka/planka-1.json'))).toBe(true)
    expect(await planka.detects(await fixtureFiles('trello/harbour.json'))).toBe(false)
  })

  test('a broken file is refused with its location and a remedy', async () => {
    const broken = [textFile('board.json', '{"included":{"cardMemberships":[\n{"id":')]
    expect(readSource(planka, broken)).rejects.toThrow(/^board.json, line 2, column \d+: .*again/)
    expect(readSource(planka, [textFile('board.json', '{"item":{}}')])).rejects.toThrow(
      'board.json, field included.lists: This is not a board of Planka',
    )
  })
})

describe('Planka API', () => {
  const base = 'https://planka.example/port'
  const options = (fetch: unknown, token?: string) => ({
    url: `${base}/boards/${id(1)}`,
    token,
    fetch: fetch as typeof globalThis.fetch,
    onProgress() {},
    signal: new AbortController().signal,
  })

  function answer(address: string): unknown {
    const { pathname, searchParams } = new URL(address)
    const { comments, baseCustomFieldGroups, ...included } = document.included
    const { cards } = included
    const inArchive = (card: { listId: string } | null) => card?.listId === id(24)
    const isFirst = !searchParams.size
    if (pathname === `/port/api/boards/${id(1)}`)
      return {
        item: document.item,
        included: {
          ...included,
          cards: cards.filter((card: { listId: string } | null) => !inArchive(card)),
          attachments: [
            {
              ...included.attachments[0],
              data: { url: `${base}/attachments/81/download/hull.png`, size: 3 },
            },
            included.attachments[1],
          ],
        },
      }
    if (pathname.endsWith(`/lists/${id(24)}/cards`))
      return { items: isFirst ? cards.filter(inArchive) : [], included: { tasks: [] } }
    if (pathname.endsWith(`/cards/${id(101)}/comments`))
      return { items: isFirst ? comments : [], included: { users: document.included.users } }
    if (pathname.endsWith(`/projects/${id(2)}`)) return { included: { baseCustomFieldGroups } }
    return undefined
  }

  test('it reads the addresses of boards', () => {
    const matches = (url: string) => planka.api!.matches(new URL(url))
    expect(matches(`${base}/boards/${id(1)}`)).toBe(true)
    expect(matches('https://example.com/boards/12')).toBe(false)
  })

  test('it downloads archived cards, comments, field groups and files', async () => {
    const fetch = async (address: string, init: { headers: Record<string, string> }) => {
      expect(init.headers).toEqual({ 'x-api-key': 'KEY' })
      if (address.endsWith('.png')) return new Response('PNG')
      const body = answer(address)
      return body ? Response.json(body) : new Response('', { status: 404 })
    }
    const files: SourceFile[] = []
    for await (const item of planka.api!.download(options(fetch, 'KEY'))) files.push(item)
    const reading = await readSource(planka, files)
    expect(recordsOf(reading, 'task')).toEqual(recordsOf(harbour, 'task'))
    expect(recordsOf(reading, 'comment')).toEqual(recordsOf(harbour, 'comment'))
    const [attachment] = recordsOf(reading, 'attachment')
    expect(new TextDecoder().decode(await attachment!.bytes!())).toBe('PNG')
  })

  test('a missing token and a missing board are explained', async () => {
    const download = (fetch: unknown, token?: string) =>
      Array.fromAsync(planka.api!.download(options(fetch, token)))
    expect(download(undefined)).rejects.toThrow('set PLANKA_TOKEN')
    expect(download(async () => new Response('', { status: 404 }), 'KEY')).rejects.toThrow(
      `Planka does not find https://planka.example/port/api/boards/${id(1)}`,
    )
  })
})
