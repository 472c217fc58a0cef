import { ApiError, NoResponseError } from '../kit/errors.ts'
import { createStore } from '../kit/store.ts'
import { discardSentText, loadWrites, saveWrites, type WriteRequest } from './browser-storage.ts'
import {
  callOnce,
  type Input,
  isVerifiedAfter,
  newIdempotencyKey,
  type OperationName,
  type Output,
} from './client.ts'

interface QueuedWrite extends WriteRequest {
  resolve(output: unknown): void
  reject(error: unknown): void
  attempt?: Promise<Outcome>
  /** It was queued before the page was reloaded. */
  isRestored?: true
}
/** Whether the server responded, did not respond, or no longer accepts the session. */
type Outcome = 'response' | 'no-response' | 'signed-out'

/** Writes without a response yet, in the order of the calls. */
const writes = createStore<readonly QueuedWrite[]>([])
/** When the first write gets no response in time, all others wait behind it. */
const isStuck = createStore(false)
let isSending = false
let timer: ReturnType<typeof setTimeout> | undefined
/** Writes that this tab had not sent when it was reloaded. */
const unsentWrites = loadWrites()
/** Aborted to drop connections that are dead without an error. */
let connection = new AbortController()

const SLOW_MS = 3000
const RETRY_MS = 3000
const TIMEOUT_MS = 30_000

function setWrites(next: readonly QueuedWrite[]) {
  writes.set(next)
  saveWrites(next)
  if (!next.length) isStuck.set(false)
}

/**
 * Sends a write. It is queued while the server is unreachable, and then sent again after the writes
 * queued before it, with the same key, so that it is executed once.
 */
export function sendWrite<N extends OperationName>(
  name: N,
  input: Input<N>,
  { line, draft }: Pick<WriteRequest, 'line' | 'draft'> = {},
): Promise<Output<N>> {
  return new Promise((resolve, reject) => {
    const earlier = writes.get()
    const key = newIdempotencyKey()
    const write: QueuedWrite = {
      name,
      input,
      key,
      line,
      draft,
      resolve: resolve as QueuedWrite['resolve'],
      reject,
    }
    setWrites([...earlier, write])
    if (isStuck.get()) return retryLater()
    // The write before it in the same line starts this one when it is done.
    if (!line || !earlier.some((other) => other.line === line)) start(write)
  })
}

/** Whether writes of this line are still to be sent, or have no response yet. */
export const isLineBusy = (line: string) => writes.get().some((write) => write.line === line)

function start(write: QueuedWrite) {
  const stuckTimer = setTimeout(markStuck, SLOW_MS)
  void attemptOnce(write).then((outcome) => {
    clearTimeout(stuckTimer)
    if (outcome !== 'response') return markStuck()
    const { line } = write
    const next = line && writes.get().find((other) => other.line === line)
    if (next && !isStuck.get()) start(next)
  })
}

function markStuck() {
  if (!writes.get().length) return
  isStuck.set(true)
  retryLater()
}

function retryLater() {
  clearTimeout(timer)
  timer = setTimeout(() => void drainQueue(), RETRY_MS)
}

/** Retries the queue now instead of when the timer fires. */
export function sendPendingWrites(): Promise<void> {
  if (isStuck.get()) connection.abort()
  connection = new AbortController()
  return drainQueue()
}

async function drainQueue(): Promise<void> {
  if (isSending || !isStuck.get()) return
  isSending = true
  clearTimeout(timer)
  try {
    for (let [first] = writes.get(); first; [first] = writes.get()) {
      const ownConnection = connection
      const outcome = await attemptOnce(first)
      // Signing in again resumes the queue.
      if (outcome === 'signed-out') return
      if (outcome === 'no-response' && ownConnection === connection) return retryLater()
    }
  } finally {
    isSending = false
  }
}

/** A write that is already being sent is not sent a second time. */
function attemptOnce(write: QueuedWrite): Promise<Outcome> {
  write.attempt ??= attemptWrite(write).finally(() => {
    delete write.attempt
  })
  return write.attempt
}

async function attemptWrite(write: QueuedWrite): Promise<Outcome> {
  const { name, input, key } = write
  const dequeue = () => setWrites(writes.get().filter((other) => other !== write))
  try {
    const signal = AbortSignal.any([connection.signal, AbortSignal.timeout(TIMEOUT_MS)])
    const output = await callOnce(name, input, { key, signal })
    dequeue()
    write.resolve(output)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return 'signed-out'
    if (error instanceof NoResponseError || error instanceof DOMException) return 'no-response'
    dequeue()
    void repeatIfVerified(write, error)
  }
  return 'response'
}

/** The write leaves the queue meanwhile, so that no other write waits for the user. */
async function repeatIfVerified(write: QueuedWrite, error: unknown): Promise<void> {
  if (!(await isVerifiedAfter(error))) return write.reject(error)
  const { name, input, line, draft } = write
  sendWrite(name, input as never, { line, draft }).then(write.resolve, write.reject)
}

interface RestoreCallbacks {
  onSaved(): void
  onRefused(error: unknown, input: WriteRequest['input']): void
}

/**
 * Sends the writes that were still queued when the page was left or reloaded, before all others.
 */
export function sendRestoredWrites({ onSaved, onRefused }: RestoreCallbacks) {
  const unsent = unsentWrites.splice(0)
  if (!unsent.length) return
  const rejectWith = (input: WriteRequest['input']) => (error: unknown) => onRefused(error, input)
  const restored = unsent.map((request, at): QueuedWrite => {
    const resolve = () => {
      if (request.draft) discardSentText(request.draft, textOf(request))
      if (at === unsent.length - 1) onSaved()
    }
    return { ...request, isRestored: true, resolve, reject: rejectWith(request.input) }
  })
  setWrites([...restored, ...writes.get()])
  isStuck.set(true)
  void drainQueue()
}

const textOf = ({ input }: WriteRequest) => (input as { text?: string }).text ?? ''

/** The texts of a draft that were queued before the page was reloaded and are not sent yet. */
export const restoredTexts = (draft: string): string[] =>
  [...unsentWrites, ...writes.get().filter(({ isRestored }) => isRestored)]
    .filter((write) => write.draft === draft)
    .map(textOf)

/**
 * Gives up on the queue: optimistic changes are undone, and the typed texts return to their fields.
 */
export function discardPendingWrites() {
  const pending = writes.get()
  setWrites([])
  for (const write of pending.toReversed()) write.reject(new NoResponseError())
}

/** How many writes wait for an unreachable server; 0 while it is reachable. */
export function usePendingCount(): number {
  const { length } = writes.use()
  return isStuck.use() ? length : 0
}

addEventListener('online', () => void sendPendingWrites())
addEventListener('beforeunload', (event) => {
  if (isStuck.get()) event.preventDefault()
})
