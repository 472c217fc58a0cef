import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ImportApiError } from '../../src/import/api.ts'
import { defaultMapping, type Mapping, previewPlan } from '../../src/import/mapping.ts'
import { planImport } from '../../src/import/plan.ts'
import { type Progress, type SendOptions, sendRecords } from '../../src/import/send.ts'
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

interface Setup {
  records?: readonly TestRecord[]
  change?: (mapping: Mapping) => void
}

async function send(api: FakeServer, setup: Setup = {}, options: Partial<SendOptions> = {}) {
  const files = [recordsFile(setup.records ?? harbour)]
  const plan = await planImport(recordsSource, files)
  const mapping = defaultMapping(plan, await previewPlan(api, plan, 1))
  setup.change?.(mapping)
  return sendRecords({
    ...{ source: recordsSource, files, plan, mapping, api, team_id: 1 },
    sleep: async () => {},
    ...options,
  })
}

/** Tasks that refer to the next one, with comments and relations. */
function manyTasks(count: number): TestRecord[] {
  const ids = Array.from({ length: count }, (_, at) => at)
  return [
    ...[origin, person('ana', 'Ana'), person('ben', 'Ben'), board('docks', 'Docks')],
    ...ids.flatMap((at): TestRecord[] => [
      task(`${at}`, `Task ${at}`, {
        ...(at % 3 === 1 && { parent: `${at - 1}` }),
        ...(at % 3 === 2 && at + 1 < count && { description: `See [it](task:${at + 1})` }),
        assignees: [at % 2 ? 'ana' : 'ben'],
      }),
      { comment: { id: `c${at}`, task: `${at}`, author: 'ana', text: `At (task:${at})` } },
      { attachment: { id: `f${at}`, task: `${at}`, filename: 'a.txt', text: `${at}` } },
    ]),
    ...ids.slice(1).map((at): TestRecord => {
      return { relation: { kind: 'blocks', first: `${at - 1}`, second: `${at}` } }
    }),
  ]
}

test('everything is sent in order, and finished', async () => {
  const server = new FakeServer()
  const summary = await send(server)
  expect(summary).toEqual({
    ...{ stopped: false, import: expect.objectContaining({ import_id: 7, state: 'finished' }) },
    ...{ outcomes: { created: 16, updated: 0, unchanged: 0, kept: 0 }, kept: [], unresolved: 0 },
    problems: [],
    failedFiles: [],
  })
  expect(server.batches.flat()).toEqual([
    ...['board docks', 'board office', 'person ana', 'task 1', 'person ben', 'comment c1'],
    ...['comment c2', 'task 2', 'time_entry t1', 'task 3', 'person olga', 'task 4'],
    // These refer to task 3, which came after them.
    ...['task 1', 'task 2'],
    ...['relation 2 blocks 1', 'relation 1 related 4'],
  ])
  expect(server.rows.get('task 1')).not.toHaveProperty('isUnresolved')
  expect(server.rows.get('attachment f1')).toMatchObject({ data: btoa('Blue') })
  expect(server.rows.get('attachment f2')).toMatchObject({ url: 'https://harbour.example/a.pdf' })
  expect(server.finished).toEqual([7])
})

test('a second run with the same files changes nothing', async () => {
  const server = new FakeServer()
  await send(server)
  const before = new Map(server.rows)
  const { outcomes } = await send(server)
  expect(outcomes).toMatchObject({ created: 0, kept: 0 })
  expect(server.rows).toEqual(before)
})

test('a run that is cut at any call is completed by the next run', async () => {
  const records = manyTasks(40)
  const complete = new FakeServer()
  await send(complete, { records })
  const run = async (cuts: number[], byStop: boolean) => {
    const server = new FakeServer()
    for (const cut of cuts) {
      const stop = new AbortController()
      let calls = 0
      server.onWrite = () => {
        if (++calls <= cut) return
        if (byStop) stop.abort()
        else throw new Error('The client crashed')
      }
      await send(server, { records }, { signal: stop.signal }).catch(() => {})
    }
    server.onWrite = () => {}
    expect((await send(server, { records })).stopped).toBe(false)
    expect(server.rows).toEqual(complete.rows)
  }
  await fc.assert(fc.asyncProperty(fc.array(fc.nat(12), { maxLength: 3 }), fc.boolean(), run), {
    numRuns: 30,
  })
})

test('a stopped run ends after the call in progress, and does not finish the import', async () => {
  const server = new FakeServer()
  const stop = new AbortController()
  server.onWrite = () => stop.abort()
  const summary = await send(server, { records: manyTasks(200) }, { signal: stop.signal })
  expect(summary.stopped).toBe(true)
  expect(server.batches).toHaveLength(1)
  expect(server.finished).toEqual([])
  expect(summary.outcomes.created).toBe(server.batches[0]!.length)
})

test('a link to a task of a skipped board stays unresolved and is counted', async () => {
  const records = [
    ...[origin, board('docks', 'Docks'), board('office', 'Office')],
    task('1', 'Sail', { description: 'Like [this](task:2)' }),
    task('2', 'Row', { board: 'office' }),
  ]
  const change = (mapping: Mapping) => void Object.assign(mapping.boards[1]!, { skip: true })
  const summary = await send(new FakeServer(), { records, change })
  expect(summary).toMatchObject({ unresolved: 1, outcomes: { created: 2 } })
})

test('overload, server errors and lost connections are retried after a wait', async () => {
  const server = new FakeServer()
  server.failures = [
    new ImportApiError('No connection', 0),
    undefined,
    new ImportApiError('Too many requests', 429, 7),
    new ImportApiError('Restarting', 503),
    new ImportApiError('Restarting', 503),
  ]
  const waits: number[] = []
  const sleep = async (wait: number) => void waits.push(wait)
  expect((await send(server, {}, { sleep })).stopped).toBe(false)
  expect(waits).toEqual([500, 7000, 1000, 2000])
})

test('a refused record ends the import with the words of the server', async () => {
  const server = new FakeServer()
  server.failures = [undefined, new ImportApiError('The key is taken', 409)]
  const before = send(server)
  expect(before).rejects.toThrow('The key is taken')
  await before.catch(() => {})
  expect(server.finished).toEqual([])
})

test('a server that stays away ends the import after eight attempts', async () => {
  const server = new FakeServer()
  server.failures = Array.from({ length: 8 }, () => new ImportApiError('No connection', 0))
  const waits: number[] = []
  const sleep = async (wait: number) => void waits.push(wait)
  expect(await send(server, {}, { sleep }).catch((error) => error.message)).toBe('No connection')
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000])
})

test('an error of the server itself is retried only once', async () => {
  const server = new FakeServer()
  server.failures = Array.from({ length: 2 }, () => new ImportApiError('Internal error', 500))
  const waits: number[] = []
  const sleep = async (wait: number) => void waits.push(wait)
  expect(await send(server, {}, { sleep }).catch((error) => error.message)).toBe('Internal error')
  expect(waits).toEqual([500])
})

test('a stop during a wait ends it at once', async () => {
  const server = new FakeServer()
  server.failures = [new ImportApiError('Restarting', 503)]
  const stop = new AbortController()
  const sleep = () => {
    stop.abort()
    return new Promise<void>(() => {})
  }
  expect(await send(server, {}, { sleep, signal: stop.signal })).toMatchObject({
    ...{ stopped: true, import: undefined },
  })
})

test('a file that fails is reported, and the others are sent', async () => {
  const records = [
    ...[origin, board('docks', 'Docks'), task('1', 'Sail')],
    { attachment: { id: 'a', task: '1', filename: 'a.pdf', url: 'https://gone.example/a' } },
    { attachment: { id: 'b', task: '1', filename: 'b.pdf', text: 'x'.repeat(4_194_305) } },
    { attachment: { id: 'c', task: '1', filename: 'c.pdf', text: 'ä'.repeat(20_000) } },
  ]
  const server = new FakeServer()
  // The calls are: start, one batch, the flush of it, and then the files.
  server.failures = [undefined, undefined, new ImportApiError('It answers with status 404', 400)]
  const summary = await send(server, { records })
  expect(summary.failedFiles).toEqual([
    {
      ...{ filename: 'a.pdf', task: '1', url: 'https://gone.example/a' },
      reason: 'It answers with status 404',
    },
    { filename: 'b.pdf', task: '1', reason: 'The file is larger than 3 MB. Attach it by hand' },
  ])
  const { data } = server.rows.get('attachment c') as { data: string }
  expect(Buffer.from(data, 'base64').toString()).toBe('ä'.repeat(20_000))
  expect(summary.stopped).toBe(false)
})

test('a revoked token ends the import at a file, too', async () => {
  const server = new FakeServer()
  server.failures = [...Array(4), new ImportApiError('The token is revoked', 401)]
  expect(await send(server).catch((error) => error.message)).toBe('The token is revoked')
})

test('kept records are listed with their ticket, once', async () => {
  const server = new FakeServer()
  const { write } = server
  server.write = async (id, records) => {
    const results = await write(id, records)
    return results.map((result, at) => {
      const record = records[at]!
      return 'task' in record && record.task.id === '2'
        ? { ...result, outcome: 'kept' as const, ticket_number: 'DOCK-2' }
        : result
    })
  }
  const { kept, outcomes } = await send(server)
  expect(kept).toEqual([{ kind: 'task', id: '2', title: 'Order paint', ticket_number: 'DOCK-2' }])
  expect(outcomes.kept).toBe(1)
})

test('what the server could not write of a record is listed', async () => {
  const server = new FakeServer()
  const { write } = server
  server.write = async (id, records) =>
    (await write(id, records)).map((result, at) =>
      'board' in records[at]! ? { ...result, problem: 'Too many columns' } : result,
    )
  const { problems } = await send(server, { records: [origin, board('docks', 'Docks')] })
  expect(problems).toEqual([
    { kind: 'board', id: 'docks', title: 'Docks', problem: 'Too many columns' },
  ])
})

test('batches grow while the server is fast, shrink when it is slow, and ignore the network', async () => {
  const sizes = async (latency: number, perRecord: number) => {
    const server = new FakeServer()
    let clock = 0
    const { write, start } = server
    server.start = async (input) => {
      clock += latency
      return start(input)
    }
    server.write = async (id, records) => {
      clock += latency + records.length * perRecord
      return write(id, records)
    }
    await send(server, { records: manyTasks(400) }, { now: () => clock })
    return server.batches.slice(6, 12).map(({ length }) => length)
  }
  expect(Math.min(...(await sizes(1, 0.2)))).toBe(50)
  expect(Math.min(...(await sizes(200, 0.2)))).toBe(50)
  const slow = await sizes(1, 6)
  expect(Math.max(...slow)).toBeLessThanOrEqual(11)
  expect(Math.max(...(await sizes(1, 100)))).toBe(5)
})

test('a batch has at most 4.5 MB', async () => {
  const tasks = Array.from({ length: 12 }, (_, at) =>
    task(`${at}`, 'Sail', { description: 'ä'.repeat(500_000) }),
  )
  const server = new FakeServer()
  await send(server, { records: [origin, board('docks', 'Docks'), ...tasks] })
  expect(server.batches.map(({ length }) => length)).toEqual([5, 4, 4])
})

test('progress ends at its total for records and files, with the rate and the time that is left', async () => {
  const seen: Progress[] = []
  let clock = 0
  const server = new FakeServer()
  const { write } = server
  server.write = (id, records) => {
    clock += records.length * 10
    return write(id, records)
  }
  const records = manyTasks(60)
  await send(server, { records }, { now: () => clock, onProgress: (one) => seen.push(one) })
  const ofRecords = seen.filter(({ phase }) => phase === 'records')
  expect(ofRecords[0]).toMatchObject({ perSecond: 100 })
  expect(ofRecords[0]!.secondsLeft).toBeCloseTo((ofRecords[0]!.total - ofRecords[0]!.done) / 100)
  const last = ofRecords.at(-1)!
  expect([last.done, last.secondsLeft]).toEqual([last.total, 0])
  expect(seen.at(-1)).toMatchObject({ phase: 'files', done: 60, total: 60, created: 242 })
})
