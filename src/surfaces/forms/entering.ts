import { Fault } from '../../kernel/fault.ts'
import { networkOf } from '../client-address.ts'
import { type Called, STATUS, type Visit } from '../door.ts'
import { isSetUpPage, joinPage, newcomerPage, setUpPage, signInPage } from './entry.ts'
import { redirect } from './layout.ts'
import { type Accounts, attempt, type From, type On, take } from './parts.ts'
import { localPath, readForm } from './wire.ts'

/** Setting up, signing in and out, and joining by invitation. */
export function entryForms(accounts: Accounts, on: On) {
  setUpForm(accounts, on)
  signInForms(accounts, on)
  invitationForms(accounts, on)
}

function setUpForm(accounts: Accounts, on: On) {
  on('GET', '/setup', async (_, { request }) => {
    const token = new URL(request.url).searchParams.get('token') ?? ''
    return unlessSetUp(async () => {
      await accounts.checkSetUp(token)
      return setUpPage(token)
    })
  })
  on('POST', '/setup', async (visit, called) => {
    const { request } = called
    const values = await readForm(request)
    const founder = take(values, 'token', 'name', 'email', 'password', 'team')
    return unlessSetUp(async () => {
      await accounts.checkSetUp(founder.token)
      return attempt(
        visit,
        'setup',
        values,
        async () => {
          visit.cookies = await accounts.setUp(founder, fromOf(visit, called))
          return redirect('/')
        },
        (entered, status) => setUpPage(founder.token, status, entered),
      )
    })
  })
}

/** Whoever opens the link a second time wants to go on, not to read of a fault. */
async function unlessSetUp(job: () => Promise<Response>): Promise<Response> {
  try {
    return await job()
  } catch (refused) {
    if (!(refused instanceof Fault) || refused.code !== 'conflict') throw refused
    return isSetUpPage(STATUS.conflict)
  }
}

function signInForms(accounts: Accounts, on: On) {
  on('GET', '/sign-in', async ({ caller }, { request }) => {
    const next = localPath(new URL(request.url).searchParams.get('next'))
    return caller ? redirect(next) : signInPage(next)
  })
  on('POST', '/sign-in', async (visit, called) => {
    const values = await readForm(called.request)
    const next = localPath(values.get('next'))
    return attempt(
      visit,
      'sign-in',
      values,
      async () => {
        const proof = take(values, 'email', 'password')
        const cookies = await accounts.signIn(proof, fromOf(visit, called))
        if (visit.caller) await accounts.signOut(visit.caller)
        visit.cookies = cookies
        return redirect(next)
      },
      (entered, status) => signInPage(next, status, entered),
    )
  })
  on('POST', '/sign-out', async (visit) => {
    if (visit.caller) visit.cookies = await accounts.signOut(visit.caller)
    return redirect('/sign-in')
  })
}

function invitationForms(accounts: Accounts, on: On) {
  on('GET', '/invitations/:token', async ({ caller }, { params }) => {
    const token = params!.token!
    const invited = await accounts.invitation(token)
    return caller ? joinPage(token, invited, caller.name) : newcomerPage(token, invited)
  })
  on('POST', '/invitations/:token', async (visit, called) => {
    const { request, params } = called
    const token = params!.token!
    if (visit.caller) {
      const board = await accounts.accept(visit.caller, token)
      return redirect(board === undefined ? '/' : `/projects/${board}`)
    }
    const values = await readForm(request)
    const invited = await accounts.invitation(token)
    return attempt(
      visit,
      'join',
      values,
      async () => {
        const person = { token, ...take(values, 'name', 'password') }
        visit.cookies = await accounts.acceptAsNewcomer(person, fromOf(visit, called))
        return redirect('/')
      },
      (entered, status) => newcomerPage(token, invited, status, entered),
    )
  })
}

const fromOf = ({ address }: Visit, { request }: Called): From => ({
  address,
  network: networkOf(address),
  browser: request.headers.get('user-agent'),
  cookies: request.headers.get('cookie'),
})
