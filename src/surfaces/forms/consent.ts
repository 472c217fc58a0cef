import type { Caller, Scope } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import type {
  AuthorizationService,
  ConsentChoice,
  ConsentRequest,
} from '../authorization-service.ts'
import type { Gateway, RequestContext } from '../gateway.ts'
import { type ConsentView, consentPage } from './consent-page.ts'
import { deviceDonePage, devicePage, deviceRefusedPage } from './device-page.ts'
import { redirect } from './layout.ts'
import { type AddRoute, submit } from './parts.ts'
import { readForm } from './wire.ts'

interface Parts {
  authorization: AuthorizationService
  gateway: Gateway
}

/** Adds the pages on which people allow apps: for apps that redirect here, and for devices. */
export function consentForms(parts: Parts, route: AddRoute) {
  authorizeForm(parts, route)
  deviceForms(parts, route)
  answerForm(parts, route)
}

const signInFirst = (path: string) => redirect(`/sign-in?next=${encodeURIComponent(path)}`)

function authorizeForm({ authorization }: Parts, route: AddRoute) {
  route('GET', '/oauth/authorize', async ({ caller }, { request }) => {
    const { search, searchParams } = new URL(request.url)
    if (!caller) return signInFirst(`/oauth/authorize${search}`)
    const checked = await authorization.authorize(searchParams)
    if ('redirect' in checked) return redirect(checked.redirect)
    return consentPage(await viewOf(authorization, caller, checked.consent))
  })
}

/** A typed code is looked up only by POST, so that guesses count against a limit. */
function deviceForms({ authorization, gateway }: Parts, route: AddRoute) {
  route('GET', '/device', async ({ caller }, { request }) => {
    const { search, searchParams } = new URL(request.url)
    if (!caller) return signInFirst(`/device${search}`)
    return devicePage(searchParams.get('code') ?? '')
  })
  route('POST', '/device', async (context, { request }) => {
    const { caller } = context
    if (!caller) return signInFirst('/device')
    const values = await readForm(request)
    return submit(
      context,
      'device',
      values,
      async () => {
        await gateway.count(context, 'code', caller.credential)
        const { userCode, ...consent } = await authorization.deviceConsent(values.get('code') ?? '')
        return consentPage({ ...(await viewOf(authorization, caller, consent)), userCode })
      },
      (submitted, status) => devicePage('', status, submitted),
    )
  })
}

async function viewOf(
  authorization: AuthorizationService,
  caller: Caller,
  request: ConsentRequest,
): Promise<ConsentView> {
  const { redirect_uri } = request
  return {
    ...{ request, person: caller.name, sealed: authorization.seal(caller, request) },
    options: await authorization.consentOptions(caller, request),
    formAction: redirect_uri === null ? undefined : authorization.formActionSource(redirect_uri),
  }
}

function answerForm({ authorization }: Parts, route: AddRoute) {
  route('POST', '/oauth/consent', async (context, { request }) => {
    const { caller } = context
    const values = await readForm(request)
    if (!caller) throw signedOut()
    const consent = authorization.unseal(caller, values.get('request') ?? '')
    return answer(authorization, { ...context, caller }, consent, values)
  })
}

const signedOut = () =>
  fault.forbidden('You were signed out before you answered', 'Start again in the app')

async function answer(
  authorization: AuthorizationService,
  context: RequestContext & { caller: Caller },
  consent: ConsentRequest,
  values: URLSearchParams,
): Promise<Response> {
  const { caller } = context
  const { name } = consent.client
  if (values.get('answer') === 'deny') {
    const location = await authorization.deny(caller, consent)
    return location === null ? deviceRefusedPage(name) : redirect(location)
  }
  return submit(
    context,
    'consent',
    values,
    async () => {
      const location = await authorization.allow(caller, consent, choiceIn(values, consent))
      return location === null ? deviceDonePage(name) : redirect(location)
    },
    async (submitted, status) => {
      const view = await viewOf(authorization, caller, consent)
      const userCode = values.get('code') || undefined
      return consentPage({ ...view, userCode }, status, submitted)
    },
  )
}

/** What the person chose. Anything beyond the request is ignored. */
function choiceIn(values: URLSearchParams, { scopes }: ConsentRequest): ConsentChoice {
  const identity = values.get('who') ?? ''
  const isReadOnly = values.get('access') !== 'change'
  const picked = scopes.filter(
    (scope: Scope) =>
      values.getAll('scope').includes(scope) && (!isReadOnly || scope.endsWith(':read')),
  )
  const boards = values.getAll('board').map(Number)
  const days = values.get('days') ?? '1'
  return {
    scopes: picked,
    ...(identity !== 'me' && { agent: agentIn(identity, values) }),
    project_ids: values.get('boards') === 'some' ? boards : null,
    days: days === '' ? null : Number(days),
  }
}

const agentIn = (identity: string, values: URLSearchParams): NonNullable<ConsentChoice['agent']> =>
  identity === 'agent'
    ? { name: values.get('name') ?? '', team_id: Number(values.get('team')) }
    : { agent_id: identity }
