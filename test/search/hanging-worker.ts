/** A worker that hangs or fills the memory on demand, and otherwise reads files. */
import { answerWith } from '../../src/kernel/pool/answer.ts'
import { readFile } from '../../src/search/file-text/read-file.ts'

declare const self: Worker

const buffers: Uint8Array[] = []

function job([bytes, filename]: readonly [Uint8Array, string]) {
  const text = new TextDecoder().decode(bytes)
  if (text === 'hang') for (;;);
  while (text === 'grow') {
    buffers.push(new Uint8Array(10_000_000).fill(1))
    Bun.sleepSync(20)
  }
  return readFile(bytes, filename)
}

const answer = answerWith(job)
self.onmessage = async ({ data }: MessageEvent) => self.postMessage(await answer(data))
