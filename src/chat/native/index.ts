import { startChatReplies } from './chat-replies.ts'
import type { AgentRuntime } from './runtime.ts'
import { type NativeOptions, startRuns } from './worker.ts'

/**
 * Runs the native agents: works on their runs and replies in threads that mention them. The
 * returned function stops it.
 */
export function startNative(
  runtime: AgentRuntime,
  options: NativeOptions = {},
): () => Promise<void> {
  const stops = [startRuns(runtime, options), startChatReplies(runtime)]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
