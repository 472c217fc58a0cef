import { expect } from 'bun:test'

/** Collects the ids and types of the events of a stream until `stop` is called. */
export function listening(url: string, secret: string) {
  const stop = new AbortController()
  const told: [number, string][] = []
  const read = async () => {
    const headers = { authorization: `Bearer ${secret}` }
    const response = await fetch(`${url}/api/v1/events`, { headers, signal: stop.signal })
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true })
      const whole = text.slice(0, text.lastIndexOf('\n\n') + 1)
      text = text.slice(whole.length)
      for (const [, id, type] of whole.matchAll(/^id: (\d+)\nevent: (\S+)$/gm))
        told.push([Number(id), type!])
    }
  }
  const done = read().catch(() => {})
  return {
    told,
    async stop() {
      stop.abort()
      await done
    },
  }
}

export async function eventually(look: () => boolean) {
  for (let i = 0; i < 500 && !look(); i++) await Bun.sleep(20)
  expect(look()).toBe(true)
}
