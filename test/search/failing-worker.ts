/** A search index worker that exits, throws, hangs or takes long on certain queries. */
import '../../src/search/passage-index/worker.ts'

declare const self: Worker

self.addEventListener('message', ({ data }: MessageEvent<{ call?: string; input?: unknown }>) => {
  const { text } = (data.input ?? {}) as { text?: string }
  if (text === 'leave') process.exit(3)
  while (text === 'hang') Bun.sleepSync(10)
  if (text === 'long') Bun.sleepSync(900)
  if (text === 'fail')
    setTimeout(() => {
      throw new Error('a fault in the worker')
    })
})
