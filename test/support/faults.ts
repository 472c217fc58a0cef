import { Fault } from '../../src/kernel/fault.ts'

/** Returns the fault that a call is refused with. A success or any other error fails the test. */
export async function faultOf(call: Promise<unknown>): Promise<Fault> {
  const outcome = await call.then(
    (answer) => new Error(`It was not refused: ${JSON.stringify(answer)}`),
    (error) => error,
  )
  if (outcome instanceof Fault) return outcome
  throw outcome
}

/** What a call returns, or the fault that it is refused with. Any other error fails the test. */
export const resultOrFault = <T>(call: Promise<T>): Promise<T | Fault> =>
  call.catch((error) => {
    if (error instanceof Fault) return error
    throw error
  })
