import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from './report.ts'
import { type Pace, type Sample, sampleOf, spreadOf, typical } from './sample.ts'
import { cache } from './servers.ts'

const STEPS = 20_000_000

/** Figures that have nothing to do with the product, so that two machines can be compared. */
export function calibrate({ rounds, seconds }: Pace): Row[] {
  loop()
  const loops = spreadOf(Array.from({ length: rounds }, loop))
  const syncs = Array.from({ length: rounds }, () => sync(seconds / 2))
  return [
    { group: 'machine', what: 'steps of a fixed loop, one core', figure: loops, unit: 'M/s' },
    {
      ...{ group: 'machine', what: '4 KB written and synced', unit: 'ms' as const },
      ...{ sample: typical(syncs), figure: spreadOf(syncs.map(({ p50 }) => p50)) },
    },
  ]
}

/** Millions of steps in a second. */
function loop(): number {
  const began = performance.now()
  let hash = 0x811c9dc5
  for (let step = 0; step < STEPS; step++) hash = Math.imul(hash ^ (step & 0xff), 0x01000193)
  const seconds = (performance.now() - began) / 1000
  // Used, or the loop might be left out.
  if (hash === 1) throw new Error('The fixed loop came to nothing')
  return STEPS / 1e6 / seconds
}

function sync(seconds: number): Sample {
  const path = join(cache, `sync-${process.pid}`)
  const file = openSync(path, 'w')
  const block = Buffer.alloc(4096, 1)
  const times: number[] = []
  const began = performance.now()
  try {
    while (performance.now() - began < seconds * 1000) {
      const asked = performance.now()
      writeSync(file, block, 0, block.byteLength, 0)
      fdatasyncSync(file)
      times.push(performance.now() - asked)
    }
  } finally {
    closeSync(file)
    rmSync(path)
  }
  return sampleOf(times, (performance.now() - began) / 1000, { client: 0, server: 0 })
}
