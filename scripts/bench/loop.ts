import { join } from 'node:path'
import type { Sample } from './sample.ts'

/**
 * A yardstick in a process of its own, as the server has one: a script that answers every line it
 * is given, which begins with the seconds to run for, with a sample.
 */
export function loop(script: string, args: readonly string[]) {
  const run = Bun.spawn([process.execPath, join(import.meta.dir, script), ...args], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = linesOf(run.stdout)
  return {
    run: (how: string) => async (seconds: number) => {
      run.stdin.write(`${seconds} ${how}\n`)
      run.stdin.flush()
      const { value } = await lines.next()
      if (!value) throw new Error(`${script} ended before its time`)
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
