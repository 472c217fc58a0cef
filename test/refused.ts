import { Fault } from '../src/kernel/fault.ts'

/** The fault that a call ends in; anything else, a success above all, fails the test. */
export async function refused(call: Promise<unknown>): Promise<Fault> {
  const outcome = await call.then(
    (answer) => new Error(`It was not refused: ${JSON.stringify(answer)}`),
    (error) => error,
  )
  if (outcome instanceof Fault) return outcome
  throw outcome
}
