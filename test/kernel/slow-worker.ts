import { answerWith } from '../../src/kernel/pool/answer.ts'

declare const self: Worker

/** Tasks whose duration or failure a test chooses. */
const tasks: Record<string, (text: string) => unknown> = {
  echo: (text: string) => text,
  async sleep(ms: string) {
    await Bun.sleep(Number(ms))
    return ms
  },
  forever() {
    for (;;) Math.random()
  },
  die: () => process.exit(1),
}
const answer = answerWith(([name, text]: [string, string]) => tasks[name]!(text))

self.onmessage = async ({ data }: MessageEvent) => self.postMessage(await answer(data))
