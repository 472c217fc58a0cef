/**
 * Collects the ids and types of the events of a stream until `stop` is called, which throws if the
 * stream failed before.
 */
export function collectEvents(url: string, secret: string) {
  const abort = new AbortController()
  const events: [number, string][] = []
  const read = async () => {
    const headers = { authorization: `Bearer ${secret}` }
    const response = await fetch(`${url}/api/v1/events`, { headers, signal: abort.signal })
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true })
      const complete = text.slice(0, text.lastIndexOf('\n\n') + 1)
      text = text.slice(complete.length)
      for (const [, id, type] of complete.matchAll(/^id: (\d+)\nevent: (\S+)$/gm))
        events.push([Number(id), type!])
    }
  }
  const failure = read().then(
    () => undefined,
    (error: unknown) => (abort.signal.aborted ? undefined : error),
  )
  return {
    events,
    async stop() {
      abort.abort()
      const error = await failure
      if (error) throw error
    },
  }
}
