import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { addCleanup } from './database.ts'

export interface ReceivedEmail {
  from: string
  to: string[]
  headers: Map<string, string>
  text: string
  html: string
  raw: string
  isSecure: boolean
}

type RecipientHandler = (
  address: string,
  nth: number,
) => Error | undefined | Promise<Error | undefined>

/** An error that the server reports with this response code. */
export const smtpError = (responseCode: number, text: string) =>
  Object.assign(new Error(text), { responseCode })

interface MailServerOptions extends SMTPServerOptions {
  /** Called for each recipient; returns an error to refuse it. */
  onRecipient?: RecipientHandler
  /** Called for each received email; returns an error to report one to the sender anyway. */
  onAccepted?: (nth: number) => Error | undefined
  port?: number
}

/** Starts a mail server that records each email. */
export async function startMailServer(options: MailServerOptions = {}) {
  const {
    onRecipient = () => undefined,
    onAccepted = () => undefined,
    port = 0,
    ...serverOptions
  } = options
  const emails: ReceivedEmail[] = []
  const handler = { onRecipient, recipientCount: 0 }
  const server = new SMTPServer({
    ...{
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      closeTimeout: 100,
      ...serverOptions,
    },
    async onRcptTo({ address }, _, done) {
      done(await handler.onRecipient(address, ++handler.recipientCount))
    },
    async onData(stream, { envelope, secure }, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const raw = Buffer.concat(chunks).toString()
      const from = (envelope.mailFrom || { address: '' }).address
      const to = envelope.rcptTo.map(({ address }) => address)
      emails.push({ from, to, raw, isSecure: secure, ...parseEmail(raw) })
      done(onAccepted(emails.length))
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  addCleanup(close)
  const listenPort = (server.server.address() as { port: number }).port
  return { emails, handler, close, port: listenPort, url: `smtp://127.0.0.1:${listenPort}` }
}

/** Decodes the headers and both texts of an email. */
function parseEmail(raw: string) {
  const { headers, body } = splitMessage(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? ''
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitMessage(part.trimStart()))
  const partOfType = (type: string) => {
    const part = parts.find((one) => one.headers.get('content-type')?.startsWith(type))
    return part ? decodeBody(part.body, part.headers.get('content-transfer-encoding') ?? '') : ''
  }
  return { headers, text: partOfType('text/plain'), html: partOfType('text/html') }
}

function splitMessage(text: string) {
  const end = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), decodeHeader(line.slice(at + 1).trim())] as const
    }),
  )
  return { headers, body: text.slice(end + 4) }
}

const decodeHeader = (value: string) =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toLowerCase() === 'b'
        ? `\0${text}\0`
        : `\0${btoa(String.fromCharCode(...decodeQuotedPrintable(text.replaceAll('_', ' '))))}\0`,
    )
    .replace(/(?:\0[^\0]*\0)+/g, (run) =>
      Buffer.concat(
        run.split('\0').flatMap((one) => (one ? Buffer.from(one, 'base64') : [])),
      ).toString(),
    )

const decodeQuotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  )

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  const content = body.replace(/\r\n$/, '')
  if (encoding !== 'quoted-printable') return content.replaceAll('\r\n', '\n')
  return decodeQuotedPrintable(content.replace(/=\r\n/g, '')).toString().replaceAll('\r\n', '\n')
}
