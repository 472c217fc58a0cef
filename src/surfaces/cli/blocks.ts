/** What is parted by empty lines, until the stream ends or it is not waited for any longer. */
export async function* blocksOf({ body }: Response, stop: AbortSignal): AsyncGenerator<string> {
  const reader = (body ?? new Blob().stream()).getReader()
  stop.addEventListener('abort', () => void reader.cancel().catch(() => {}))
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += decoder.decode(value, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    yield* blocks
  }
}

/** The data of an event; nothing where it is only a sign of life. */
export function dataIn(block: string): unknown {
  const data = partsOf(block, 'data: ')
  return data.length ? JSON.parse(data.join('\n')) : undefined
}

export const eventIn = (block: string): string | undefined => partsOf(block, 'event: ')[0]

const partsOf = (block: string, name: string) =>
  block
    .split('\n')
    .filter((line) => line.startsWith(name))
    .map((line) => line.slice(name.length))
