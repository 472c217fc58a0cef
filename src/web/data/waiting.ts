import { useSyncExternalStore } from 'react'
import { ask, type Input, type Name, type Output, Refused, Unanswered } from './client.ts'

interface Waiting {
  again(): Promise<unknown>
  give(output: unknown): void
  fail(error: unknown): void
}

/** Writes that nobody has answered, in the order in which they were made. */
let waiting: readonly Waiting[] = []
let isSending = false
let timer: ReturnType<typeof setTimeout> | undefined
const heard = new Set<() => void>()
const AGAIN_MS = 3000
const PATIENCE_MS = 30_000

function put(some: readonly Waiting[]) {
  waiting = some
  for (const tell of heard) tell()
}

/** Nobody who could have done it has answered, or nobody knows any more who asks. */
const isUnheard = (error: unknown) =>
  error instanceof Unanswered ||
  (error instanceof Refused && error.status === 401) ||
  (error instanceof DOMException && error.name === 'TimeoutError')

/**
 * A write that waits while the server is out of reach, and is then sent again: with the same key,
 * so that it is done once, and after those that were made before it.
 */
export async function send<N extends Name>(name: N, input: Input<N>): Promise<Output<N>> {
  const key = crypto.randomUUID()
  const again = () => ask(name, input, { key, signal: AbortSignal.timeout(PATIENCE_MS) })
  if (!waiting.length)
    try {
      return await again()
    } catch (error) {
      if (!isUnheard(error)) throw error
    }
  return new Promise((give, fail) => {
    put([...waiting, { again, give: give as Waiting['give'], fail }])
    later()
  })
}

function later() {
  clearTimeout(timer)
  timer = setTimeout(() => void sendWaiting(), AGAIN_MS)
}

/** Tries now what would be tried later. */
export async function sendWaiting(): Promise<void> {
  if (isSending) return
  isSending = true
  clearTimeout(timer)
  try {
    while (waiting.length) if (!(await answered(waiting[0]!))) return later()
  } finally {
    isSending = false
  }
}

async function answered(one: Waiting): Promise<boolean> {
  const leave = () => put(waiting.filter((other) => other !== one))
  try {
    const output = await one.again()
    leave()
    one.give(output)
  } catch (error) {
    if (isUnheard(error)) return false
    leave()
    one.fail(error)
  }
  return true
}

/** Waits no longer: all of it is taken back on the screen, and what was typed stands there again. */
export function dropWaiting() {
  const some = waiting
  put([])
  for (const one of some.toReversed()) one.fail(new Unanswered())
}

export const useWaiting = () =>
  useSyncExternalStore(
    (tell) => {
      heard.add(tell)
      return () => heard.delete(tell)
    },
    () => waiting.length,
  )

addEventListener('online', () => void sendWaiting())
addEventListener('beforeunload', (event) => {
  if (waiting.length) event.preventDefault()
})
