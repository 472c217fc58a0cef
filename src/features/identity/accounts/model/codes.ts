import type { Server, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { type CheckedCode, checkCode } from '../../factors/model/index.ts'
import { type Source, throttleOf } from './throttle.ts'

interface Guess {
  actor_id: number
  code: string
  /** Where it comes from. Guesses of one source slow down only each other. */
  source: string
}

interface Reading {
  server: Server
  read<T>(job: (tx: Tx) => Promise<T>): Promise<T>
  now: Date
}

/** Checks a code and returns what accepts it, once. Wrong codes slow down further ones. */
export async function requireCode(
  { server, read, now }: Reading,
  { actor_id, code, source }: Guess,
): Promise<CheckedCode> {
  const throttle = throttleOf(server, 'code')
  const account = String(actor_id)
  const from: Source = { name: source, isKnown: true }
  throttle.begin(account, from)
  const checked = await checkCode({ server, read, now }, actor_id, code)
  if (!checked) throw wrongCode()
  return {
    factor: checked.factor,
    async use(tx, at) {
      if (!(await checked.use(tx, at))) throw wrongCode()
      throttle.succeed(account, from)
      return true
    },
  }
}

const wrongCode = () =>
  fault.invalid(
    'code',
    'conflict',
    'This code is wrong, or was used before',
    undefined,
    'Enter the code that the app shows now, or a recovery code that you have not used yet',
  )
