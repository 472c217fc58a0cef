import { afterAll, expect, test } from 'bun:test'
import { cleanUp } from '../binary/cork.ts'
import { isFull, scaleCount } from '../support/scale.ts'
import { WebhookScenario } from './webhook-scenario.ts'

afterAll(cleanUp)

/** Ten thousand messages in a full run, otherwise a few hundred. */
const LOAD = isFull
  ? { agents: 20, writes: 500, everyMs: 500, hangMs: undefined }
  : { agents: 4, writes: 60, everyMs: 50, hangMs: 1000 }

test(
  'with failing endpoints and a killed server every message is delivered or can be polled',
  async () => {
    const scenario = await WebhookScenario.open(LOAD)
    await scenario.write()
    await scenario.waitUntilDelivered()
    const { messages, requests, delivered, polled, lost, idConflicts, changedIds, repeats } =
      await scenario.audit()
    const delays = scenario.delays().toSorted((a, b) => a - b)
    const percentile = (part: number) => Math.round(delays[Math.floor(delays.length * part)]!)
    console.log(
      `webhooks: ${messages} messages to ${LOAD.agents} endpoints that fail 30 % and hang 10 % (${LOAD.hangMs ?? 'more than 10,000'} ms), 1 kill: ${requests} requests, ${delivered} delivered, ${polled} left to polling, ${lost.length} lost, ${repeats} sent again after a success; from write to first attempt p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms, most ${percentile(0.9999)} ms`,
    )
    expect(lost.slice(0, 10)).toEqual([])
    expect(changedIds.slice(0, 10)).toEqual([])
    expect(idConflicts.slice(0, 10)).toEqual([])
    expect(messages).toBe(LOAD.agents * LOAD.writes)
    // Deliveries that succeeded but were not recorded before the kill are sent again.
    expect(repeats).toBeLessThan(LOAD.agents * 16)
    // Fewer would mean that the test covered too little.
    expect(requests).toBeGreaterThan(messages * 1.1)
    expect(delivered).toBeGreaterThan(messages * 0.6)
    expect(await scenario.close()).toBe(0)
  },
  scaleCount(90_000, 900_000),
)
