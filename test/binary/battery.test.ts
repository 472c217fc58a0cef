import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Environment, openEnvironment } from '../../scripts/battery/environment.ts'
import { runTask, tasks } from '../../scripts/battery/run.ts'
import { differences, type Row, rowsIn, tableOf, withTable } from '../../scripts/battery/table.ts'
import { expectSame, type Task } from '../../scripts/battery/task.ts'

const page = await Bun.file(join(import.meta.dir, '../../docs/agents-measured.md')).text()
const documented = rowsIn(page)
const measured: Row[] = []

let environment: Environment
beforeAll(async () => {
  environment = await openEnvironment()
})
afterAll(() => environment.close())

test('the battery has 50 tasks with unique names', () => {
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(50)
})

for (const task of tasks)
  test(`an agent reaches its goal: ${task.name}`, async () => {
    const row = await runTask(environment, task)
    measured.push(row)
    expect(row.failure).toBeUndefined()
    expect(row.calls).toBeGreaterThan(0)
  })

test('docs/agents-measured.md shows the measured counts', () => {
  expect(differences(documented, measured)).toEqual([])
})

const [row] = documented as [Row]

test('a change in calls, errors, rows or many tokens is reported, a few tokens are not', () => {
  expect(differences(documented, documented)).toEqual([])
  const withTokens = (tokens: number) =>
    documented.map((one) => (one === row ? { ...one, tokens } : one))
  expect(differences(documented, withTokens(row.tokens + 25))).toEqual([])
  expect(differences(documented, withTokens(row.tokens * 2))).toHaveLength(1)
  for (const change of [{ calls: row.calls + 1 }, { errors: row.errors + 1 }])
    expect(differences(documented, [{ ...row, ...change }, ...documented.slice(1)])).toHaveLength(1)
  expect(differences(documented.slice(1), documented)).toHaveLength(1)
})

test('a new table replaces the old one in the page and can be parsed again', () => {
  const changed = withTable(page, [{ ...row, calls: 9 }, ...documented.slice(1)])
  expect(rowsIn(changed)[0]!.calls).toBe(9)
  expect(withTable(changed, documented)).toBe(page)
  expect(tableOf(documented).split('\n').at(-1)).toContain('total')
})

test('a missed goal and an exceeded budget are reported with the reason', async () => {
  const helloFrom =
    (agents: number): Task['run'] =>
    async (scenario) => {
      for (let at = 0; at < agents; at++) {
        const agent = await scenario.addAgent(`Scout ${at}`)
        await agent.do('svc_user_context', 'hello')
      }
    }
  const budget = { calls: 1, tokens: 1500 }
  const one = { name: 'One call', run: helloFrom(1), budget }
  expect((await runTask(environment, one)).failure).toBeUndefined()
  const twoCalls = { name: 'Two calls', run: helloFrom(2), budget }
  expect((await runTask(environment, twoCalls)).failure).toContain('more than')
  const failing = { name: 'Wrong', run: async () => expectSame('it is done', 'Doing', 'Done') }
  expect((await runTask(environment, failing)).failure).toContain('it is done: "Doing", not "Done"')
})
