import type { Server, Tx } from '../../../../kernel/caller.ts'
import { parseRecoveryCode, useRecoveryCode } from './recovery.ts'
import { appOf, periodOf, usePeriod } from './totp.ts'

/** A code that may be right. `use` accepts it, at most once. */
export interface CheckedCode {
  factor: 'app' | 'recovery code'
  use(tx: Tx, now: Date): Promise<boolean>
}

interface Reading {
  server: Pick<Server, 'decrypt'>
  read<T>(job: (tx: Tx) => Promise<T>): Promise<T>
  now: Date
}

/** Checks a code of the authenticator app, or a recovery code. Undefined if it is wrong. */
export async function checkCode(
  { server, read, now }: Reading,
  actor_id: number,
  text: string,
): Promise<CheckedCode | undefined> {
  const digits = text.replace(/\s/g, '')
  if (/^\d{6}$/.test(digits)) {
    const app = await read((tx) => appOf(tx, actor_id))
    const period = app?.confirmed_at ? await periodOf(server, app, digits, now) : undefined
    if (!app || period === undefined) return undefined
    return { factor: 'app', use: (tx, at) => usePeriod(tx, app, period, at) }
  }
  const code = parseRecoveryCode(text)
  if (!code) return undefined
  return { factor: 'recovery code', use: (tx, at) => useRecoveryCode(tx, actor_id, code, at) }
}
