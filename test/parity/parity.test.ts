import { describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { catalog } from '../../src/catalog.ts'
import { type AnyOperation, operation, toArray } from '../../src/kernel/operation.ts'
import { type Outcome, overChat, overMcp, overRest } from '../ask.ts'
import { everyNth } from '../extent.ts'
import { claimed } from '../furniture.ts'
import { samples } from '../samples.ts'
import { type Actor, type World, world } from '../world.ts'

type Fields = Record<string, unknown>

/**
 * Removes only what differs between two runs of the same call: random links, secrets and ids, the
 * duration of a delivery, when a credential was last used, and the action or tool that a refusal
 * names.
 */
const told = ({ data, page, warnings, fault }: Outcome) =>
  JSON.parse(
    JSON.stringify({ data, page, warnings, fault }, (name, value) =>
      /^(ms|last_used_at)$/.test(name) ? undefined : value,
    ).replace(
      / \((?:action|tool) \w+\)|(\/invitations\/)[\w-]+|[0-9a-f]{8}-[0-9a-f-]{27}|\b(?:dlv|msg_test|pg)_\w+|(?:cork(?:agent)?_|whsec_)[\w+/=-]{30,}/g,
      (whole, path) => (path ? `${path}…` : whole[0] === ' ' ? '' : '…'),
    ),
  )

const same = (input: Fields) => input

const variants: [string, (input: Fields, w: World) => Fields][] = [
  ['a good input', same],
  ['an unknown field', (input) => ({ ...input, colour: 'red' })],
  ['a wrong type', (input) => ({ ...input, [Object.keys(input).at(-1) ?? 'x']: { odd: true } })],
  ['nothing', () => ({})],
  [
    'ids nobody has',
    (input) => mapped(input, (value) => (typeof value === 'number' ? 999_999 : value)),
  ],
]

const mapped = (input: Fields, change: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, change(value)]))

type Who = (w: World) => Actor | Promise<Actor>

const cast: [string, Who][] = [
  ['the owner', (w) => w.ada],
  ['an agent', (w) => w.bot],
  ['somebody of another team', (w) => w.otto],
]

/** Claims every task that a sample may change, as an agent must before it changes one. */
const atWork: Who = async ({ bot, tasks: { logo, copy, link } }) => {
  for (const task of [logo, copy, link]) await claimed(bot, task)
  return bot
}

const castFor = (op: AnyOperation): [string, Who][] =>
  op.guard ? [...cast, ['an agent that holds the task', atWork]] : cast

/** Inputs that REST cannot express: fields in the URL cannot be missing and are always text. */
function unsayable(op: AnyOperation, what: string): boolean {
  const [method, path] = toArray(op.on.rest)[0]!.split(' ') as [string, string]
  if (what === 'nothing') return path.includes(':')
  const inBody = (path.match(/:/g)?.length ?? 0) < Object.keys(op.input.properties).length
  const isText = op.input.properties.task_identifier && path.includes(':')
  return what === 'a wrong type' && (method === 'GET' || method === 'DELETE' || !inBody || isText)
}

/** Calls the operation in a world of its own; all worlds have the same contents. */
async function answer(
  op: AnyOperation,
  who: Who,
  vary: (input: Fields, w: World) => Fields,
  send: typeof overRest,
  plant: readonly AnyOperation[] = [],
) {
  const w = await world({ plant })
  const input = vary((await samples[op.name]?.(w)) ?? {}, w)
  return {
    outcome: told(await send(w, await who(w), op, input)),
    changes: (await w.emitted()).slice(-3),
  }
}

/** The first tool action and older names without an action; further actions are called alike. */
const ways = ({ on }: AnyOperation): string[] => [
  ...toArray(on.mcp).filter((name, at) => at === 0 || !name.includes('.')),
  ...(on.chat ? ['chat'] : []),
]

const overWay = (name: string): typeof overRest =>
  name === 'chat' ? overChat : (...asked) => overMcp(...asked, name)

describe('REST and tools return the same result for the same input', () => {
  const both = (catalog as readonly AnyOperation[])
    .filter(({ on }) => on.rest)
    .flatMap((op) => ways(op).map((name) => [op, name] as const))
  for (const [op, name] of everyNth(both, { sqlite: 10, postgres: 30 }))
    test(`${op.name} as ${name}`, async () => {
      for (const [whom, who] of castFor(op))
        for (const [what, vary] of variants) {
          if (unsayable(op, what)) continue
          const rest = await answer(op, who, vary, overRest)
          const tool = await answer(op, who, vary, overWay(name))
          expect([op.name, whom, what, tool]).toEqual([op.name, whom, what, rest])
        }
    })
})

/** Operations that only a chat has, with an equivalent REST request. */
const ALIKE: Record<string, (w: World) => [chat: Fields, op: string, rest: Fields]> = {
  'tasks.add_label': ({ tasks: { copy } }) => [
    { ticket_numbers: [copy.ticket_number], label: 'bug' },
    'tasks.update_many',
    { task_ids: [copy.task_id], add_labels: ['bug'] },
  ],
  'tasks.remove_label': ({ tasks: { logo } }) => [
    { ticket_numbers: [logo.ticket_number], label: 'ui' },
    'tasks.update_many',
    { task_ids: [logo.task_id], remove_labels: ['ui'] },
  ],
  'tasks.assign_to': ({ tasks: { copy }, ben }) => [
    { ticket_numbers: [copy.ticket_number], assignees: ['Ben'] },
    'tasks.assign',
    { task_id: copy.task_id, user_id: ben.caller.actor_id },
  ],
  'tasks.unassign': ({ tasks: { logo }, cleo }) => [
    { ticket_numbers: [logo.ticket_number], assignees: ['Cleo'] },
    'tasks.assign',
    { task_id: logo.task_id, user_id: cleo.caller.actor_id, intent: 'unassign' },
  ],
  'tasks.create_many': ({ board: { project_id } }) => [
    { project_id, tasks: [{ title: 'Paint', labels: ['bug'], priority: 'High' }] },
    'tasks.create',
    { project_id, title: 'Paint', labels: ['bug'], priority: 'High' },
  ],
}

describe('operations that only a chat has do the same as a REST request', () => {
  const find = (name: string) =>
    (catalog as readonly AnyOperation[]).find((op) => op.name === name)!
  const alone = (catalog as readonly AnyOperation[]).filter(({ on }) => on.chat && !on.rest)
  for (const { name } of alone)
    test(name, async () => {
      for (const [whom, who] of [
        ...cast,
        ['an agent that holds the task', atWork],
      ] as typeof cast) {
        const [one, other] = [await world(), await world()]
        const [chat, op, rest] = ALIKE[name]!(one)
        const said = told(await overChat(one, await who(one), find(name), chat))
        const asked = told(await overRest(other, await who(other), find(op), rest))
        expect([whom, [said.data].flat()]).toEqual([whom, [asked.data].flat()])
        expect([whom, said.fault?.error]).toEqual([whom, asked.fault?.error])
        expect([whom, await one.emitted()]).toEqual([whom, await other.emitted()])
      }
    })
})

test('a difference between two surfaces is detected', async () => {
  let turn = 0
  const fickle = operation({
    name: 'moods.get',
    summary: 'Never the same answer',
    needs: 'tasks:read',
    on: { rest: 'GET /api/v1/mood', mcp: 'svc_time.mood' },
    input: t.Object({}),
    output: t.Object({ mood: t.Integer() }),
    run: async () => ({ mood: turn++ }),
  })
  const ask = (send: typeof overRest) => answer(fickle, (w) => w.ada, same, send, [fickle])
  const [rest, tool] = [await ask(overRest), await ask(overMcp)]
  expect(rest.outcome.data).toEqual({ mood: 0 })
  expect(tool).not.toEqual(rest)
})
