import { join } from 'node:path'
import type { Sample } from './sample.ts'

/**
 * Starts a baseline script in a process of its own, because the server under test also has one. Each
 * line that is sent to it begins with the seconds to run; it answers each line with a sample.
 */
export function startBaselineProcess(script: string, args: readonly string[]) {
  const run = Bun.spawn([process.execPath, join(import.meta.dir, script), ...args], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = linesOf(run.stdout)
  return {
    run: (options: string) => async (seconds: number) => {
      run.stdin.write(`${seconds} ${options}\n`)
      run.stdin.flush()
      const { value } = await lines.next()
      if (!value) throw new Error(`${script} ended unexpectedly`)
      return JSON.parse(value) as Sample
    },
    async stop() {
      run.kill()
      await run.exited
    },
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    const lines = text.split('\n')
    text = lines.pop()!
    yield* lines
  }
}
