import type { Caller } from '../../kernel/caller.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { type IncomingRequest, type RequestContext, STATUS, setRetryAfter } from '../gateway.ts'
import { say } from '../language.ts'
import {
  continuePage,
  failedPage,
  type IssuerButton,
  type LinkQuestion,
  linkPage,
  waitingPage,
} from './issuer-pages.ts'
import { faultText, redirect } from './layout.ts'
import {
  type Accounts,
  type AddRoute,
  type BrowserInfo,
  browserOf,
  enter,
  type SignedIn,
  submit,
} from './parts.ts'
import { localPath, readForm } from './wire.ts'

type Cookies = readonly string[]

const SLOW_ISSUER_S = 60
const MAX_NEXT_LENGTH = 1000

export interface IssuerStart {
  /** The page to show after the sign-in. */
  next: string
  /** Links the identity to the account of this caller. */
  caller?: Caller | undefined
  /** Lets the person use another account at the issuer. */
  chooses: boolean
}

/** What happens after the issuer has sent a person back. */
export type IssuerOutcome =
  | { kind: 'signed in'; signedIn: SignedIn; next: string }
  | { kind: 'linked'; next: string }
  /** The cookies carry the link that the person has to confirm. */
  | { kind: 'confirm'; cookies: Cookies }

/** What these pages need from the sign-in through issuers. */
export interface IssuerSignIns {
  readonly buttons: readonly IssuerButton[]
  readonly hasPasswords: boolean
  begin(
    number: number,
    start: IssuerStart,
    browser: BrowserInfo,
  ): Promise<{ location: string; cookies: Cookies }>
  /** The cookies that end the sign-in to which an answer belongs, however it ends. */
  endCookies(query: string): Cookies
  finish(
    number: number,
    query: string,
    browser: BrowserInfo,
    caller: Caller | undefined,
  ): Promise<IssuerOutcome>
  linkQuestion(number: number, browser: BrowserInfo): Promise<LinkQuestion>
  /** Links the identity if the password is that of the account. Returns where to go on. */
  confirmLink(
    number: number,
    password: string,
    browser: BrowserInfo,
  ): Promise<{ next: string; cookies: Cookies }>
  requestLink(number: number, browser: BrowserInfo): Promise<void>
  /** Where the browser ends the session at the issuer of this caller, if there is one. */
  logoutUrl(caller: Caller): Promise<string | undefined>
}

/** Adds the routes for signing in through OpenID Connect issuers. */
export function issuerForms(issuers: IssuerSignIns, accounts: Accounts, route: AddRoute) {
  startRoute(issuers, route)
  callbackRoute(issuers, accounts, route)
  linkRoutes(issuers, route)
}

function startRoute(issuers: IssuerSignIns, route: AddRoute) {
  route('GET', '/sign-in/:issuer', (context, incoming) => {
    const issuer = issuerIn(issuers, incoming)
    const query = new URL(incoming.request.url).searchParams
    const start = {
      next: nextIn(query),
      caller: query.has('link') ? context.caller : undefined,
      chooses: query.has('choose'),
    }
    allowSlowIssuer(incoming)
    return orFailedPage(issuers, issuer, context, async () => {
      const browser = browserOf(context, incoming)
      const { location, cookies } = await issuers.begin(issuer.number, start, browser)
      context.cookies = [...context.cookies, ...cookies]
      return redirect(location)
    })
  })
}

function callbackRoute(issuers: IssuerSignIns, accounts: Accounts, route: AddRoute) {
  route('GET', '/sign-in/:issuer/callback', (context, incoming) => {
    const issuer = issuerIn(issuers, incoming)
    const { search } = new URL(incoming.request.url)
    const ended = issuers.endCookies(search)
    context.cookies = [...context.cookies, ...ended]
    allowSlowIssuer(incoming)
    return orFailedPage(issuers, issuer, context, async () => {
      const browser = browserOf(context, incoming)
      const outcome = await issuers.finish(issuer.number, search, browser, context.caller)
      if (outcome.kind === 'linked') return redirect(outcome.next)
      if (outcome.kind === 'confirm') {
        context.cookies = [...context.cookies, ...outcome.cookies]
        return redirect(`/sign-in/${issuer.number}/link`)
      }
      const { signedIn, next } = outcome
      const cookies = [...ended, ...signedIn.cookies]
      return enter(accounts, context, { ...signedIn, cookies }, next)
    })
  })
}

function linkRoutes(issuers: IssuerSignIns, route: AddRoute) {
  const path = '/sign-in/:issuer/link'
  route('GET', path, (context, incoming) => {
    const issuer = issuerIn(issuers, incoming)
    return orFailedPage(issuers, issuer, context, async () =>
      linkPage(await issuers.linkQuestion(issuer.number, browserOf(context, incoming))),
    )
  })
  route('POST', path, async (context, incoming) => {
    const issuer = issuerIn(issuers, incoming)
    const values = await readForm(incoming.request)
    const browser = browserOf(context, incoming)
    return orFailedPage(issuers, issuer, context, async () => {
      const question = await issuers.linkQuestion(issuer.number, browser)
      const confirm = async () => {
        if (values.get('ask') === 'admin') {
          await issuers.requestLink(issuer.number, browser)
          return waitingPage(issuer)
        }
        const password = values.get('password') ?? ''
        const { next, cookies } = await issuers.confirmLink(issuer.number, password, browser)
        context.cookies = [...context.cookies, ...cookies]
        return continuePage(
          say('pages.linked'),
          `/sign-in/${issuer.number}?${new URLSearchParams({ next })}`,
        )
      }
      return submit(context, 'link', values, confirm, (submitted, status) =>
        linkPage(question, status, submitted),
      )
    })
  })
}

/** Ends the session, and then the one at the issuer through which it was opened. */
export async function signOutEverywhere(
  issuers: IssuerSignIns,
  accounts: Accounts,
  context: RequestContext,
): Promise<Response> {
  if (!context.caller) return redirect('/sign-in')
  const location = await issuers.logoutUrl(context.caller)
  context.cookies = await accounts.signOut(context.caller)
  return location ? continuePage(say('pages.signed_out'), location) : redirect('/sign-in')
}

/** The page is stored in a cookie, so a longer address is left out. */
function nextIn(query: URLSearchParams): string {
  const next = localPath(query.get('next'))
  return next.length > MAX_NEXT_LENGTH ? '/' : next
}

/** The server would close the connection before the issuer has timed out. */
const allowSlowIssuer = ({ request, server }: IncomingRequest) =>
  server?.timeout(request, SLOW_ISSUER_S)

function issuerIn({ buttons }: IssuerSignIns, { params }: IncomingRequest): IssuerButton {
  const issuer = buttons.find(({ number }) => String(number) === params!.issuer)
  if (issuer) return issuer
  throw fault.notFound('issuer', 'This server has no such way to sign in', params!.issuer)
}

/** Shows why a sign-in failed, with the ways to go on. */
async function orFailedPage(
  { hasPasswords }: IssuerSignIns,
  issuer: IssuerButton,
  context: RequestContext,
  action: () => Promise<Response>,
): Promise<Response> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    setRetryAfter(error, context)
    const { requestId } = context
    const status = STATUS[error.code]
    return failedPage(issuer, faultText(error), { hasPasswords, status, requestId })
  }
}
