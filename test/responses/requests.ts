import { eq } from 'drizzle-orm'
import { catalog } from '../../src/catalog.ts'
import { people } from '../../src/features/identity/people/model/index.ts'
import { type AnyOperation, isWrite, toArray } from '../../src/kernel/operation.ts'
import { browserClient } from '../support/browser-client.ts'
import { waitForFollowers } from '../support/followers.ts'
import type { Fields, Input } from '../support/operation-sample.ts'
import { sampleCaller, samples } from '../support/samples.ts'
import { callChat, callMcp, callRest, type Outcome, restRequest } from '../support/surface-calls.ts'
import { type Actor, type World, world } from '../support/world.ts'

export const operations: readonly AnyOperation[] = catalog

export const needsBrowser = ({ name }: AnyOperation) => samples[name]!.caller === 'browser'

/** An actor who may call the operation with its sample. */
export const callerFor = (w: World, { name }: AnyOperation): Actor => sampleCaller(w, name)

export interface SurfaceResponse {
  surface: 'rest' | 'mcp' | 'chat' | 'browser'
  outcome: Outcome
}

const SURFACE_CALLS = { rest: callRest, mcp: callMcp, chat: callChat }
type Surface = keyof typeof SURFACE_CALLS

const surfacesOf = ({ on }: AnyOperation): Surface[] => {
  const surfaces = (['rest', 'mcp'] as const).filter((surface) => toArray(on[surface]).length)
  return surfaces.length ? surfaces : ['chat']
}

/**
 * The responses to valid calls over each surface. Reads share a world, unless they open the search
 * index, which is closed with the test that opened it; each write has a world of its own.
 */
export async function responsesOf(op: AnyOperation, shared: World): Promise<SurfaceResponse[]> {
  if (needsBrowser(op)) return [{ surface: 'browser', outcome: await callInBrowser(op) }]
  const responses: SurfaceResponse[] = []
  for (const sample of samplesOf(op))
    for (const surface of surfacesOf(op)) {
      const w = isWrite(op) || op.uncached ? await world({ full: true }) : shared
      const input = await inputFor(w, op, sample)
      responses.push({
        surface,
        outcome: await SURFACE_CALLS[surface](w, callerFor(w, op), op, input),
      })
      if (samples[op.name]!.alsoAsAgent)
        responses.push({ surface, outcome: await SURFACE_CALLS[surface](w, w.bot, op, input) })
    }
  return responses
}

export function samplesOf({ name }: AnyOperation): Input[] {
  const { input, furtherInputs = [] } = samples[name]!
  return [input, ...furtherInputs]
}

/** A valid input. Before an inbox operation, it waits until the inboxes are filled. */
export async function inputFor(w: World, op: AnyOperation, sample = samples[op.name]!.input) {
  const input = await sample(w)
  if (op.name.startsWith('inbox.')) await waitForFollowers(w)
  return input
}

const PASSWORD = 'the old words'

async function callInBrowser(op: AnyOperation): Promise<Outcome> {
  const w = await world({ full: true })
  const options = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const
  const password_hash = await Bun.password.hash(PASSWORD, options)
  const isAda = eq(people.actor_id, w.ada.caller.actor_id)
  await w.store.write((tx) => tx.update(people).set({ password_hash }).where(isAda))
  const browsers = [browserClient(w.app), browserClient(w.app)]
  for (const one of browsers)
    await one.post('/sign-in', { email: 'ada@example.com', password: PASSWORD })
  const [browser] = browsers as [(typeof browsers)[0]]
  const sessions = JSON.parse((await browser.get('/api/v1/user/sessions')).text).data.sessions
  const other = sessions.find(({ current }: Fields) => !current)
  const sample = samples[op.name]!
  const input = {
    ...(await sample.input(w)),
    ...(op.name.endsWith('.end') && other),
    ...(await sample.prepareInBrowser?.(browser, w)),
  }
  const { method, path, body } = restRequest(op, pickInput(op, input))
  const { status, text } =
    method === 'GET' ? await browser.get(path) : await browser.json(method, path, body ?? {})
  const { data, page, warnings, success, ...fault } = JSON.parse(text)
  return success ? { status, data, page, warnings } : { status, fault }
}

const pickInput = ({ input }: AnyOperation, fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name in input.properties))
