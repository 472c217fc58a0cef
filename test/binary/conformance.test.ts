import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startBoardServer } from './board-server.ts'
import { runCommand } from './cork.ts'

const script = join(import.meta.dir, '../../scripts/conformance.ts')

test('the official conformance suite and the Inspector pass, and fail with a forged token', async () => {
  const server = await startBoardServer({ CORK_RATE_LIMIT_BASE: '0', CORK_RATE_LIMIT_AGENT: '0' })
  try {
    const { out, err, code } = await runCommand([
      process.execPath,
      script,
      server.url,
      server.mcpToken,
    ])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('all applicable scenarios passed')
    const result = await runCommand([process.execPath, script, server.url, 'cork_forged'])
    expect(result.code).toBe(1)
  } finally {
    await server.close()
  }
})
