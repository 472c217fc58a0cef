import { describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { catalog } from '../../src/catalog.ts'
import { type AnyOperation, operation } from '../../src/kernel/operation.ts'
import { CALLER_KINDS } from '../support/operation-sample.ts'
import { samples } from '../support/samples.ts'
import { everyNth } from '../support/scale.ts'
import { verdictFor } from './access.ts'

test('every operation lists the callers it allows, each once', () => {
  for (const { name } of catalog) {
    const { allowed } = samples[name]!
    expect([name, allowed]).toEqual([name, CALLER_KINDS.filter((kind) => allowed.includes(kind))])
  }
})

describe('exactly the allowed kinds of callers succeed, and a refusal writes nothing', () => {
  for (const op of everyNth(catalog as readonly AnyOperation[], { sqlite: 9, postgres: 30 }))
    test(op.name, async () => {
      const verdicts = []
      for (const kind of CALLER_KINDS) verdicts.push({ kind, ...(await verdictFor(op, kind)) })
      expect(verdicts.map(({ violation }) => violation).filter(Boolean)).toEqual([])
      const allowed = verdicts.filter((verdict) => verdict.allowed).map(({ kind }) => kind)
      expect(allowed).toEqual([...samples[op.name]!.allowed])
    })
})

test('an operation without an access check is detected', async () => {
  const unguarded = operation({
    name: 'boards.peek',
    summary: 'Looks at any board',
    needs: 'profile:read',
    dependsOn: [],
    on: { rest: 'GET /api/v1/peek' },
    input: t.Object({}),
    output: t.Object({ seen: t.Boolean() }),
    run: async () => ({ seen: true }),
  })
  expect((await verdictFor(unguarded, 'outsider', [unguarded])).allowed).toBe(true)
  expect((await verdictFor(unguarded, 'blind agent', [unguarded])).allowed).toBe(false)
})
