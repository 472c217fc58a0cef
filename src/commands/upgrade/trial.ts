import { UnusableError } from '../../store/unusable.ts'

/** A migration of a large database takes minutes. */
const TIMEOUT_MS = 30 * 60 * 1000

/** Starts the server of a version once, on a free port, which migrates the data. */
export async function tryServer(executable: string, data: string): Promise<void> {
  const server = Bun.spawn(
    [executable, 'serve', '--data', data, '--host', '127.0.0.1', '--port', '0'],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  )
  const errors = new Response(server.stderr).text()
  const timer = setTimeout(() => server.kill(), TIMEOUT_MS)
  try {
    const url = await firstAddress(server.stdout)
    const ready = url && (await fetch(`${url}/readyz`)).ok
    if (ready) return
  } finally {
    clearTimeout(timer)
    server.kill()
    await server.exited
  }
  throw new UnusableError((await errors).trim() || 'its server did not become ready')
}

/** The address that a server prints when it listens. */
async function firstAddress(output: ReadableStream<Uint8Array>): Promise<string | undefined> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true })
    const [, url] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(text) ?? []
    if (url) return url
  }
  return undefined
}
