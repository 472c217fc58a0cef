import { closeSync, openSync, readlinkSync } from 'node:fs'
import { devNull, setPriority } from 'node:os'

/** A worker that is short of file descriptors when it starts would end the whole process. */
const DESCRIPTORS = 24

/** Whether enough file descriptors are free to start a worker. */
export function canStartWorker(): boolean {
  const held: number[] = []
  try {
    while (held.length < DESCRIPTORS) held.push(openSync(devNull, 'r'))
    return true
  } catch {
    return false
  } finally {
    for (const one of held) closeSync(one)
  }
}

const BEHIND = 10

/**
 * Lets the thread that answers requests go first where this worker and it want the same processor.
 * Only Linux has priorities for single threads; elsewhere nothing changes.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), BEHIND)
  } catch {
    // Without /proc, or where the system forbids it, the worker keeps its priority.
  }
}
