import { json } from '../gateway.ts'
import { FILE_HEADERS, unlessModified } from '../static-files.ts'
import type { IssuerSignIns } from './issuers.ts'
import { signInPage } from './pages.ts'
import {
  type Accounts,
  type AddRoute,
  type Assertion,
  browserOf,
  enter,
  pick,
  submit,
} from './parts.ts'
import script from './passkey-script.js' with { type: 'text' }
import { waysOf } from './ways.ts'
import { localPath, readForm } from './wire.ts'

export const passkeyScript = (request: Request) =>
  unlessModified(request, script, {
    ...FILE_HEADERS,
    'content-type': 'text/javascript; charset=utf-8',
  })

const PATH = '/sign-in/passkey'

/** Adds the routes for signing in with a passkey alone. */
export function passkeyForms(accounts: Accounts, issuers: IssuerSignIns, route: AddRoute) {
  route('GET', PATH, async (context, incoming) => {
    const { options, cookie } = accounts.passkey.options(browserOf(context, incoming))
    context.cookies = [cookie]
    return json({ options })
  })
  route('POST', PATH, async (context, incoming) => {
    const values = await readForm(incoming.request)
    const next = localPath(values.get('next'))
    return submit(
      context,
      'passkey',
      values,
      async () => {
        const browser = browserOf(context, incoming)
        const signedIn = await accounts.passkey.signIn(assertionIn(values), browser)
        return enter(accounts, context, signedIn, next)
      },
      (submitted, status) => signInPage(next, waysOf(accounts, issuers), status, submitted),
    )
  })
}

/** The answer of a passkey, as the script writes it into the form. */
export function assertionIn(values: URLSearchParams): Assertion {
  const { user_handle, ...assertion } = pick(
    values,
    'webauthn_id',
    'client_data',
    'authenticator_data',
    'signature',
    'user_handle',
  )
  return { ...assertion, ...(user_handle && { user_handle }) }
}
