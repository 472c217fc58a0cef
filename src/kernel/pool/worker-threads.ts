import { closeSync, openSync, readlinkSync } from 'node:fs'
import { devNull, setPriority } from 'node:os'

/** A worker that runs out of file descriptors while it starts crashes the whole process. */
const REQUIRED_DESCRIPTORS = 24

/** Whether enough file descriptors are free to start a worker. */
export function canStartWorker(): boolean {
  const descriptors: number[] = []
  try {
    while (descriptors.length < REQUIRED_DESCRIPTORS) descriptors.push(openSync(devNull, 'r'))
    return true
  } catch {
    return false
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor)
  }
}

/** A nice value. */
const LOWER_PRIORITY = 10

/**
 * Lowers the priority of this worker, so that the thread that answers requests goes first when both
 * need the same processor. Only Linux has priorities per thread; elsewhere this does nothing.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), LOWER_PRIORITY)
  } catch {
    // Without /proc, or if the system forbids it, the worker keeps its priority.
  }
}
