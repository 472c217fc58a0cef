import { afterAll, expect, test } from 'bun:test'
import { sweep } from '../binary/cork.ts'
import { isFull, scaled } from '../extent.ts'
import { Rounds } from './rounds.ts'

afterAll(sweep)

/** Ten thousand messages in a full run, otherwise a few hundred. */
const MANY = isFull
  ? { agents: 20, writes: 500, everyMs: 500, hangMs: undefined }
  : { agents: 4, writes: 60, everyMs: 50, hangMs: 1000 }
/** A short run contains a restart, so its delays say little about speed and its limit is wide. */
const MOST_WAIT_MS = scaled(20_000, 5000)

test(
  'with failing endpoints and a killed server every message is delivered or can be polled',
  async () => {
    const rounds = await Rounds.open(MANY)
    await rounds.write()
    await rounds.rest()
    const { messages, letters, delivered, polled, lost, twice, renamed, again } =
      await rounds.audit()
    const first = rounds.waits().toSorted((a, b) => a - b)
    const at = (part: number) => Math.round(first[Math.floor(first.length * part)]!)
    console.log(
      `webhooks: ${messages} messages to ${MANY.agents} endpoints that fail 30 % and hang 10 % (${MANY.hangMs ?? 'more than 10,000'} ms), 1 kill: ${letters} requests, ${delivered} delivered, ${polled} left to polling, ${lost.length} lost, ${again} sent again after a success; from write to first attempt p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(0.9999)} ms`,
    )
    expect(lost.slice(0, 10)).toEqual([])
    expect(renamed.slice(0, 10)).toEqual([])
    expect(twice.slice(0, 10)).toEqual([])
    expect(messages).toBe(MANY.agents * MANY.writes)
    // Deliveries that succeeded but were not recorded before the kill are sent again.
    expect(again).toBeLessThan(MANY.agents * 16)
    expect(at(0.95)).toBeLessThan(MOST_WAIT_MS)
    // Fewer would mean that the test covered too little.
    expect(letters).toBeGreaterThan(messages * 1.1)
    expect(delivered).toBeGreaterThan(messages * 0.6)
    expect(await rounds.close()).toBe(0)
  },
  scaled(90_000, 900_000),
)
