import { afterwards } from './database.ts'

export interface Letter {
  headers: Record<string, string>
  text: string
  body: { id: string; type: string; [field: string]: unknown }
  at: number
}

type Answer = (letter: Letter, nth: number) => Response | number | Promise<Response | number>

/** Where webhooks can be sent to: keeps what comes, and answers as it is told to. */
export function mailbox(answer: Answer = () => 204) {
  const letters: Letter[] = []
  const box = { answer }
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 60 },
    async fetch(request) {
      const text = await request.text()
      const headers = Object.fromEntries(request.headers)
      const letter = { headers, text, body: JSON.parse(text), at: Date.now() }
      letters.push(letter)
      const given = await box.answer(letter, letters.length)
      return typeof given === 'number' ? new Response(null, { status: given }) : given
    },
  })
  afterwards(() => server.stop(true))
  return {
    letters,
    box,
    url: `http://127.0.0.1:${server.port}/hook`,
    /** The ids of all that came, in their order. */
    ids: () => letters.map(({ headers }) => headers['webhook-id']!),
    types: () => letters.map(({ body }) => body.type),
  }
}

/** Whoever hangs never answers. */
export const hang = () => new Promise<Response>(() => {})

/** Asks again until it is so. */
export async function until(isSo: () => boolean | Promise<boolean>, ms = 5000): Promise<void> {
  const end = performance.now() + ms
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`It did not come to be so: ${isSo}`)
    await Bun.sleep(10)
  }
}
