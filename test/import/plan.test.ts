import { expect, test } from 'bun:test'
import { planImport } from '../../src/import/plan.ts'
import { ImportProblem } from '../../src/import/problem.ts'
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

const plan = (records: readonly TestRecord[]) => planImport(recordsSource, [recordsFile(records)])

const problemOf = async (records: readonly TestRecord[]): Promise<string> => {
  try {
    await plan(records)
  } catch (error) {
    expect(error).toBeInstanceOf(ImportProblem)
    return (error as Error).message
  }
  throw new Error('The plan has no problem')
}

test('a plan has the number of records of each kind, and what boards and people are used for', async () => {
  const seen: number[] = []
  const result = await planImport(recordsSource, [recordsFile(harbour)], (records) => {
    seen.push(records)
  })
  expect(seen.at(-1)).toBe(harbour.length - 1)
  expect(result).toMatchObject({
    source: { name: 'records', title: 'Records' },
    origin: origin.origin,
    counts: {
      ...{ person: 3, board: 2, task: 4, comment: 2, time_entry: 1, attachment: 2, relation: 2 },
    },
    people: [
      { id: 'ana', name: 'Ana', email: 'ana@harbour.example', uses: 3 },
      { id: 'ben', name: 'Ben', uses: 2 },
      { id: 'olga', name: 'Olga', uses: 1 },
    ],
  })
  expect(result.boards).toEqual([
    {
      ...{ id: 'docks', title: 'Docks', key: 'DOCK', tasks: 3, records: 7, files: 1, labels: 1 },
      columns: [
        { title: 'To do', tasks: 2 },
        { title: 'Doing', tasks: 0 },
        { title: 'Done', done: true, tasks: 1 },
      ],
      fields: [
        { name: 'Points', type: 'number', values: 1, fits: ['number', 'text'] },
        {
          ...{ name: 'Tide', type: 'select', options: ['High', 'Low'], values: 0 },
          fits: ['number', 'text', 'select', 'date', 'checkbox', 'url'],
        },
      ],
    },
    expect.objectContaining({ id: 'office', tasks: 1, records: 2, files: 1 }),
  ])
  expect(JSON.parse(JSON.stringify(result))).toEqual(result)
})

test('a plan counts what is lost, by field and by reason, and the fields that are unknown', async () => {
  const { lost, unknown } = await plan([...harbour, { note: 'Another note' }])
  expect(lost).toEqual([
    { what: 'task.mood', why: 'tasks have no mood', count: 1 },
    { what: 'A sticky note, Another note', why: 'notes have no place', count: 2 },
  ])
  expect(unknown).toEqual([])
  const { person: _, ...fields } = recordsSource.fields
  const forgetful = { ...recordsSource, fields }
  const result = await planImport(forgetful, [recordsFile([origin, person('a', 'A')])])
  expect(result.unknown).toEqual([{ field: 'person', count: 1 }])
})

test('samples are spread over all tasks, with the number of their comments', async () => {
  const tasks = Array.from({ length: 1000 }, (_, at) => task(`t${at}`, `Task ${at}`))
  const comments = [1, 2].map((id) => ({ comment: { id: `${id}`, task: 't0', text: 'Hello' } }))
  const { samples } = await plan([origin, board('docks', 'Docks'), ...tasks, ...comments])
  expect(samples.map(({ id }) => Number(id.slice(1)))).toEqual([0, 192, 384, 608, 800])
  expect(samples[0]).toEqual({
    ...{ id: 't0', title: 'Task 0', board: 'Docks', column: 'To do' },
    ...{ assignees: [], labels: [], comments: 2 },
  })
})

test('priorities in words of several languages get our numbers, and unknown ones are marked', async () => {
  const proposed = async (...priorities: (string | number)[]): Promise<unknown[]> => {
    const tasks = priorities.map((priority, at) => task(`${at}`, 'Sail', { priority }))
    const result = await plan([origin, board('docks', 'Docks'), ...tasks])
    return result.priorities.map(({ priority, known }) => (known ? priority : 'unknown'))
  }
  expect(await proposed('Highest', 'High', 'Medium', 'Low', 'Lowest', 'None')).toEqual([
    ...[1, 2, 3, 4, 4, 0],
  ])
  expect(await proposed('Blocker', 'Critical', 'Major', 'Minor', 'Trivial')).toEqual([
    ...[1, 1, 2, 4, 4],
  ])
  expect(await proposed('P0', 'P1', 'P2', 'P3', 'P4')).toEqual([1, 2, 3, 4, 4])
  expect(await proposed('p1', 'Prio 2', 'P3', 'SEV-4')).toEqual([1, 2, 3, 4])
  expect(await proposed('Dringend', 'haute', 'średni', 'низкий', '高', 'ninguna')).toEqual([
    ...[1, 2, 3, 4, 2, 0],
  ])
  expect(await proposed('🔴 Very high', '2 - High', 'No priority', 'Later', 2, 0)).toEqual([
    ...[1, 2, 0, 'unknown', 2, 0],
  ])
})

test('a field whose values do not fit its type can only become text', async () => {
  const fields = [
    { name: 'When', type: 'date' },
    { name: 'Size', type: 'select', options: ['Small', 'Large'] },
    { name: 'Page', type: 'text' },
    { name: 'Sold', type: 'checkbox' },
  ]
  const tasks = [
    task('1', 'Buy', {
      fields: [
        { name: 'When', value: '2026-02-01' },
        { name: 'Size', value: 'small' },
        { name: 'Page', value: 'https://harbour.example/' },
        { name: 'Sold', value: true },
      ],
    }),
    task('2', 'Sell', {
      fields: [
        { name: 'When', value: 'soon' },
        { name: 'Size', value: 'Huge' },
      ],
    }),
  ]
  const { boards } = await plan([origin, board('docks', 'Docks', { fields }), ...tasks])
  expect(boards[0]!.fields.map(({ fits }) => fits.join())).toEqual([
    ...['text', 'text', 'text,url', 'text,checkbox'],
  ])
})

test('an invalid record is refused with its kind, key, title and field', async () => {
  const docks = board('docks', 'Docks')
  const wrong = task('1', 'Sail', { key: 'DOCK-1', estimate: 9 })
  expect(await problemOf([origin, docks, wrong])).toBe(
    'field estimate: The task DOCK-1 "Sail" of Records cannot be imported: expected integer to be less or equal to 6. Correct it there and export it again. If it is right, please report this message',
  )
  const february = task('1', 'Sail', { due_date: '2026-02-30' })
  expect(await problemOf([origin, docks, february])).toContain(
    'field due_date: The task 1 "Sail" of Records cannot be imported: "2026-02-30" is not a date',
  )
})

test('records out of order, twice, or with references to nothing are refused', async () => {
  const ana = person('ana', 'Ana')
  const docks = board('docks', 'Docks')
  const one = task('1', 'Sail')
  const head = [origin, ana, docks, one]
  const comment = (more: object) => ({ comment: { id: 'c', task: '1', text: 'Hi', ...more } })
  for (const [records, words] of [
    [[], 'There is nothing of Records in the files'],
    [[ana], 'The person ana "Ana" of Records cannot be imported: it is in the wrong place'],
    [[...head, ana], 'it is in the wrong place'],
    [[...head, origin], 'it is in the wrong place'],
    [[...head, one], 'field id: The task 1 "Sail" of Records cannot be imported: another one'],
    [[origin, ana, ana], 'another one has the same id'],
    [[origin, task('1', 'Sail')], 'field board'],
    [[origin, docks, task('1', 'Sail', { column: 'Sea' })], '"Sea" does not exist'],
    [[origin, docks, task('1', 'Sail', { assignees: ['ben'] })], '"ben" does not exist'],
    [[origin, docks, task('1', 'Sail', { parent: '2' })], 'its parent "2" does not exist'],
    [[origin, docks, task('1', 'Sail', { parent: '1' })], 'below itself'],
    [
      [origin, docks, board('b', 'B'), one, task('2', 'Row', { board: 'b', parent: '1' })],
      'its parent is on another board',
    ],
    [[...head, comment({ task: '2' })], 'field task'],
    [[...head, comment({ reply_to: 'x' })], 'field reply_to'],
    [[...head, comment({}), comment({})], 'another one has the same id'],
    [[...head, { attachment: { id: 'f', task: '1', filename: 'a' } }], 'neither content nor'],
    [[...head, { relation: { kind: 'blocks', first: '1', second: '1' } }], 'to itself'],
    [
      [...head, task('2', 'Row', { fields: [{ name: 'Wind', value: 1 }] })],
      'has the field "Wind", but its board does not',
    ],
    [[...head, task('2', 'Row', { labels: ['wet'] })], 'has the label "wet"'],
    [[...head, task('2', ' \u200b')], 'field title: The task 2'],
    [[origin, board('b', 'B', { columns: [{ title: '\u2060' }] })], 'field columns'],
  ] as [TestRecord[], string][])
    expect(await problemOf(records)).toContain(words)
})

test('a repeat rule that no server knows is left out and counted as lost', async () => {
  const records = [
    ...[origin, board('docks', 'Docks')],
    task('1', 'Sail', { recurrence: 'FREQ=WEEKLY;BYDAY=MO,FR' }),
    task('2', 'Row', { recurrence: 'FREQ=HOURLY' }),
  ]
  expect((await plan(records)).lost).toEqual([
    {
      what: 'The repeat rule FREQ=HOURLY',
      why: 'a rule of this form is not supported: FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY',
      count: 1,
    },
  ])
})

test('NUL characters and unpaired surrogates are removed from texts', async () => {
  const bad = { ...recordsSource, read: () => stream([origin, person('a', 'A\0n\ud800a')]) }
  const { people } = await planImport(bad as never, [])
  expect(people[0]!.name).toBe('An\ufffda')
})

async function* stream(records: object[]) {
  yield* records
}

test('a reader that fails on an unexpected form becomes a problem that names the product', async () => {
  const broken = {
    ...recordsSource,
    // biome-ignore lint/correctness/useYield: it fails before its first record.
    async *read(): ReturnType<typeof recordsSource.read> {
      const nothing = null as unknown as { cards: string[] }
      nothing.cards.pop()
    },
  }
  const problem = await planImport(broken, []).catch((error) => error)
  expect(problem).toBeInstanceOf(ImportProblem)
  expect(problem.problem).toContain('The files have a form that is unknown for Records')
})
