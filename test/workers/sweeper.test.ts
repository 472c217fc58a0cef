import { expect, test } from 'bun:test'
import { Writable } from 'node:stream'
import pino from 'pino'
import { Sweeper, sweepMinutely } from '../../src/workers/index.ts'
import { waitUntil } from '../support/wait.ts'
import { type World, world } from '../support/world.ts'

const DAY = 24 * 3_600_000
const log = pino({ level: 'silent' })

const createOverdue = (w: World, title: string) =>
  w.ada['tasks.create']({ project_id: w.board.project_id, title, due_date: '2026-11-19' })

const remindedTitles = async (w: World) =>
  (await w.changes()).flatMap(({ type, data }) => (type === 'task.overdue' ? [data.title] : []))

test('scheduled work runs soon after the start and again, until it is stopped', async () => {
  const w = await world()
  const { store, clock } = w
  await createOverdue(w, 'one')
  const pace = { soon: 1, minutely: 10 }
  const stop = sweepMinutely({ store, clock: clock.read, log, pace })
  await waitUntil(async () => (await remindedTitles(w)).length === 1)
  await createOverdue(w, 'two')
  await waitUntil(async () => (await remindedTitles(w)).length === 2)
  await stop()
  await createOverdue(w, 'three')
  await Bun.sleep(100)
  expect(await remindedTitles(w)).toEqual(['one', 'two'])
})

test('a stop waits only for the current batch, and the next run does the rest', async () => {
  const w = await world()
  const { store, clock } = w
  for (let index = 0; index < 60; index++) await createOverdue(w, `Task ${index}`)
  const stop = sweepMinutely({ store, clock: clock.read, log, pace: { soon: 1, minutely: 10 } })
  await waitUntil(async () => (await remindedTitles(w)).length > 0)
  await stop()
  const done = (await remindedTitles(w)).length
  await Bun.sleep(50)
  expect(await remindedTitles(w)).toHaveLength(done)
  await new Sweeper({ store, clock: clock.read, log }).sweepAll()
  expect(new Set(await remindedTitles(w)).size).toBe(60)
  expect(await remindedTitles(w)).toHaveLength(60)
})

test('batches stay small, other writes run in between, and all tasks are processed', async () => {
  const w = await world()
  const { store, clock, board, sections } = w
  await w.ada['projects.update']({ project_id: board.project_id, auto_archive_days: 1 })
  for (let index = 0; index < 300; index++)
    await w.ada['tasks.create']({
      ...{ project_id: board.project_id, title: `Task ${index}`, section_id: sections.Done },
    })
  clock.advance(2 * DAY)
  const batches: number[] = []
  const onBatch = (_: string, ms: number, tasks: number) => {
    expect(ms).toBeGreaterThan(0)
    batches.push(tasks)
  }
  const sweeping = new Sweeper({ store, clock: clock.read, log, onBatch }).sweepAll()
  const between = await createOverdue(w, 'In between')
  const batchCount = batches.length
  await sweeping
  expect(between.ticket_number).toBeString()
  expect(batchCount).toBeLessThan(batches.length)
  expect(Math.max(...batches)).toBeLessThanOrEqual(200)
  // The world already has one done task and one due task.
  const archived = await w.ada['tasks.list']({ project_id: board.project_id, status: 'Archive' })
  expect(archived.page.total).toBe(301)
})

test('a failed batch is logged, does not block other work, and is retried', async () => {
  const w = await world()
  const { store, clock, board } = w
  await w.ada['projects.update']({ project_id: board.project_id, auto_archive_days: 1 })
  await createOverdue(w, 'Mow the lawn')
  clock.advance(2 * DAY)
  let refusals = 1
  const lines: string[] = []
  const stream = new Writable({
    write: (line, _, done) => {
      lines.push(String(line))
      done()
    },
  })
  const failing = {
    read: store.read,
    write: <T>(job: Parameters<typeof store.write<T>>[0]) =>
      refusals-- > 0 ? Promise.reject(new Error('disk I/O error')) : store.write(job),
  }
  const sweeper = new Sweeper({ store: failing, clock: clock.read, log: pino(stream) })
  await sweeper.sweepAll()
  expect(lines.join()).toContain('Scheduled work failed')
  expect(await remindedTitles(w)).toEqual([])
  expect(await w.ada['tasks.get']({ task_id: w.tasks.domain.task_id })).toMatchObject({
    status: 'Archive',
  })
  await sweeper.sweepAll()
  expect(await remindedTitles(w)).toEqual(['Mow the lawn'])
})
