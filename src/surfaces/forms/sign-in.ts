import { Fault } from '../../kernel/fault.ts'
import { STATUS } from '../gateway.ts'
import { type IssuerSignIns, signOutEverywhere } from './issuers.ts'
import { redirect } from './layout.ts'
import { alreadySetUpPage, joinPage, newAccountPage, setUpPage, signInPage } from './pages.ts'
import { type Accounts, type AddRoute, browserOf, enter, pick, submit } from './parts.ts'
import { waysOf } from './ways.ts'
import { localPath, readForm } from './wire.ts'

/** Adds the routes for setting up, signing in and out, and joining by invitation. */
export function entryForms(accounts: Accounts, issuers: IssuerSignIns, route: AddRoute) {
  setUpForm(accounts, route)
  signInForms(accounts, issuers, route)
  invitationForms(accounts, issuers, route)
}

function setUpForm(accounts: Accounts, route: AddRoute) {
  route('GET', '/setup', async (_, { request }) => {
    const token = new URL(request.url).searchParams.get('token') ?? ''
    return unlessAlreadySetUp(async () => {
      await accounts.checkSetUp(token)
      return setUpPage(token)
    })
  })
  route('POST', '/setup', async (context, incoming) => {
    const { request } = incoming
    const values = await readForm(request)
    const founder = pick(values, 'token', 'name', 'email', 'password', 'team')
    return unlessAlreadySetUp(async () => {
      await accounts.checkSetUp(founder.token)
      return submit(
        context,
        'setup',
        values,
        async () => {
          context.cookies = await accounts.setUp(founder, browserOf(context, incoming))
          return redirect('/')
        },
        (submitted, status) => setUpPage(founder.token, status, submitted),
      )
    })
  })
}

/** A second visit of the setup link shows a page with the way on instead of an error. */
async function unlessAlreadySetUp(action: () => Promise<Response>): Promise<Response> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'conflict') throw error
    return alreadySetUpPage(STATUS.conflict)
  }
}

function signInForms(accounts: Accounts, issuers: IssuerSignIns, route: AddRoute) {
  route('GET', '/sign-in', async ({ caller }, { request }) => {
    const next = localPath(new URL(request.url).searchParams.get('next'))
    return caller ? redirect(next) : signInPage(next, waysOf(accounts, issuers))
  })
  route('POST', '/sign-in', async (context, incoming) => {
    const values = await readForm(incoming.request)
    const next = localPath(values.get('next'))
    return submit(
      context,
      'sign-in',
      values,
      async () => {
        const credentials = pick(values, 'email', 'password')
        const signedIn = await accounts.signIn(credentials, browserOf(context, incoming))
        return enter(accounts, context, signedIn, next)
      },
      (submitted, status) => signInPage(next, waysOf(accounts, issuers), status, submitted),
    )
  })
  route('POST', '/sign-out', (context) => signOutEverywhere(issuers, accounts, context))
}

function invitationForms(accounts: Accounts, issuers: IssuerSignIns, route: AddRoute) {
  route('GET', '/invitations/:token', async ({ caller }, { params }) => {
    const token = params!.token!
    const invitation = await accounts.invitation(token)
    return caller
      ? joinPage(token, invitation, caller.name)
      : newAccountPage(token, invitation, issuers)
  })
  route('POST', '/invitations/:token', async (context, incoming) => {
    const { request, params } = incoming
    const token = params!.token!
    if (context.caller) {
      const board = await accounts.accept(context.caller, token)
      return redirect(board === undefined ? '/' : `/projects/${board}`)
    }
    const values = await readForm(request)
    const invitation = await accounts.invitation(token)
    return submit(
      context,
      'join',
      values,
      async () => {
        const person = { token, ...pick(values, 'name', 'password') }
        context.cookies = await accounts.acceptAsNewcomer(person, browserOf(context, incoming))
        return redirect('/')
      },
      (submitted, status) => newAccountPage(token, invitation, issuers, status, submitted),
    )
  })
}
