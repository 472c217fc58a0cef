import type { Logger } from 'pino'
import {
  type Arrival,
  arrive,
  type browserAccounts,
  checkOwnLink,
  endIssuerSessions,
  ID_TOKEN,
  issuerSessionOf,
  linkIdentity,
  pendingAccount,
  requestLink,
  wrongPassword,
} from '../features/identity/accounts/model/index.ts'
import type { SigningKey } from '../features/identity/credentials/model/index.ts'
import { requireRecentProof } from '../features/identity/sign_ins/model/index.ts'
import type { Caller, Clock, Server } from '../kernel/caller.ts'
import { Fault, fault } from '../kernel/fault.ts'
import type { IssuerIdentity, IssuerSettings } from '../kernel/issuers.ts'
import { IssuerClient, IssuerProblem } from '../oidc/index.ts'
import type { OpenStore } from '../store/store.ts'
import type { IssuerOutcome, IssuerSignIns, IssuerStart } from '../surfaces/forms/issuers.ts'
import type { BrowserInfo } from '../surfaces/forms/parts.ts'
import { IssuerCookies, type StartedSignIn } from './issuer-cookies.ts'
import { refusalFor } from './issuer-refusals.ts'

interface Options {
  settings: readonly IssuerSettings[]
  store: OpenStore
  clock: Clock
  key: SigningKey
  log: Logger
  server: Server
  accounts: ReturnType<typeof browserAccounts>
}

/** Signs people in through the configured OpenID Connect issuers. */
export class Issuers implements IssuerSignIns {
  private readonly clients: readonly IssuerClient[]
  private readonly cookies: IssuerCookies

  constructor(private readonly options: Options) {
    const { settings, clock, server, key } = options
    this.clients = settings.map((one) => new IssuerClient(one, () => server.url, clock))
    this.cookies = new IssuerCookies({ key, clock, url: () => server.url })
  }

  get buttons() {
    return this.options.server.sign_in.issuers
  }

  get hasPasswords() {
    return this.options.server.sign_in.passwords
  }

  async begin(number: number, { next, caller, chooses }: IssuerStart, browser: BrowserInfo) {
    const client = this.client(number)
    const { location, ...challenge } = await this.logged(client, () => client.begin({ chooses }))
    const started = { ...challenge, number, next, ...(caller && { link: caller.actor_id }) }
    return { location, cookies: this.cookies.start(started, browser.cookies) }
  }

  endCookies(query: string) {
    return this.cookies.end(stateIn(query))
  }

  async finish(
    number: number,
    query: string,
    browser: BrowserInfo,
    caller: Caller | undefined,
  ): Promise<IssuerOutcome> {
    const client = this.client(number)
    const started = this.cookies.started(stateIn(query), browser.cookies)
    if (!started || started.number !== number) throw notStarted()
    const identity = await this.logged(client, () => client.finish(started, query))
    if (started.link !== undefined) return this.linkTo(started, identity, browser, caller)
    const arrival = await arrive(this.options, client.settings, identity, browser)
    return this.outcomeOf(client, started, identity, arrival, browser)
  }

  async linkQuestion(number: number, browser: BrowserInfo) {
    const { settings } = this.client(number)
    const pending = this.pending(number, browser)
    const { email: account, ...ways } = await pendingAccount(this.options, pending.link)
    const { hasPassword, hasFactor } = ways
    const { link, isWaiting, isOwn } = pending
    const needsFactor = hasFactor && !isOwn
    return { issuer: settings, address: link.email, account, hasPassword, needsFactor, isWaiting }
  }

  async confirmLink(number: number, password: string, browser: BrowserInfo) {
    const { link, next, isOwn } = this.pending(number, browser)
    const { email, hasFactor } = await pendingAccount(this.options, link)
    // Otherwise the link would be a way into the account without its second factor.
    if (hasFactor && !isOwn) throw factorNeeded()
    const actor_id = await this.checkPassword(email, password, browser)
    if (actor_id !== link.actor_id) throw wrongPassword()
    await linkIdentity(this.options, link, browser)
    return { next, cookies: this.cookies.endLink() }
  }

  async requestLink(number: number, browser: BrowserInfo) {
    await requestLink(this.options, this.pending(number, browser).link, browser)
  }

  /** If the issuer cannot be reached, the person is signed out here only. */
  async logoutUrl(caller: Caller): Promise<string | undefined> {
    if (!this.clients.length) return undefined
    const session = await issuerSessionOf(this.options, caller)
    const client = this.clients.find(({ settings }) => isSame(settings.issuer, session?.issuer))
    if (!session || !client) return undefined
    return this.logged(client, () => client.logoutUrl(session.idToken)).catch(() => undefined)
  }

  /** Ends the sessions that a logout token of an issuer names. */
  async endSessions(number: number, token: string, address: string): Promise<void> {
    const client = this.client(number)
    const request = await this.logged(client, () => client.readLogoutToken(token))
    const ended = await endIssuerSessions(this.options, request, address)
    this.options.log.info({ issuer: client.settings.name, ended }, 'an issuer ended sessions')
  }

  private async outcomeOf(
    client: IssuerClient,
    { next, number }: StartedSignIn,
    identity: IssuerIdentity,
    arrival: Arrival,
    browser: BrowserInfo,
  ): Promise<IssuerOutcome> {
    if (arrival.kind === 'confirm') {
      const { link, isWaiting } = arrival
      return { kind: 'confirm', cookies: this.cookies.link({ number, link, isWaiting, next }) }
    }
    if (arrival.kind === 'refused') throw this.refused(client, identity, arrival)
    this.warn(client, arrival.warnings)
    const { issuer, subject, session, idToken } = identity
    const id_token = this.options.server.encrypt(ID_TOKEN, idToken)
    const signedIn = await this.options.accounts.complete(
      {
        ...{ actor_id: arrival.actor_id, method: 'issuer' },
        issuer: { issuer, subject, issuer_session: session ?? null, id_token },
      },
      browser,
    )
    // The invitation of the page was accepted with the new account.
    const isDone = arrival.isNew && next.startsWith('/invitations/')
    return { kind: 'signed in', signedIn, next: isDone ? '/' : next }
  }

  /** Links an identity to the account of a person who is signed in. */
  private async linkTo(
    { number, next, link: actor_id }: StartedSignIn,
    { issuer, subject, email }: IssuerIdentity,
    browser: BrowserInfo,
    caller: Caller | undefined,
  ): Promise<IssuerOutcome> {
    if (!caller || caller.actor_id !== actor_id) throw signedOutMeanwhile()
    const link = { issuer, subject, email: email ?? null, actor_id }
    await checkOwnLink(this.options, caller, link)
    if (await this.hasRecentProof(caller)) {
      await linkIdentity(this.options, link, browser, caller.credential)
      return { kind: 'linked', next }
    }
    const pending = { number, link, isWaiting: false, next, isOwn: true as const }
    return { kind: 'confirm', cookies: this.cookies.link(pending) }
  }

  private async hasRecentProof(caller: Caller): Promise<boolean> {
    const { store, clock } = this.options
    try {
      await store.read((tx) => requireRecentProof(tx, caller, clock()))
      return true
    } catch (error) {
      if (error instanceof Fault) return false
      throw error
    }
  }

  private async checkPassword(email: string, password: string, browser: BrowserInfo) {
    try {
      return await this.options.accounts.checkPassword({ email, password }, browser)
    } catch (error) {
      throw error instanceof Fault && error.code === 'unauthenticated' ? wrongPassword() : error
    }
  }

  private pending(number: number, { cookies }: BrowserInfo) {
    const pending = this.cookies.pending(cookies)
    if (pending?.number === number) return pending
    throw notStarted()
  }

  private client(number: number): IssuerClient {
    const client = this.clients.find(({ settings }) => settings.number === number)
    if (client) return client
    throw fault.notFound('issuer', 'This server has no such issuer', number)
  }

  private refused(
    { settings }: IssuerClient,
    identity: IssuerIdentity,
    refusal: Arrival & { kind: 'refused' },
  ): Fault {
    const { fault, operatorMessage } = refusalFor(settings, identity, refusal)
    this.options.log.warn({ issuer: settings.name }, operatorMessage)
    return fault
  }

  private warn({ settings }: IssuerClient, warnings: readonly string[]) {
    for (const warning of warnings) this.options.log.warn({ issuer: settings.name }, warning)
  }

  /** Explains failures in the log of the operator, without their causes, which contain secrets. */
  private async logged<T>({ settings }: IssuerClient, task: () => Promise<T>): Promise<T> {
    try {
      return await task()
    } catch (error) {
      if (!(error instanceof IssuerProblem)) throw error
      this.options.log.warn({ issuer: settings.name }, error.operatorMessage)
      throw error.fault
    }
  }
}

const stateIn = (query: string) => new URLSearchParams(query).get('state') ?? ''

/** Issuers may write their address with or without a slash at the end. */
const isSame = (one: string, other: string | undefined) =>
  one.replace(/\/$/, '') === other?.replace(/\/$/, '')

const notStarted = () =>
  fault.forbidden(
    'This sign-in was not started in this browser, has already ended, or took longer than 10 minutes',
    'Sign in again, and allow cookies for this server',
  )

const factorNeeded = () =>
  fault.forbidden(
    'This account has a second factor',
    'Sign in with it, and link your account in the settings',
  )

const signedOutMeanwhile = () =>
  fault.forbidden('You were signed out before the link was complete', 'Sign in, and link it again')
