import type { Letter, Mail } from '../kernel/outside.ts'
import { Unsent } from '../kernel/outside.ts'
import { isAddress, named, type Relay } from './relay.ts'
import { unsent } from './words.ts'

export { type Relay, relayIn } from './relay.ts'

/** However a mail server behaves, a letter takes no longer. */
const PATIENCE_MS = 30_000
const WAITS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  dnsTimeout: 10_000,
}
/** A connection that rests is closed, so that it holds up nobody who wants to end. */
const IDLE_MS = 5000

type Transport = Awaited<ReturnType<typeof transportOf>>

/** Sends through one mail server; `url` is the public address of this one, known only later. */
export function openMail(relay: Relay | undefined, url: () => string, most = PATIENCE_MS): Mail {
  if (!relay) return NONE
  let open: Promise<Transport> | undefined
  const transport = () => {
    open ??= transportOf(relay, hostOf(url()))
    return open
  }
  const bounded = <T>(job: (transport: Transport) => Promise<T>) =>
    within(most, async () => job(await transport())).catch((error) => {
      throw error instanceof Unsent ? error : unsent(relay.host, error)
    })
  return {
    available: true,
    send: (letter) => bounded((via) => sent(via, letter, relay, hostOf(url()), most)),
    check: async () => void (await bounded((via) => via.verify())),
    close: () => void open?.then((one) => one.close()),
  }
}

const NONE: Mail = {
  available: false,
  send: () => Promise.reject(new Unsent('This server has no mail server: CORK_SMTP_URL names one')),
  check: async () => {},
  close: () => {},
}

async function transportOf({ host, port, secure, tls, login }: Relay, name: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    ...{ pool: true, maxConnections: 2, maxRequeues: 0, idleTimeout: IDLE_MS, ...WAITS },
    ...{ host, port, secure, requireTLS: tls === 'required', ignoreTLS: tls === 'off', name },
    ...{ disableFileAccess: true, disableUrlAccess: true, logger: false },
    ...(login && { auth: { user: login.user, pass: login.password } }),
  })
}

async function sent(via: Transport, letter: Letter, relay: Relay, host: string, most: number) {
  const { to, subject, text, html, headers = {} } = letter
  if (!isAddress(to.address)) throw new Unsent(`Nobody can be written to at ${to.address}`, true)
  const from = relay.from ?? named(`corkboard@${host}`)
  const { response } = await via.sendMail({
    ...{ from, to: { name: oneLine(to.name ?? ''), address: to.address }, text, html },
    envelope: { from: from.address, to: [to.address] },
    subject: oneLine(subject),
    messageId: `<${Bun.randomUUIDv7()}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    signal: AbortSignal.timeout(most),
  })
  return response
}

/** Without what ends a line, or turns the direction of what follows. */
const oneLine = (text: string) =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()

function hostOf(url: string): string {
  return URL.parse(url)?.hostname || 'localhost'
}

async function within<T>(ms: number, job: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = setTimeout(() => reject(new Unsent('The mail server took too long to answer')), ms)
  return Promise.race([job(), promise]).finally(() => clearTimeout(late))
}
