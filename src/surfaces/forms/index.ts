import { type AnyElysia, Elysia } from 'elysia'
import type { Fault } from '../../kernel/fault.ts'
import { type Gateway, type IncomingRequest, json, type RequestContext } from '../gateway.ts'
import { pathAndQuery } from '../path.ts'
import { controlsStylesheet, faviconOf, iconOf, stylesheet } from '../static-files.ts'
import { type Answers, answerForms } from './answers.ts'
import { consentForms } from './consent.ts'
import { verify } from './detail.ts'
import { emailLinkForms } from './email-links.ts'
import { type GithubApps, githubAppForm } from './github-app.ts'
import { backchannelLogout, type EndSessions } from './issuer-logout.ts'
import { type IssuerSignIns, issuerForms } from './issuers.ts'
import { refusalPage } from './layout.ts'
import { signedOutPage } from './pages.ts'
import type { Handle, Parts } from './parts.ts'
import { passkeyForms, passkeyScript } from './passkeys.ts'
import { entryForms } from './sign-in.ts'
import { type Route, unsubscribeForms } from './unsubscribe.ts'
import { verifyForms } from './verify.ts'
import { localPath } from './wire.ts'

/** The stylesheets, icons and the script of these pages and of the manual. */
const FILES = [
  ['/look.css', stylesheet],
  ['/forms.css', controlsStylesheet],
  ['/passkeys.js', passkeyScript],
  ['/icon.svg', iconOf],
  ['/favicon.ico', faviconOf],
] as const

interface IssuerParts {
  answers: Answers
  githubApps: GithubApps
  issuers: IssuerSignIns & { endSessions: EndSessions }
}

const HIDDEN = { detail: { hide: true }, parse: 'none' }

/** The pages outside of the web app: plain forms that work without a script. */
export function forms({
  accounts,
  answers,
  authorization,
  githubApps,
  issuers,
  mails,
  gateway,
}: Parts & IssuerParts) {
  const app = new Elysia({ name: 'forms' })
  const on = (method: 'GET' | 'POST', path: string, handle: Handle) => {
    const serve = (incoming: IncomingRequest) =>
      gateway.serve(
        incoming,
        method === 'POST' ? 'sign-in' : 'page',
        (context) => handle(context, incoming),
        (fault, context) => renderFault(fault, context, incoming),
      )
    app.route(method, path, serve as never, HIDDEN as never)
  }
  const renderFault = (fault: Fault, context: RequestContext, { request }: IncomingRequest) => {
    if (fault.code !== 'unauthenticated') return refusalPage(fault, context)
    context.cookies = accounts.noCookies()
    return signedOutPage(request.method === 'GET' ? localPath(pathAndQuery(request.url)) : '/')
  }

  entryForms(accounts, issuers, on)
  emailLinkForms(accounts, on)
  passkeyForms(accounts, issuers, on)
  verifyForms(accounts, on)
  consentForms({ authorization, gateway }, on)
  issuerForms(issuers, accounts, on)
  githubAppForm(githubApps, on)
  app.post(
    '/oidc/backchannel-logout/:issuer',
    backchannelLogout(gateway, (...args) => issuers.endSessions(...args)) as never,
    HIDDEN as never,
  )
  const onSigned: Route = (method, path, serve) =>
    app.route(method, path, serve as never, HIDDEN as never)
  unsubscribeForms(mails, gateway, onSigned)
  answerForms(answers, gateway, onSigned)
  serveFiles(app, gateway)
  app.get(
    '/api/session/verify',
    ((incoming: IncomingRequest) =>
      gateway.serve(incoming, 'bearer or cookie', async ({ caller }) => {
        const expires_at = (await accounts.sessionEnd(caller!)).toISOString()
        return json({ success: true, data: { user_id: caller!.actor_id, expires_at } })
      })) as never,
    { detail: verify as never },
  )
  return app
}

function serveFiles(app: AnyElysia, gateway: Gateway): void {
  for (const [path, response] of FILES)
    app.get(
      path,
      ((incoming: IncomingRequest) =>
        gateway.serve(incoming, 'open', async () => response(incoming.request))) as never,
      HIDDEN as never,
    )
}
