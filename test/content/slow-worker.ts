import { requestHandler } from '../../src/content/pool/answer.ts'

declare const self: Worker

/** Tasks whose duration or failure a test chooses. */
const answer = requestHandler({
  echo: (text: string) => text,
  async sleep(ms: string) {
    await Bun.sleep(Number(ms))
    return ms
  },
  forever() {
    for (;;) Math.random()
  },
  die: () => process.exit(1),
})

self.onmessage = async ({ data }: MessageEvent) => self.postMessage(await answer(data))
