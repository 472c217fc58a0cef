import { expect, test } from 'bun:test'
import type { PreviewInput } from '../../src/import/api.ts'
import { applyMapping, type MappedRecord } from '../../src/import/apply-mapping.ts'
import { defaultMapping, type Mapping, previewPlan } from '../../src/import/mapping.ts'
import { earlierColumns, keepEdits, parseMapping } from '../../src/import/mapping-file.ts'
import { planImport } from '../../src/import/plan.ts'
import { ImportProblem } from '../../src/import/problem.ts'
import { readRecords } from '../../src/import/read-records.ts'
import { FakeServer } from './fake-server.ts'
import {
  board,
  harbour,
  origin,
  person,
  recordsFile,
  recordsSource,
  type TestRecord,
  task,
} from './records-source.ts'

async function proposed(records: readonly TestRecord[] = harbour) {
  const plan = await planImport(recordsSource, [recordsFile(records)])
  const preview = await previewPlan(new FakeServer(), plan, 1)
  return { plan, mapping: defaultMapping(plan, preview) }
}

async function applied(mapping: Mapping, records: readonly TestRecord[] = harbour) {
  const report = { fields: { add() {} }, lose() {} } as never
  const result: MappedRecord[] = []
  const read = readRecords(recordsSource, [recordsFile(records)], report)
  for await (const record of applyMapping(read, mapping)) result.push(record)
  return result
}

type Kinds = { [R in MappedRecord as keyof R & string]: R[keyof R] }
const only = <K extends keyof Kinds>(records: MappedRecord[], kind: K): Kinds[K][] =>
  records.flatMap((record) => (kind in record ? [(record as unknown as Kinds)[kind]] : []))

test('the preview asks about the people who are used and about the boards, in parts', async () => {
  const requests: PreviewInput[] = []
  const server = new FakeServer()
  const api = {
    preview: (input: PreviewInput) => {
      requests.push(input)
      return server.preview(input)
    },
  }
  await previewPlan(api, (await proposed()).plan, 5)
  const head = { team_id: 5, source: 'records', origin: origin.origin }
  expect(requests).toEqual([
    {
      ...head,
      people: [
        { id: 'ana', name: 'Ana', email: 'ana@harbour.example' },
        { id: 'ben', name: 'Ben' },
        { id: 'olga', name: 'Olga' },
      ],
      boards: [
        { id: 'docks', title: 'Docks', key: 'DOCK' },
        { id: 'office', title: 'Office' },
      ],
    },
  ])
  requests.length = 0
  const people = Array.from({ length: 5001 }, (_, at) => person(`p${at}`, `Person ${at}`))
  const everybody = people.map(({ person: { id } }) => id)
  const tasks = Array.from({ length: 6 }, (_, at) =>
    task(`${at}`, 'Sail', { assignees: everybody.slice(at * 1000, at * 1000 + 1000) }),
  )
  const large = await proposed([origin, ...people, board('docks', 'Docks'), ...tasks])
  const preview = await previewPlan(api, large.plan, 5)
  expect(requests.map((one) => [one.people.length, one.boards.length])).toEqual([
    [5000, 1],
    [1, 0],
  ])
  expect(preview.people).toHaveLength(5001)
  await previewPlan(api, (await proposed([origin])).plan, 5)
  expect(requests.at(-1)).toEqual({ ...head, people: [], boards: [] })
})

test('the proposal imports everything, with the members and keys that the server found', async () => {
  const { plan, mapping } = await proposed()
  expect(mapping).toEqual({
    source: 'records',
    boards: [
      {
        ...{ id: 'docks', title: 'Docks', key: 'DOCK' },
        columns: [
          { from: 'To do', title: 'To do' },
          { from: 'Doing', title: 'Doing' },
          { from: 'Done', title: 'Done', done: true },
        ],
        fields: [
          { from: 'Points', name: 'Points', type: 'number' },
          { from: 'Tide', name: 'Tide', type: 'select' },
        ],
      },
      expect.objectContaining({ id: 'office', title: 'Office', key: 'NEW' }),
    ],
    people: [
      { id: 'ana', name: 'Ana', user_id: 3 },
      { id: 'ben', name: 'Ben', user_id: 'placeholder' },
      { id: 'olga', name: 'Olga', user_id: 'placeholder' },
    ],
    priorities: [
      { from: 'Highest', priority: 1 },
      { from: 'Later', priority: 0 },
      { from: 3, priority: 3 },
    ],
  })
  const earlier = {
    import: null,
    mapping: null,
    people: [],
    boards: [{ id: 'docks', project_id: 4, key: 'D' }],
  }
  expect(defaultMapping(plan, earlier).boards.map(({ project_id }) => project_id)).toEqual([
    4,
    undefined,
  ])
})

test('people are sent before the first record that names them, and others never', async () => {
  const { mapping } = await proposed()
  const records = await applied(mapping, [...harbour])
  const order = records.map((record) => {
    const [[kind, content]] = Object.entries(record) as [[string, { id?: string }]]
    return `${kind} ${content.id}`
  })
  expect(order.slice(0, 6)).toEqual([
    ...['origin harbour', 'board docks', 'board office', 'person ana', 'task 1', 'person ben'],
  ])
  expect(only(records, 'person')).toEqual([
    { id: 'ana', name: 'Ana', email: 'ana@harbour.example', user_id: 3 },
    { id: 'ben', name: 'Ben', user_id: null },
    { id: 'olga', name: 'Olga', user_id: null },
  ])
})

test('a skipped board takes its tasks, their parts, people and relations along', async () => {
  const { mapping } = await proposed()
  mapping.boards[1]!.skip = true
  const records = await applied(mapping)
  expect(only(records, 'board').map(({ id }) => id)).toEqual(['docks'])
  expect(only(records, 'task').map(({ id }) => id)).toEqual(['1', '2', '3'])
  expect(only(records, 'person').map(({ id }) => id)).toEqual(['ana', 'ben'])
  expect(only(records, 'attachment').map(({ id }) => id)).toEqual(['f1'])
  expect(only(records, 'relation')).toEqual([{ kind: 'blocks', first: '2', second: '1' }])
})

test('columns are renamed and merged, fields renamed, converted and left out', async () => {
  const { mapping } = await proposed()
  const [docks] = mapping.boards
  docks!.title = 'Quay'
  docks!.project_id = 9
  docks!.columns[1]!.title = 'To do'
  docks!.columns[2] = { from: 'Done', title: 'Finished', done: false }
  docks!.fields = [
    { from: 'Points', name: 'Story points', type: 'text' },
    { from: 'Tide', name: 'Tide', type: 'select', skip: true },
  ]
  mapping.priorities[0]!.priority = 2
  const records = await applied(mapping)
  expect(only(records, 'board')[0]).toEqual({
    ...{ id: 'docks', title: 'Quay', key: 'DOCK', project_id: 9, labels: [{ name: 'boat' }] },
    columns: [{ title: 'To do' }, { title: 'Finished', done: false }],
    fields: [{ name: 'Story points', type: 'text' }],
  })
  expect(only(records, 'task').map((one) => [one.column, one.priority, one.fields])).toEqual([
    ['To do', 2, [{ name: 'Story points', value: '3' }]],
    ['To do', 0, undefined],
    ['Finished', 3, undefined],
    ['To do', undefined, undefined],
  ])
})

test('a board that the mapping does not know is refused', async () => {
  const { mapping } = await proposed()
  mapping.boards.pop()
  expect(applied(mapping)).rejects.toThrow('The mapping does not contain the board "Office"')
})

test('a saved mapping is the same after it is parsed', async () => {
  const { plan, mapping } = await proposed()
  mapping.boards[1]!.skip = true
  mapping.people[1]!.user_id = 12
  const parsed = parseMapping(JSON.stringify(mapping), plan, (await proposed()).mapping)
  expect(parsed).toEqual({ mapping, unused: [] })
})

test('what a file does not name stays as proposed, and what only it names is reported', async () => {
  const { plan, mapping } = await proposed()
  const file = {
    boards: [
      {
        id: 'docks',
        columns: [
          { from: 'Doing', title: 'In work' },
          { from: 'Drydock', title: 'To do' },
        ],
        fields: [{ from: 'Tide', skip: true }],
      },
      { id: 'beach', skip: true },
    ],
    people: [{ id: 'zoe', user_id: 2 }],
    priorities: [{ from: 'Later', priority: 4 }],
  }
  const parsed = parseMapping(JSON.stringify(file), plan, mapping)
  const docks = parsed.mapping.boards[0]!
  expect(docks.columns.map(({ title }) => title)).toEqual(['To do', 'In work', 'Done'])
  expect(docks.fields).toEqual([
    { from: 'Points', name: 'Points', type: 'number' },
    { from: 'Tide', name: 'Tide', type: 'select', skip: true },
  ])
  expect(parsed.mapping.people).toEqual(mapping.people)
  expect(parsed.mapping.priorities.map(({ priority }) => priority)).toEqual([1, 4, 3])
  expect(parsed.unused).toEqual([
    ...['boards[1] "beach"', 'people[0] "zoe"', 'boards[0].columns[1] "Drydock"'],
  ])
})

test('names such as constructor and __proto__ are mapped like others', async () => {
  const records: TestRecord[] = [
    origin,
    board('constructor', 'Docks', { columns: [{ title: '__proto__' }] }),
    task('toString', 'Sail', { board: 'constructor', column: '__proto__', priority: '__proto__' }),
  ]
  const { mapping, plan } = await proposed(records)
  const parsed = parseMapping(JSON.stringify(mapping), plan, mapping)
  expect(only(await applied(parsed.mapping, records), 'task')).toEqual([
    { id: 'toString', board: 'constructor', column: '__proto__', title: 'Sail', priority: 0 },
  ])
})

test('a wrong mapping file is refused with the file, the field and the next step', async () => {
  const { plan, mapping } = await proposed()
  const docks = (more: object) => ({ boards: [{ id: 'docks', ...more }] })
  for (const [file, words] of [
    ['{"boards": [', 'map.json, line 1, column 13: The file is not valid JSON'],
    [[], 'map.json: The mapping is not valid: expected object, not []'],
    [{ source: 'trello' }, 'map.json, field source: The mapping is for "trello"'],
    [{ board: [] }, 'map.json, field board: The mapping is not valid: unexpected property'],
    [{ priorities: [{ from: 'Low', priority: 7 }] }, 'field priorities[0].priority'],
    [{ people: [{ id: 'ana', user_id: 'Ana' }] }, 'field people[0].user_id'],
    [{ people: [{ user_id: 1 }] }, 'field people[0].id'],
    [docks({ columns: [{ title: 'Sea' }] }), 'field boards[0].columns[0].from'],
    [
      docks({ fields: [{ from: 'Points', type: 'url' }] }),
      'map.json, field boards[0].fields "Points": The field "Points" of "Docks" has values that do not fit the type url. Use one of: number, text',
    ],
    [docks({ fields: [{ from: 'Tide', name: 'points' }] }), 'would have the name "points"'],
  ] as const) {
    const text = typeof file === 'string' ? file : JSON.stringify(file)
    let problem: unknown
    try {
      parseMapping(text, plan, mapping, 'map.json')
    } catch (error) {
      problem = error
    }
    expect(problem).toBeInstanceOf(ImportProblem)
    expect((problem as Error).message).toContain(words)
  }
})

test('edits are kept if the files are read differently, unless they do not fit', async () => {
  const { plan, mapping } = await proposed()
  const [docks] = mapping.boards
  const columns = [{ from: 'Doing', title: 'Now' }]
  const edits = { ...mapping, boards: [{ ...docks!, title: 'Quay', columns, fields: [] }] }
  const quay = keepEdits(edits, plan, mapping).boards[0]!
  expect([quay.title, quay.columns[1]!.title, quay.fields]).toEqual(['Quay', 'Now', docks!.fields])
  const fields = [{ from: 'Tide', name: 'Points', type: 'text' as const }]
  expect(keepEdits({ ...edits, boards: [{ ...docks!, fields }] }, plan, mapping)).toBe(mapping)
})

test('the columns of the last import are known unless its mapping is damaged', () => {
  const preview = { import: null, people: [], boards: [] }
  const columnsIn = (mapping: string | null) => earlierColumns({ ...preview, mapping })
  expect(columnsIn('{"columns": {"Boat": "title"}}')).toEqual({ Boat: 'title' })
  for (const text of [null, '{}', '{', '{"columns": {"Boat": "ship"}}'])
    expect(columnsIn(text)).toBeUndefined()
})
