import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterwards } from './database.ts'

export interface Received {
  from: string
  to: string[]
  headers: Map<string, string>
  text: string
  html: string
  raw: string
  isSecure: boolean
}

type Answer = (address: string, nth: number) => Error | undefined | Promise<Error | undefined>

/** As a mail server words a refusal. */
export const refusal = (responseCode: number, text: string) =>
  Object.assign(new Error(text), { responseCode })

interface Wish extends SMTPServerOptions {
  /** Of each recipient that is named: nothing takes it. */
  answer?: Answer
  /** Of each letter that was taken: the answer that its sender gets all the same. */
  taken?: (nth: number) => Error | undefined
  port?: number
}

/** A mail server: keeps what comes, and refuses what it is told to. */
export async function postOffice(wish: Wish = {}) {
  const { answer = () => undefined, taken = () => undefined, port = 0, ...more } = wish
  const letters: Received[] = []
  const box = { answer, asked: 0 }
  const server = new SMTPServer({
    ...{
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      closeTimeout: 100,
      ...more,
    },
    async onRcptTo({ address }, _, done) {
      done(await box.answer(address, ++box.asked))
    },
    async onData(stream, { envelope, secure }, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const raw = Buffer.concat(chunks).toString()
      const from = (envelope.mailFrom || { address: '' }).address
      const to = envelope.rcptTo.map(({ address }) => address)
      letters.push({ from, to, raw, isSecure: secure, ...parsed(raw) })
      done(taken(letters.length))
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  afterwards(close)
  const at = (server.server.address() as { port: number }).port
  return { letters, box, close, port: at, url: `smtp://127.0.0.1:${at}` }
}

/** The header and both texts of a letter, as its reader sees them. */
function parsed(raw: string) {
  const { headers, body } = halves(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? ''
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => halves(part.trimStart()))
  const of = (type: string) => {
    const part = parts.find((one) => one.headers.get('content-type')?.startsWith(type))
    return part ? decoded(part.body, part.headers.get('content-transfer-encoding') ?? '') : ''
  }
  return { headers, text: of('text/plain'), html: of('text/html') }
}

function halves(text: string) {
  const end = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), words(line.slice(at + 1).trim())] as const
    }),
  )
  return { headers, body: text.slice(end + 4) }
}

const words = (value: string) =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, way: string, text: string) =>
      way.toLowerCase() === 'b'
        ? `\0${text}\0`
        : `\0${btoa(String.fromCharCode(...quoted(text.replaceAll('_', ' '))))}\0`,
    )
    .replace(/(?:\0[^\0]*\0)+/g, (run) =>
      Buffer.concat(
        run.split('\0').flatMap((one) => (one ? Buffer.from(one, 'base64') : [])),
      ).toString(),
    )

const quoted = (text: string): Buffer =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  )

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  const whole = body.replace(/\r\n$/, '')
  if (encoding !== 'quoted-printable') return whole.replaceAll('\r\n', '\n')
  return quoted(whole.replace(/=\r\n/g, '')).toString().replaceAll('\r\n', '\n')
}
