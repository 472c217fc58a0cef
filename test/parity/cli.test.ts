import { afterAll, describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { catalog } from '../../src/catalog.ts'
import { type AnyOperation, operation } from '../../src/kernel/operation.ts'
import { cliOperations } from '../../src/surfaces/cli/index.ts'
import { fieldsOf } from '../../src/surfaces/cli/inputs.ts'
import { nameOf } from '../../src/surfaces/cli/operation-command.ts'
import { type Outcome, overRest } from '../ask.ts'
import { everyNth } from '../extent.ts'
import { samples } from '../samples.ts'
import { overCli, sweep } from '../terminal.ts'
import { type Actor, type World, world } from '../world.ts'

afterAll(sweep)

type Fields = Record<string, unknown>

/**
 * Removes what differs between two runs of the same call: random links, secrets and ids, and when a
 * key was last used, which is stored after the response.
 */
const told = ({ data, fault }: Outcome) =>
  JSON.parse(
    JSON.stringify({ data, fault }, (name, value) =>
      name === 'last_used_at' || name === 'ms' ? undefined : value,
    ).replace(
      /(\/(?:invitations|calendar|hooks\/\w+)\/)[\w-]+|[0-9a-f]{8}-[0-9a-f-]{27}|\b(?:dlv|msg_test|pg)_\w+|\b(cork|corkagent)_[\w-]+|\bwhsec_[\w+/]+=*|\beyJ[\w.-]+/g,
      (whole, path) => (path ? `${path}…` : `${whole.length}`),
    ),
  )

const variants: [string, (input: Fields) => Fields][] = [
  ['a good input', (input) => input],
  ['nothing', () => ({})],
  [
    'ids nobody has',
    (input) =>
      Object.fromEntries(
        Object.entries(input).map(([k, v]) => [k, typeof v === 'number' ? 999_999 : v]),
      ),
  ],
]

const cast: [string, (w: World) => Actor][] = [
  ['the owner', (w) => w.ada],
  ['somebody of another team', (w) => w.otto],
]

/** The command line itself refuses a missing required field, so the server never sees the call. */
const unsayable = (op: AnyOperation, what: string) =>
  what === 'nothing' && (op.input.required?.length || fieldsOf(op).some(({ required }) => required))

async function answer(
  op: AnyOperation,
  who: (w: World) => Actor,
  vary: (input: Fields) => Fields,
  send: typeof overRest,
  plant: readonly AnyOperation[] = [],
) {
  const w = await world({ plant })
  const input = vary((await samples[op.name]?.(w)) ?? {})
  const outcome = await send(w, who(w), op, input)
  return { ...told(outcome), changes: (await w.emitted()).slice(-3) }
}

describe('the command line returns the same result as REST', () => {
  const commanded = cliOperations(catalog).map(({ op }) => op)
  for (const op of everyNth(commanded, { sqlite: 10, postgres: 30 }))
    test(nameOf(op), async () => {
      for (const [whom, who] of cast)
        for (const [what, vary] of variants) {
          if (unsayable(op, what)) continue
          const rest = await answer(op, who, vary, overRest)
          const line = await answer(op, who, vary, overCli)
          expect([op.name, whom, what, line]).toEqual([op.name, whom, what, rest])
        }
    })
})

test('a difference between REST and the command line is detected', async () => {
  const fickle = (mood: () => number) =>
    operation({
      name: 'moods.get',
      summary: 'Never the same answer',
      needs: 'tasks:read',
      on: { rest: 'GET /api/v1/mood', cli: 'moods get' },
      input: t.Object({}),
      output: t.Object({ mood: t.Integer() }),
      run: async () => ({ mood: mood() }),
    }) as AnyOperation
  let turn = 0
  const op = fickle(() => turn++)
  const ask = (send: typeof overRest) =>
    answer(
      op,
      (w) => w.ada,
      (input) => input,
      send,
      [op],
    )
  const rest = await ask(overRest)
  expect(rest).toMatchObject({ data: { mood: 0 } })
  expect(await ask(overCli)).toMatchObject({ data: { mood: 1 } })
})
