import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { ended } from './cork.ts'
import { openHouse } from './house.ts'

const script = join(import.meta.dir, '../../scripts/conformance.ts')

test('the official conformance suite and the Inspector pass, and fail with a forged token', async () => {
  const house = await openHouse()
  try {
    const { out, err, code } = await ended([process.execPath, script, house.url, house.token])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('all that apply passed')
    const refused = await ended([process.execPath, script, house.url, 'cork_forged'])
    expect(refused.code).toBe(1)
  } finally {
    await house.close()
  }
}, 120_000)
