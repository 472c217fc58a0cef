import { startAnswers } from './answers.ts'
import type { Desk } from './desk.ts'
import { type Serving, startRuns } from './worker.ts'

/**
 * Runs the native agents: takes up what they are called to, and answers where they are addressed in
 * a chat. Goes on until what it answers is called.
 */
export function startNative(desk: Desk, serving: Serving = {}): () => Promise<void> {
  const stops = [startRuns(desk, serving), startAnswers(desk)]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
