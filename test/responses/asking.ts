import { eq } from 'drizzle-orm'
import { catalog } from '../../src/catalog.ts'
import { people } from '../../src/features/people/index.ts'
import { type AnyOperation, isWrite, toArray } from '../../src/kernel/operation.ts'
import { type Outcome, overChat, overMcp, overRest, restCall } from '../ask.ts'
import { caughtUp } from '../caughtup.ts'
import { samples } from '../samples.ts'
import { visitor } from '../visitor.ts'
import { type Actor, type World, world } from '../world.ts'
import { alsoByAgent, moreSamples, type Sample } from './more-samples.ts'

type Fields = Record<string, unknown>

export const operations: readonly AnyOperation[] = catalog

/** Only the agent may change its own runs, comments and messages. */
const BY_AGENT = /^(comments\.update|runs\.(update|append)|messages\.)/
/** Operations that need a browser session. */
export const BY_BROWSER = /^(browser_sessions|password)\./

/** An actor who may call the operation with its sample. */
export const callerFor = (w: World, { name }: AnyOperation): Actor =>
  BY_AGENT.test(name) ? w.bot : w.ada

export function sampleOf({ name }: AnyOperation): Sample {
  const sample = samples[name]
  if (!sample) throw new Error(`test/samples.ts has no valid input for ${name}`)
  return sample
}

export interface Asked {
  surface: 'rest' | 'mcp' | 'chat' | 'browser'
  outcome: Outcome
}

const WAYS = { rest: overRest, mcp: overMcp, chat: overChat }
type Way = keyof typeof WAYS

const waysOf = ({ on }: AnyOperation): Way[] => {
  const ways = (['rest', 'mcp'] as const).filter((way) => toArray(on[way]).length)
  return ways.length ? ways : ['chat']
}

/**
 * The responses to valid calls over each surface. Reads share a world, unless they open the search
 * index, which is closed with the test that opened it; each write has a world of its own.
 */
export async function responsesOf(op: AnyOperation, shared: World): Promise<Asked[]> {
  if (BY_BROWSER.test(op.name)) return [{ surface: 'browser', outcome: await byBrowser(op) }]
  const all: Asked[] = []
  for (const sample of samplesOf(op))
    for (const surface of waysOf(op)) {
      const w = isWrite(op) || op.uncached ? await world({ full: true }) : shared
      const input = await inputFor(w, op, sample)
      all.push({ surface, outcome: await WAYS[surface](w, callerFor(w, op), op, input) })
      if (alsoByAgent.test(op.name))
        all.push({ surface, outcome: await WAYS[surface](w, w.bot, op, input) })
    }
  return all
}

export const samplesOf = (op: AnyOperation): Sample[] => [
  sampleOf(op),
  ...(moreSamples[op.name] ?? []),
]

/** A valid input. Before an inbox operation, it waits until the inboxes are filled. */
export async function inputFor(w: World, op: AnyOperation, sample = sampleOf(op)): Promise<Fields> {
  const input = await sample(w)
  if (op.name.startsWith('inbox.')) await caughtUp(w)
  return input
}

const PASSWORD = 'the old words'

async function byBrowser(op: AnyOperation): Promise<Outcome> {
  const w = await world({ full: true })
  const options = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const
  const password_hash = await Bun.password.hash(PASSWORD, options)
  const isAda = eq(people.actor_id, w.ada.caller.actor_id)
  await w.store.write((tx) => tx.update(people).set({ password_hash }).where(isAda))
  const browsers = [visitor(w.app), visitor(w.app)]
  for (const one of browsers)
    await one.post('/sign-in', { email: 'ada@example.com', password: PASSWORD })
  const [browser] = browsers as [(typeof browsers)[0]]
  const listed = JSON.parse((await browser.get('/api/v1/user/sessions')).text).data.sessions
  const other = listed.find(({ current }: Fields) => !current)
  const input = { ...(await sampleOf(op)(w)), ...(op.name.endsWith('.end') && other) }
  const { method, path, body } = restCall(op, pickInput(op, input))
  const { status, text } =
    method === 'GET' ? await browser.get(path) : await browser.json(method, path, body ?? {})
  const { data, page, warnings, success, ...fault } = JSON.parse(text)
  return success ? { status, data, page, warnings } : { status, fault }
}

const pickInput = ({ input }: AnyOperation, given: Fields) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => name in input.properties))
