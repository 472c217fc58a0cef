/** Reads blocks that are separated by empty lines, until the stream ends or `stop` aborts. */
export async function* readBlocks({ body }: Response, stop: AbortSignal): AsyncGenerator<string> {
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

/** The data of an event; undefined for a ping. */
export function eventData(block: string): unknown {
  const data = fieldValues(block, 'data: ')
  return data.length ? JSON.parse(data.join('\n')) : undefined
}

export const eventType = (block: string): string | undefined => fieldValues(block, 'event: ')[0]

const fieldValues = (block: string, name: string) =>
  block
    .split('\n')
    .filter((line) => line.startsWith(name))
    .map((line) => line.slice(name.length))
