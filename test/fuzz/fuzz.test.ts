import { expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import fc from 'fast-check'
import { catalog } from '../../src/catalog.ts'
import { createTeam } from '../../src/features/identity/teams/model/index.ts'
import { fault } from '../../src/kernel/fault.ts'
import { type AnyOperation, operation } from '../../src/kernel/operation.ts'
import { samples } from '../support/samples.ts'
import { everyNth, scaleCount, seed } from '../support/scale.ts'
import { type World, world } from '../support/world.ts'
import { fuzz, malformedBodies } from './fuzz.ts'

const RUNS = scaleCount(30, Math.ceil(50_000 / catalog.length))

for (const op of everyNth(catalog as readonly AnyOperation[], { sqlite: 7, postgres: 24 }))
  test(`${op.name} answers ${RUNS} odd inputs with an envelope, without 5xx or partial writes (seed ${seed})`, async () => {
    const { failures, accepted } = await fuzz(op, RUNS, seed)
    expect(failures.slice(0, 3)).toEqual([])
    // The callers of this test have tokens, and no browser.
    if (samples[op.name]!.caller === 'browser') expect(accepted).toBe(0)
    else expect(accepted).toBeGreaterThan(0)
  })

for (const path of ['/mcp', '/api/v1/tasks', '/api/v1/projects'])
  test(`${path} answers malformed bodies without a 5xx (seed ${seed})`, async () => {
    const w = await world()
    const failures: unknown[] = []
    for (const body of fc.sample(malformedBodies, { numRuns: scaleCount(100, 2000), seed })) {
      const { status, text } = await w.http(w.ada, 'POST', path, body, {
        accept: 'application/json, text/event-stream',
      })
      if (status >= 500)
        failures.push({ status, text: text.slice(0, 200), body: body.slice(0, 200) })
    }
    expect(failures).toEqual([])
  })

const faultyOperation = (handlers: Pick<AnyOperation, 'run' | 'prepare'>) =>
  operation({
    name: 'traps.spring',
    summary: 'A planted fault',
    needs: 'tasks:write',
    on: { rest: 'POST /api/v1/traps' },
    input: t.Object({ depth: t.Optional(t.Integer({ minimum: 0 })) }),
    output: t.Object({}),
    ...handlers,
  })

test('the harness detects an operation that throws', async () => {
  const broken = faultyOperation({
    run: async () => {
      throw new TypeError('undefined is not an object')
    },
  })
  const { failures } = await fuzz(broken, 20, seed, [broken])
  expect(failures.map(({ reason }) => reason.slice(0, 3))).toContain('500')
})

test('the harness detects a write before a refusal', async () => {
  let w: World | undefined
  const earlyWrite = faultyOperation({
    // Writes outside the transaction, so the refusal does not roll it back.
    prepare: () => w!.store.write((tx) => createTeam(tx, 'Too early', w!.clock.now)),
    run: async () => {
      throw fault.conflict('Not after all')
    },
  })
  const { failures } = await fuzz(earlyWrite, 20, seed, [earlyWrite], (createdWorld) => {
    w = createdWorld
  })
  expect(failures.map(({ reason }) => reason)).toContain('refused, but something was written')
})
