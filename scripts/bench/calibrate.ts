import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from './report.ts'
import { medianSample, type RunSettings, type Sample, sampleOf, spreadOf } from './sample.ts'
import { cache } from './servers.ts'

const STEPS = 20_000_000

/** Measures the machine itself, so that results of two machines can be compared. */
export function calibrate({ rounds, seconds }: RunSettings): Row[] {
  loop()
  const loops = spreadOf(Array.from({ length: rounds }, loop))
  const syncs = Array.from({ length: rounds }, () => sync(seconds / 2))
  return [
    {
      group: 'machine',
      measurement: 'steps of a fixed loop, one core',
      figure: loops,
      unit: 'M/s',
    },
    {
      ...{ group: 'machine', measurement: '4 KB written and synced', unit: 'ms' as const },
      ...{ sample: medianSample(syncs), figure: spreadOf(syncs.map(({ p50 }) => p50)) },
    },
  ]
}

/** Returns millions of steps per second. */
function loop(): number {
  const startedAt = performance.now()
  let hash = 0x811c9dc5
  for (let step = 0; step < STEPS; step++) hash = Math.imul(hash ^ (step & 0xff), 0x01000193)
  const seconds = (performance.now() - startedAt) / 1000
  // The result must be used, or the compiler might remove the loop.
  if (hash === 1) throw new Error('The fixed loop has a wrong result')
  return STEPS / 1e6 / seconds
}

/** Measures writes of 4 KB that are synced to disk. */
function sync(seconds: number): Sample {
  const path = join(cache, `sync-${process.pid}`)
  const file = openSync(path, 'w')
  const block = Buffer.alloc(4096, 1)
  const times: number[] = []
  const startedAt = performance.now()
  try {
    while (performance.now() - startedAt < seconds * 1000) {
      const startedAt = performance.now()
      writeSync(file, block, 0, block.byteLength, 0)
      fdatasyncSync(file)
      times.push(performance.now() - startedAt)
    }
  } finally {
    closeSync(file)
    rmSync(path)
  }
  return sampleOf(times, (performance.now() - startedAt) / 1000, { client: 0, server: 0 })
}
