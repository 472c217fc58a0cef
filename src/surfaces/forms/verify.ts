import { json } from '../gateway.ts'
import { type Html, html } from '../html.ts'
import { say, sayHtml } from '../language.ts'
import { alert, field, page, redirect, type Submitted } from './layout.ts'
import {
  type Accounts,
  type AddRoute,
  type BrowserInfo,
  browserOf,
  enter,
  pick,
  type SignedIn,
  submit,
} from './parts.ts'
import { passkeyForm } from './passkey-form.ts'
import { assertionIn } from './passkeys.ts'
import { localPath, readForm } from './wire.ts'

const PATH = '/sign-in/verify'
const PASSKEY_PATH = `${PATH}/passkey`

type Ways = NonNullable<Awaited<ReturnType<Accounts['secondFactor']['ways']>>>

/** Adds the page that asks for the second factor of a pending sign-in. */
export function verifyForms(accounts: Accounts, route: AddRoute) {
  const { secondFactor } = accounts
  route('GET', PATH, async (context, incoming) => {
    const next = localPath(new URL(incoming.request.url).searchParams.get('next'))
    const ways = await secondFactor.ways(browserOf(context, incoming))
    return ways ? verifyPage(ways, next) : redirect(`/sign-in?next=${encodeURIComponent(next)}`)
  })
  route('GET', PASSKEY_PATH, async (context, incoming) =>
    json({ options: await secondFactor.passkeyOptions(browserOf(context, incoming)) }),
  )
  const verify = (
    path: string,
    form: string,
    check: (values: URLSearchParams, browser: BrowserInfo) => Promise<SignedIn>,
  ) =>
    route('POST', path, async (context, incoming) => {
      const values = await readForm(incoming.request)
      const next = localPath(values.get('next'))
      const browser = browserOf(context, incoming)
      const ways = await secondFactor.ways(browser)
      if (!ways) return redirect(`/sign-in?next=${encodeURIComponent(next)}`)
      return submit(
        context,
        form,
        values,
        async () => enter(accounts, context, await check(values, browser), next),
        (submitted, status) => verifyPage(ways, next, status, submitted),
      )
    })
  verify(PATH, 'verify', (values, browser) =>
    secondFactor.verifyCode(pick(values, 'code').code, browser),
  )
  verify(PASSKEY_PATH, 'passkey', async (values, browser) =>
    secondFactor.verifyPasskey(assertionIn(values), browser),
  )
}

function verifyPage(ways: Ways, next: string, status = 200, submitted?: Submitted): Response {
  const hasCode = ways.app || ways.recoveryCode
  return page(
    say('pages.confirm_that_it_is_you'),
    html`<section class="card">
${ways.passkey ? passkeyForm(PASSKEY_PATH, say('pages.use_a_passkey'), next, submitted) : ''}
${hasCode ? codeForm(ways, next, submitted) : ''}
${hasCode || ways.passkey ? '' : noWay()}
</section>
<p class="hint"><a href="/sign-in?next=${encodeURIComponent(next)}">${say('pages.sign_in_as_somebody_else')}</a></p>`,
    status,
    { hasScript: ways.passkey },
  )
}

const codeForm = ({ app, recoveryCode }: Ways, next: string, submitted?: Submitted): Html =>
  html`<form method="post" action="${PATH}">
${alert('verify', ['code'], submitted)}
<input type="hidden" name="next" value="${next}">
${field(
  {
    form: 'verify',
    name: 'code',
    label: say(app ? 'pages.code' : 'pages.recovery_code'),
    autocomplete: 'one-time-code',
    hint: hintFor(app, recoveryCode),
    first: true,
  },
  submitted,
)}
<button>${say('pages.continue')}</button>
</form>`

const hintFor = (app: boolean, recoveryCode: boolean) =>
  app && recoveryCode
    ? say('pages.from_app_or_recovery')
    : app
      ? say('pages.from_app')
      : say('pages.each_works_once')

/** A passkey can become unusable when the address of the server changes. */
const noWay = () =>
  html`<p>${say('pages.no_way_left')}</p>
<p>${sayHtml('pages.ask_operator_to_reset', { command: html`<code>cork user reset-factors</code>` })}</p>`
