import { cell } from './cell.ts'
import { ask, type Input, type Name, newKey, type Output, Refused, Unanswered } from './client.ts'
import { keep, type Sent, settle, take } from './kept.ts'

interface Write extends Sent {
  give(output: unknown): void
  fail(error: unknown): void
  trial?: Promise<Heard>
  /** Made before the page was loaded again. */
  isKept?: true
}
/** Whether a write was answered, by whom it may be, or whether nobody knows any more who asks. */
type Heard = 'answered' | 'unheard' | 'stranger'

/** Writes that nobody has answered, in the order in which they were made. */
const writes = cell<readonly Write[]>([])
/** Those behind one that is late wait for it. */
const isStuck = cell(false)
let isSending = false
let timer: ReturnType<typeof setTimeout> | undefined
/** What this tab had not sent when it was loaded again. */
const before = take()
/** Ended to give up on connections that are dead without saying so. */
let round = new AbortController()

const LATE_MS = 3000
const AGAIN_MS = 3000
const PATIENCE_MS = 30_000

function put(some: readonly Write[]) {
  writes.put(some)
  keep(some)
  if (!some.length) isStuck.put(false)
}

/**
 * A write that waits while the server is out of reach, and is then sent again: with the same key,
 * so that it is done once, and after those that were made before it.
 */
export function send<N extends Name>(
  name: N,
  input: Input<N>,
  { line, draft }: Pick<Sent, 'line' | 'draft'> = {},
): Promise<Output<N>> {
  return new Promise((give, fail) => {
    const earlier = writes.get()
    const key = newKey()
    const write: Write = { name, input, key, line, draft, give: give as Write['give'], fail }
    put([...earlier, write])
    if (isStuck.get()) return later()
    // Whoever stands before it in its line has it begin.
    if (!line || !earlier.some((one) => one.line === line)) begin(write)
  })
}

function begin(write: Write) {
  const late = setTimeout(stick, LATE_MS)
  void tried(write).then((heard) => {
    clearTimeout(late)
    if (heard !== 'answered') return stick()
    const { line } = write
    const next = line && writes.get().find((one) => one.line === line)
    if (next && !isStuck.get()) begin(next)
  })
}

function stick() {
  if (!writes.get().length) return
  isStuck.put(true)
  later()
}

function later() {
  clearTimeout(timer)
  timer = setTimeout(() => void sendOn(), AGAIN_MS)
}

/** Tries now what would be tried later. */
export function sendWaiting(): Promise<void> {
  if (isStuck.get()) round.abort()
  round = new AbortController()
  return sendOn()
}

async function sendOn(): Promise<void> {
  if (isSending || !isStuck.get()) return
  isSending = true
  clearTimeout(timer)
  try {
    for (let [first] = writes.get(); first; [first] = writes.get()) {
      const mine = round
      const heard = await tried(first)
      // Whoever signs in again has it sent on.
      if (heard === 'stranger') return
      if (heard === 'unheard' && mine === round) return later()
    }
  } finally {
    isSending = false
  }
}

/** One that is on its way is not sent a second time. */
function tried(write: Write): Promise<Heard> {
  write.trial ??= attempted(write).finally(() => {
    delete write.trial
  })
  return write.trial
}

async function attempted(write: Write): Promise<Heard> {
  const { name, input, key } = write
  const leave = () => put(writes.get().filter((other) => other !== write))
  try {
    const signal = AbortSignal.any([round.signal, AbortSignal.timeout(PATIENCE_MS)])
    const output = await ask(name, input, { key, signal })
    leave()
    write.give(output)
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return 'stranger'
    if (error instanceof Unanswered || error instanceof DOMException) return 'unheard'
    leave()
    write.fail(error)
  }
  return 'answered'
}

interface Told {
  saved(): void
  refused(error: unknown, input: Sent['input']): void
}

/** Sends what still waited when the page was left or loaded again, before anything else. */
export function sendKept({ saved, refused }: Told) {
  const some = before.splice(0)
  if (!some.length) return
  const fail = (input: Sent['input']) => (error: unknown) => refused(error, input)
  const again = some.map((one, at): Write => {
    const give = () => {
      if (one.draft) settle(one.draft, textOf(one))
      if (at === some.length - 1) saved()
    }
    return { ...one, isKept: true, give, fail: fail(one.input) }
  })
  put([...again, ...writes.get()])
  isStuck.put(true)
  void sendOn()
}

const textOf = ({ input }: Sent) => (input as { text?: string }).text ?? ''

/** What was sent from a draft before the page was loaded again, and still waits. */
export const stillWaiting = (draft: string): string[] =>
  [...before, ...writes.get().filter(({ isKept }) => isKept)]
    .filter((one) => one.draft === draft)
    .map(textOf)

/** Waits no longer: all of it is taken back on the screen, and what was typed stands there again. */
export function dropWaiting() {
  const some = writes.get()
  put([])
  for (const one of some.toReversed()) one.fail(new Unanswered())
}

/** How many changes wait for the server. */
export function useWaiting(): number {
  const { length } = writes.use()
  return isStuck.use() ? length : 0
}

addEventListener('online', () => void sendWaiting())
addEventListener('beforeunload', (event) => {
  if (isStuck.get()) event.preventDefault()
})
