import { type EmailMessage, MailError, type MailTransport } from '../kernel/services.ts'
import { toMailError } from './errors.ts'
import { isAddress, type Relay, senderFor } from './relay.ts'

export { parseRelayUrl, type Relay } from './relay.ts'

/** Time limit for sending an email, however the mail server behaves. */
const TIMEOUT_MS = 30_000
const TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  dnsTimeout: 10_000,
}
/** An idle connection is closed after this time, so that it does not delay shutdown. */
const IDLE_MS = 5000

type Transport = Awaited<ReturnType<typeof transportOf>>

/** Sends through one mail server. `url` is this server's public URL, which is known only later. */
export function openMail(
  relay: Relay | undefined,
  url: () => string,
  timeoutMs = TIMEOUT_MS,
): MailTransport {
  if (!relay) return UNAVAILABLE
  let open: Promise<Transport> | undefined
  const connect = () => {
    open ??= transportOf(relay, hostOf(url()))
    return open
  }
  const withTransport = <T>(job: (transport: Transport) => Promise<T>) =>
    withTimeout(timeoutMs, async () => job(await connect())).catch((error) => {
      throw error instanceof MailError ? error : toMailError(relay.host, error)
    })
  return {
    available: true,
    send: (email) =>
      withTransport((transport) => sendThrough(transport, email, relay, hostOf(url()), timeoutMs)),
    check: async () => void (await withTransport((transport) => transport.verify())),
    close: () => void open?.then((transport) => transport.close()),
  }
}

const UNAVAILABLE: MailTransport = {
  available: false,
  send: () => Promise.reject(new MailError('This server has no mail server: set CORK_SMTP_URL')),
  check: async () => {},
  close: () => {},
}

async function transportOf({ host, port, secure, tls, login }: Relay, name: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    pool: true,
    maxConnections: 2,
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    ...TIMEOUTS,
    host,
    port,
    secure,
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    name,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
    ...(login && { auth: { user: login.user, pass: login.password } }),
  })
}

async function sendThrough(
  transport: Transport,
  email: EmailMessage,
  relay: Relay,
  host: string,
  timeoutMs: number,
) {
  const { to, subject, text, html, headers = {} } = email
  if (!isAddress(to.address))
    throw new MailError(`${to.address} is not a valid email address`, true)
  const from = relay.from ?? senderFor(`corkboard@${host}`)
  const { response } = await transport.sendMail({
    from,
    to: { name: oneLine(to.name ?? ''), address: to.address },
    text,
    html,
    envelope: { from: from.address, to: [to.address] },
    subject: oneLine(subject),
    messageId: `<${Bun.randomUUIDv7()}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    signal: AbortSignal.timeout(timeoutMs),
  })
  return response
}

/** Removes line breaks, control characters and marks that change the text direction. */
const oneLine = (text: string) =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()

function hostOf(url: string): string {
  return URL.parse(url)?.hostname || 'localhost'
}

async function withTimeout<T>(ms: number, job: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new MailError('The mail server took too long to respond')),
    ms,
  )
  return Promise.race([job(), promise]).finally(() => clearTimeout(timer))
}
