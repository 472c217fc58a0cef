import { describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { catalog } from '../../src/catalog.ts'
import { nameCalls, routeName } from '../../src/kernel/call-names.ts'
import { type AnyOperation, operation, toArray } from '../../src/kernel/operation.ts'
import { claimTask } from '../support/fixtures.ts'
import { sampleInput, samples } from '../support/samples.ts'
import { everyNth } from '../support/scale.ts'
import { callChat, callMcp, callRest, type Outcome } from '../support/surface-calls.ts'
import { type Actor, type World, world } from '../support/world.ts'

type Fields = Record<string, unknown>

/**
 * Removes only what differs between two runs of the same call: random links, secrets and ids, the
 * duration of a delivery, when a credential was last used, and the action or tool that a refusal
 * names.
 */
const comparable = ({ data, page, warnings, fault }: Outcome) =>
  JSON.parse(
    JSON.stringify({ data, page, warnings, fault }, (name, value) =>
      /^(ms|last_used_at)$/.test(name) ? undefined : value,
    ).replace(
      / \((?:action|tool) \w+\)|(\/invitations\/)[\w-]+|[0-9a-f]{8}-[0-9a-f-]{27}|\b(?:dlv|msg_test|pg)_\w+|(?:cork(?:agent)?_|whsec_)[\w+/=-]{30,}/g,
      (match, path) => (path ? `${path}…` : match[0] === ' ' ? '' : '…'),
    ),
  )

const unchanged = (input: Fields) => input

const variants: [string, (input: Fields, w: World) => Fields][] = [
  ['a good input', unchanged],
  ['an unknown field', (input) => ({ ...input, colour: 'red' })],
  ['a wrong type', withWrongType],
  ['nothing', () => ({})],
  [
    'ids nobody has',
    (input) => mapValues(input, (value) => (typeof value === 'number' ? 999_999 : value)),
  ],
]

/** The last field of another type. Tools take one object for a list with one, so a list stays a list. */
function withWrongType(input: Fields): Fields {
  const name = Object.keys(input).at(-1) ?? 'x'
  const wrong = { odd: true }
  return { ...input, [name]: Array.isArray(input[name]) ? [wrong, wrong] : wrong }
}

const mapValues = (input: Fields, change: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, change(value)]))

type CallerIn = (w: World) => Actor | Promise<Actor>

const callers: [string, CallerIn][] = [
  ['the owner', (w) => w.ada],
  ['an agent', (w) => w.bot],
  ['somebody of another team', (w) => w.otto],
]

/** Claims every task that a sample may change, as an agent must before it changes one. */
const agentWithLeases: CallerIn = async ({ bot, tasks: { logo, copy, link } }) => {
  for (const task of [logo, copy, link]) await claimTask(bot, task)
  return bot
}

const callersFor = (op: AnyOperation): [string, CallerIn][] =>
  op.guard ? [...callers, ['an agent that holds the task', agentWithLeases]] : callers

/** Inputs that REST cannot express: fields in the URL cannot be missing and are always text. */
function isInexpressible(op: AnyOperation, variant: string): boolean {
  const [method, path] = toArray(op.on.rest)[0]!.split(' ') as [string, string]
  if (variant === 'nothing') return path.includes(':')
  const inBody = (path.match(/:/g)?.length ?? 0) < Object.keys(op.input.properties).length
  const isText = op.input.properties.task_identifier && path.includes(':')
  return (
    variant === 'a wrong type' && (method === 'GET' || method === 'DELETE' || !inBody || isText)
  )
}

/** Calls the operation in a world of its own; all worlds have the same contents. */
async function resultOf(
  op: AnyOperation,
  callerIn: CallerIn,
  vary: (input: Fields, w: World) => Fields,
  send: typeof callRest,
  extraOperations: readonly AnyOperation[] = [],
) {
  const w = await world({ extraOperations })
  const input = vary(await sampleInput(op.name, w), w)
  return {
    outcome: withRoutes(comparable(await send(w, await callerIn(w), op, input))),
    changes: (await w.changeTypes()).slice(-3),
  }
}

/** Each surface names the calls of its own. */
const withRoutes = <T extends { fault?: Fields }>(outcome: T): T => {
  const { fault } = outcome
  for (const field of ['message', 'hint'])
    if (typeof fault?.[field] === 'string')
      fault[field] = nameCalls(fault[field], catalog as readonly AnyOperation[], routeName)
  return outcome
}

/** The first tool action and older names without an action; further actions are called alike. */
const toolNames = ({ on }: AnyOperation): string[] => [
  ...toArray(on.mcp).filter((name, at) => at === 0 || !name.includes('.')),
  ...(on.chat ? ['chat'] : []),
]

const callAs = (name: string): typeof callRest =>
  name === 'chat' ? callChat : (...args) => callMcp(...args, name)

describe('REST and tools return the same result for the same input', () => {
  const pairs = (catalog as readonly AnyOperation[])
    .filter(({ on }) => on.rest)
    .flatMap((op) => toolNames(op).map((name) => [op, name] as const))
  for (const [op, name] of everyNth(pairs, { sqlite: 10, postgres: 30 }))
    test(`${op.name} as ${name}`, async () => {
      for (const [callerName, callerIn] of callersFor(op))
        for (const [variant, vary] of variants) {
          if (isInexpressible(op, variant)) continue
          const rest = await resultOf(op, callerIn, vary, callRest)
          const tool = await resultOf(op, callerIn, vary, callAs(name))
          expect([op.name, callerName, variant, tool]).toEqual([op.name, callerName, variant, rest])
        }
    })
})

describe('operations that only a chat has do the same as a REST request', () => {
  const find = (name: string) =>
    (catalog as readonly AnyOperation[]).find((op) => op.name === name)!
  const chatOnly = (catalog as readonly AnyOperation[]).filter(({ on }) => on.chat && !on.rest)
  for (const { name } of chatOnly)
    test(name, async () => {
      for (const [callerName, callerIn] of [
        ...callers,
        ['an agent that holds the task', agentWithLeases],
      ] as typeof callers) {
        const [one, other] = [await world(), await world()]
        const [chat, op, rest] = samples[name]!.equivalent!(one)
        const chatResult = comparable(await callChat(one, await callerIn(one), find(name), chat))
        const restResult = comparable(await callRest(other, await callerIn(other), find(op), rest))
        expect([callerName, [chatResult.data].flat()]).toEqual([
          callerName,
          [restResult.data].flat(),
        ])
        expect([callerName, chatResult.fault?.error]).toEqual([callerName, restResult.fault?.error])
        expect([callerName, await one.changeTypes()]).toEqual([
          callerName,
          await other.changeTypes(),
        ])
      }
    })
})

test('a difference between two surfaces is detected', async () => {
  let callCount = 0
  const inconsistentOperation = operation({
    name: 'moods.get',
    summary: 'Never the same answer',
    needs: 'tasks:read',
    dependsOn: [],
    on: { rest: 'GET /api/v1/mood', mcp: 'svc_time.mood' },
    input: t.Object({}),
    output: t.Object({ mood: t.Integer() }),
    run: async () => ({ mood: callCount++ }),
  })
  const call = (send: typeof callRest) =>
    resultOf(inconsistentOperation, (w) => w.ada, unchanged, send, [inconsistentOperation])
  const [rest, tool] = [await call(callRest), await call(callMcp)]
  expect(rest.outcome.data).toEqual({ mood: 0 })
  expect(tool).not.toEqual(rest)
})
