import { expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import fc from 'fast-check'
import { catalog } from '../../src/catalog.ts'
import { type AnyOperation, operation } from '../../src/kernel/operation.ts'
import { world } from '../world.ts'
import { fuzz, garbage } from './fuzz.ts'

const full = process.env.CORK_TEST_FULL === '1'
const RUNS = full ? Math.ceil(50_000 / catalog.length) : 60
const seed = Number(process.env.CORK_TEST_SEED ?? Date.now() % 1_000_000)

for (const op of catalog as readonly AnyOperation[])
  test(`${op.name} answers ${RUNS} odd inputs with an envelope, never a 5xx nor a half write (seed ${seed})`, async () => {
    const { failures, accepted } = await fuzz(op, RUNS, seed)
    expect(failures.slice(0, 3)).toEqual([])
    expect(accepted).toBeGreaterThan(0)
  }, 120_000)

for (const path of ['/mcp', '/api/v1/tasks', '/api/v1/projects'])
  test(`${path} answers bodies that are no request at all (seed ${seed})`, async () => {
    const w = await world()
    const failures: unknown[] = []
    for (const body of fc.sample(garbage, { numRuns: full ? 2000 : 100, seed })) {
      const { status, text } = await w.http(w.ada, 'POST', path, body, {
        accept: 'application/json, text/event-stream',
      })
      if (status >= 500)
        failures.push({ status, text: text.slice(0, 200), body: body.slice(0, 200) })
    }
    expect(failures).toEqual([])
  })

const planted = (run: AnyOperation['run']) =>
  operation({
    name: 'traps.spring',
    summary: 'A planted fault',
    needs: 'tasks:write',
    on: { rest: 'POST /api/v1/traps' },
    input: t.Object({ depth: t.Optional(t.Integer({ minimum: 0 })) }),
    output: t.Object({}),
    run,
  })

test('the harness notices an operation that breaks', async () => {
  const trap = planted(async () => {
    throw new TypeError('undefined is not an object')
  })
  expect((await fuzz(trap, 20, seed, [trap])).failures).not.toEqual([])
})
