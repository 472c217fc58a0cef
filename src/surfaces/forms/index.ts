import { Elysia } from 'elysia'
import type { Fault } from '../../kernel/fault.ts'
import { type Called, json, type Visit } from '../door.ts'
import { controlsOf, faviconOf, iconOf, look } from '../look.ts'
import { verify } from './detail.ts'
import { entryForms } from './entering.ts'
import { signedOutPage } from './entry.ts'
import { refusalPage } from './layout.ts'
import type { Handle, Parts } from './parts.ts'
import { stopForms } from './stopping.ts'
import { localPath } from './wire.ts'

/** What these pages and the manual are drawn with. */
const FILES = [
  ['/look.css', look],
  ['/forms.css', controlsOf],
  ['/icon.svg', iconOf],
  ['/favicon.ico', faviconOf],
] as const

/** The pages before and around the web app: plain forms that need no script. */
export function forms({ accounts, mails, door }: Parts) {
  const app = new Elysia({ name: 'forms' })
  const hidden = { detail: { hide: true }, parse: 'none' }
  const on = (method: 'GET' | 'POST', path: string, handle: Handle) => {
    const serve = (called: Called) =>
      door.serve(
        called,
        method === 'POST' ? 'sign-in' : 'page',
        (visit) => handle(visit, called),
        (refused, visit) => refuse(refused, visit, called),
      )
    app.route(method, path, serve as never, hidden as never)
  }
  const refuse = (refused: Fault, visit: Visit, { request }: Called) => {
    if (refused.code !== 'unauthenticated') return refusalPage(refused, visit)
    visit.cookies = accounts.noCookies()
    return signedOutPage(request.method === 'GET' ? localPath(pathAndQuery(request)) : '/')
  }

  entryForms(accounts, on)
  stopForms(mails, door, (method, path, serve) =>
    app.route(method, path, serve as never, hidden as never),
  )
  for (const [path, file] of FILES)
    app.get(
      path,
      ((called: Called) => door.serve(called, 'open', async () => file(called.request))) as never,
      hidden as never,
    )
  app.get(
    '/api/session/verify',
    ((called: Called) =>
      door.serve(called, 'bearer or cookie', async ({ caller }) => {
        const expires_at = (await accounts.sessionEnd(caller!)).toISOString()
        return json({ success: true, data: { user_id: caller!.actor_id, expires_at } })
      })) as never,
    { detail: verify as never },
  )
  return app
}

const pathAndQuery = ({ url }: Request) => url.slice(url.indexOf('/', 8))
