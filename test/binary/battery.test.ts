import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Environment, openEnvironment } from '../../scripts/battery/environment.ts'
import { runTask, tasks } from '../../scripts/battery/run.ts'
import { differences, type Row, rowsIn, tableOf, withTable } from '../../scripts/battery/table.ts'
import { expectSame, type Task } from '../../scripts/battery/task.ts'

const page = await Bun.file(join(import.meta.dir, '../../docs/agents-measured.md')).text()
const told = rowsIn(page)
const counted: Row[] = []

let ground: Environment
beforeAll(async () => {
  ground = await openEnvironment()
}, 60_000)
afterAll(() => ground.close())

test('the battery has 35 tasks with unique names', () => {
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(35)
})

for (const task of tasks)
  test(`an agent reaches its goal: ${task.name}`, async () => {
    const row = await runTask(ground, task)
    counted.push(row)
    expect(row.missed).toBeUndefined()
    expect(row.calls).toBeGreaterThan(0)
  }, 60_000)

test('docs/agents-measured.md shows the measured counts', () => {
  expect(differences(told, counted)).toEqual([])
})

const [row] = told as [Row]

test('a change in calls, errors, rows or many tokens is reported, a few tokens are not', () => {
  expect(differences(told, told)).toEqual([])
  const dearer = (tokens: number) => told.map((one) => (one === row ? { ...one, tokens } : one))
  expect(differences(told, dearer(row.tokens + 25))).toEqual([])
  expect(differences(told, dearer(row.tokens * 2))).toHaveLength(1)
  for (const change of [{ calls: row.calls + 1 }, { errors: row.errors + 1 }])
    expect(differences(told, [{ ...row, ...change }, ...told.slice(1)])).toHaveLength(1)
  expect(differences(told.slice(1), told)).toHaveLength(1)
})

test('a new table replaces the old one in the page and can be parsed again', () => {
  const changed = withTable(page, [{ ...row, calls: 9 }, ...told.slice(1)])
  expect(rowsIn(changed)[0]!.calls).toBe(9)
  expect(withTable(changed, told)).toBe(page)
  expect(tableOf(told).split('\n').at(-1)).toContain('total')
})

test('a missed goal and an exceeded budget are reported with the reason', async () => {
  const call =
    (agents: number): Task['play'] =>
    async (scene) => {
      for (let at = 0; at < agents; at++) {
        const agent = await scene.addAgent(`Scout ${at}`)
        await agent.do('svc_user_context', 'hello')
      }
    }
  const budget = { calls: 1, tokens: 1500 }
  const one = { name: 'One call', play: call(1), budget }
  expect((await runTask(ground, one)).missed).toBeUndefined()
  const two = { name: 'Two calls', play: call(2), budget }
  expect((await runTask(ground, two)).missed).toContain('more than')
  const wrong = { name: 'Wrong', play: async () => expectSame('it is done', 'Doing', 'Done') }
  expect((await runTask(ground, wrong)).missed).toContain('it is done: "Doing", not "Done"')
}, 60_000)
