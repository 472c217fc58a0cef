import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  newRecoveryCodes,
  parseRecoveryCode,
} from '../../../../src/features/identity/factors/model/recovery.ts'
import { periodOf } from '../../../../src/features/identity/factors/model/totp.ts'
import { codeAt } from './people-in-browsers.ts'

const PERIOD_MS = 30_000
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const server = { decrypt: (_: string, text: string) => text }
const appAfter = (last_period: number | null) => ({
  ...{ actor_id: 1, secret: SECRET, last_period },
  ...{ created_at: new Date(0), confirmed_at: new Date(0), last_used_at: null },
})
const time = fc.integer({ min: 10 * PERIOD_MS, max: 4_000_000_000_000 })

test('a code is accepted within one period of its own, unless a later one was used', async () => {
  const check = async (now: number, distance: number, last: number | null) => {
    const own = Math.floor(now / PERIOD_MS) + distance
    const code = codeAt(SECRET, new Date(own * PERIOD_MS))
    const app = appAfter(last === null ? null : own + last)
    const period = await periodOf(server, app, code, new Date(now))
    const isAccepted = Math.abs(distance) <= 1 && (last === null || last < 0)
    // Codes have six digits, so that another period can have the same one by chance.
    if (isAccepted) expect(period).toBe(own)
    else if (period !== undefined) expect(period).not.toBe(own)
  }
  const distance = fc.integer({ min: -4, max: 4 })
  const last = fc.option(fc.integer({ min: -3, max: 3 }))
  await fc.assert(fc.asyncProperty(time, distance, last, check))
})

test('every recovery code is read back as people may type it', () => {
  const variants: ((code: string) => string)[] = [
    (code) => code,
    (code) => code.toUpperCase(),
    (code) => code.replaceAll('-', ''),
    (code) => ` ${code.replaceAll('-', '  ')}\n`,
    (code) => code.replaceAll('0', 'O').replaceAll('1', 'l'),
  ]
  for (const code of newRecoveryCodes())
    for (const typed of variants)
      expect(parseRecoveryCode(typed(code))).toBe(code.replaceAll('-', ''))
})

test('a text that is no recovery code is never read as one', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const code = parseRecoveryCode(text)
      expect(code === undefined || /^[0-9a-hjkmnp-tv-z]{16}$/.test(code)).toBe(true)
    }),
  )
  for (const text of ['', '123456', 'u'.repeat(16), 'a'.repeat(15), 'a'.repeat(17)])
    expect(parseRecoveryCode(text)).toBeUndefined()
})
