import { eq } from 'drizzle-orm'
import type { Caller, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import {
  type AccountEmail,
  findLink,
  invalidLink,
  isOperatorLink,
  type LinkKind,
  queueLink,
  redeemLink,
} from '../../account_emails/model/index.ts'
import { callerFor } from '../../callers/model/index.ts'
import { people, personByEmail } from '../../people/model/index.ts'
import type { SignedIn } from './complete.ts'
import { LinkThrottle } from './link-throttle.ts'
import { hashPassword } from './passwords.ts'
import { checkPassword, isEmail } from './rules.ts'
import type { AccountServices } from './services.ts'
import { endSessions } from './sessions.ts'
import type { ClientInfo, Proof } from './signin.ts'

export interface EmailLinkOptions {
  /** Ends every sign-in. */
  complete(proof: Proof, client: ClientInfo): Promise<SignedIn>
  /** Whether people may sign in without an issuer. Links of the operator always work. */
  passwords: boolean
  /** Called with errors of work that is done after the response. */
  onError(error: unknown): void
}

export interface LinkRequest {
  kind: LinkKind
  email: string
  /** The page to show after the sign-in. */
  next: string
}

/** The response must not reveal by its time whether an account exists, so the work comes later. */
const DELAY_MS = { least: 20, spread: 200 }

/** Signing in and setting a password through links that people get by email. */
export function emailLinks(services: AccountServices, options: EmailLinkOptions) {
  const { store, clock, server } = services
  const throttle = new LinkThrottle(() => server.elapsed())
  const find = async (kind: LinkKind, token: string) =>
    permitted(await store.read((tx) => findLink(tx, kind, token, clock())), options)
  const isAvailable = options.passwords && server.mail.available
  return {
    isAvailable,
    /** Returns before anything is looked up: its caller learns nothing about accounts. */
    request(request: LinkRequest, { network }: Pick<ClientInfo, 'network'>): void {
      if (!isAvailable) throw notAvailable()
      const email = parseEmail(request.email)
      throttle.count(network)
      const queue = () => store.write((tx) => queueFor(tx, { ...request, email }, clock()))
      const delay = DELAY_MS.least + Math.random() * DELAY_MS.spread
      setTimeout(() => void queue().catch(options.onError), delay)
    },
    /** Checks a link and changes nothing, because mail scanners open links. */
    async check(kind: LinkKind, token: string) {
      return { isRecovery: isOperatorLink(await find(kind, token)) }
    },
    async signIn(token: string, client: ClientInfo): Promise<SignedIn & { page: string }> {
      await find('sign-in', token)
      const link = await store.write((tx) => redeemLink(tx, 'sign-in', token, clock()))
      return { ...(await options.complete(proofOf(link), client)), page: pageOf(link) }
    },
    async setPassword(
      { token, password }: Record<'token' | 'password', string>,
      client: ClientInfo,
    ): Promise<SignedIn & { page: string }> {
      await find('password', token)
      checkPassword(password)
      const password_hash = await hashPassword(password)
      const change = { token, password_hash, address: client.address }
      const link = await store.write((tx) => applyPassword(services, tx, change))
      return { ...(await options.complete(proofOf(link), client)), page: pageOf(link) }
    },
  }
}

function permitted(link: AccountEmail, { passwords }: EmailLinkOptions): AccountEmail {
  if (!passwords && !isOperatorLink(link)) throw invalidLink()
  return link
}

const pageOf = ({ data }: AccountEmail) => data.next ?? '/'

const proofOf = (link: AccountEmail): Proof => ({
  actor_id: link.actor_id,
  method: isOperatorLink(link) ? 'recovery' : 'email',
})

function parseEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (isEmail(email)) return email
  throw fault.invalid('email', 'invalid_format', 'email must look like name@example.com')
}

const notAvailable = () =>
  fault.conflict(
    'This server sends no links by email',
    {},
    'Ask the operator of the server for a link: "cork user recover"',
  )

/** Nothing happens if there is no such account, or if it is deactivated. */
async function queueFor(tx: Tx, { kind, email, next }: LinkRequest, now: Date): Promise<void> {
  const person = await personByEmail(tx, email)
  if (!person || person.deactivated_at) return
  await queueLink(tx, { actor_id: person.actor_id, kind, next }, now)
}

interface PasswordChange {
  token: string
  password_hash: string
  address: string
}

/**
 * Stores the password. All sessions end, because somebody may know the old one; a link of the
 * operator ends nothing.
 */
async function applyPassword(
  { store, clock }: AccountServices,
  tx: Tx,
  { token, password_hash, address }: PasswordChange,
): Promise<AccountEmail> {
  const now = clock()
  const link = await redeemLink(tx, 'password', token, now)
  const { actor_id } = link
  await tx.update(people).set({ password_hash }).where(eq(people.actor_id, actor_id))
  const ended = isOperatorLink(link) ? 0 : await endSessions(tx, actor_id, now)
  const author = await authorOf(tx, actor_id, address)
  await store.append(tx, author, now, [
    { type: 'password.changed', place: {}, data: { ended, revoked: 0, by: 'email' } },
  ])
  return link
}

/** The person has proved who they are, but has no credential yet. */
async function authorOf(tx: Tx, actor_id: number, address: string) {
  const { teams }: Caller = await callerFor(tx, actor_id)
  return { actor_id, teams, address }
}
