import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

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
