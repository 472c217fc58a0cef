import { Fault } from '../../kernel/fault.ts'
import { STATUS } from '../gateway.ts'
import {
  confirmSignInPage,
  deadLinkPage,
  forgotPage,
  linkSentPage,
  newPasswordPage,
  noLinksPage,
} from './link-pages.ts'
import { type Accounts, type AddRoute, browserOf, enter, submit } from './parts.ts'
import { localPath, readForm } from './wire.ts'

/**
 * Adds the pages for links in emails. GET changes nothing, because mail scanners open links: each
 * page has a button, which sends a form.
 */
export function emailLinkForms(accounts: Accounts, route: AddRoute) {
  forgotForm(accounts, route)
  signInLink(accounts, route)
  passwordLink(accounts, route)
}

function forgotForm({ links }: Accounts, route: AddRoute) {
  route('GET', '/sign-in/forgot', async (_, { request }) => {
    const next = localPath(new URL(request.url).searchParams.get('next'))
    return links.isAvailable ? forgotPage(next) : noLinksPage(next)
  })
  route('POST', '/sign-in/forgot', async (context, incoming) => {
    const values = await readForm(incoming.request)
    const next = localPath(values.get('next'))
    if (!links.isAvailable) return noLinksPage(next)
    return submit(
      context,
      'forgot',
      values,
      async () => {
        const kind = values.get('kind') === 'password' ? 'password' : 'sign-in'
        const email = values.get('email') ?? ''
        links.request({ kind, email, next }, browserOf(context, incoming))
        return linkSentPage(email.trim())
      },
      (submitted, status) => forgotPage(next, status, submitted),
    )
  })
}

function signInLink(accounts: Accounts, route: AddRoute) {
  const { links } = accounts
  const path = '/sign-in/email/:token'
  route('GET', path, (_, { params }) =>
    unlessDead(async () => {
      await links.check('sign-in', params!.token!)
      return confirmSignInPage(params!.token!)
    }),
  )
  route('POST', path, (context, incoming) =>
    unlessDead(async () => {
      const browser = browserOf(context, incoming)
      const signedIn = await links.signIn(incoming.params!.token!, browser)
      return enter(accounts, context, signedIn, localPath(signedIn.page))
    }),
  )
}

function passwordLink(accounts: Accounts, route: AddRoute) {
  const { links } = accounts
  const path = '/sign-in/password/:token'
  route('GET', path, (_, { params }) =>
    unlessDead(async () => {
      const token = params!.token!
      return newPasswordPage(token, await links.check('password', token))
    }),
  )
  route('POST', path, async (context, incoming) => {
    const token = incoming.params!.token!
    const values = await readForm(incoming.request)
    return unlessDead(async () => {
      const link = await links.check('password', token)
      return submit(
        context,
        'password',
        values,
        async () => {
          const password = values.get('password') ?? ''
          const browser = browserOf(context, incoming)
          const signedIn = await links.setPassword({ token, password }, browser)
          return enter(accounts, context, signedIn, localPath(signedIn.page))
        },
        (submitted, status) => {
          // Somebody else used the link while this form was open.
          if (submitted.fault.code === 'not_found') throw submitted.fault
          return newPasswordPage(token, link, status, submitted)
        },
      )
    })
  })
}

async function unlessDead(action: () => Promise<Response>): Promise<Response> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'not_found') throw error
    return deadLinkPage(STATUS.not_found)
  }
}
