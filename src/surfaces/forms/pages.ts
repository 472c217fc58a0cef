import { type Html, html } from '../html.ts'
import { say, sayHtml } from '../language.ts'
import { type IssuerButton, issuerButtons, orDivider } from './issuer-pages.ts'
import { alert, field, page, type Submitted } from './layout.ts'
import { passkeyForm } from './passkey-form.ts'

/** The ways to sign in that a page offers. */
export interface SignInWays {
  buttons: readonly IssuerButton[]
  hasPasswords: boolean
  hasPasskeys: boolean
}

const strong = (text: string) => html`<strong>${text}</strong>`

export const cardPage = (title: string, body: Html, status: number, hasScript = false) =>
  page(title, html`<section class="card">${body}</section>`, status, { hasScript })

export const newPassword = (form: string, submitted?: Submitted, label = say('pages.password')) =>
  field(
    {
      form,
      name: 'password',
      label,
      type: 'password',
      autocomplete: 'new-password',
      hint: say('pages.at_least_characters'),
    },
    submitted,
  )

const yourName = (form: string, submitted?: Submitted) =>
  field(
    { form, name: 'name', label: say('pages.your_name'), autocomplete: 'name', first: true },
    submitted,
  )

export const email = (
  form: string,
  autocomplete: string,
  submitted?: Submitted,
  options: { first?: true } = {},
) =>
  field(
    { form, name: 'email', label: say('pages.email'), type: 'email', autocomplete, ...options },
    submitted,
  )

export const setUpPage = (token: string, status = 200, submitted?: Submitted): Response =>
  cardPage(
    say('pages.set_up_corkboard'),
    html`<ol class="steps" aria-label="${say('pages.first_steps')}">
<li aria-current="step">${say('pages.your_team')}</li><li>${say('pages.a_board')}</li><li>${say('pages.your_agent')}</li>
</ol>
<p>${say('pages.you_will_own_this_server')}</p>
<form method="post" action="/setup">
${alert('setup', ['name', 'email', 'password', 'team'], submitted)}
<input type="hidden" name="token" value="${token}">
${yourName('setup', submitted)}
${email('setup', 'email', submitted)}
${newPassword('setup', submitted)}
${field({ form: 'setup', name: 'team', label: say('pages.team'), autocomplete: 'organization' }, submitted)}
<button>${say('pages.create_account')}</button>
</form>`,
    status,
  )

export const alreadySetUpPage = (status: number): Response =>
  cardPage(
    say('pages.corkboard_is_set_up'),
    html`<p>${say('pages.already_has_an_owner')}</p>
<form method="get" action="/sign-in"><button>${say('pages.sign_in')}</button></form>`,
    status,
  )

export const signInPage = (
  next: string,
  ways: SignInWays,
  status = 200,
  submitted?: Submitted,
): Response =>
  cardPage(
    say('pages.sign_in'),
    html`${issuerButtons(ways.buttons, next)}${ways.hasPasswords ? passwordForm(next, ways, submitted) : alert('sign-in', [], submitted)}`,
    status,
    ways.hasPasskeys,
  )

const passwordForm = (next: string, { buttons, hasPasskeys }: SignInWays, submitted?: Submitted) =>
  html`${buttons.length ? orDivider() : ''}<form method="post" action="/sign-in">
${alert('sign-in', ['email', 'password'], submitted)}
<input type="hidden" name="next" value="${next}">
${email('sign-in', hasPasskeys ? 'username webauthn' : 'username', submitted, { first: true })}
${field(
  {
    form: 'sign-in',
    name: 'password',
    label: say('pages.password'),
    type: 'password',
    autocomplete: 'current-password',
  },
  submitted,
)}
<button>${say('pages.sign_in')}</button>
</form>
${hasPasskeys ? passkeyForm('/sign-in/passkey', say('pages.sign_in_with_a_passkey'), next, submitted) : ''}
<p class="hint"><a href="/sign-in/forgot?next=${encodeURIComponent(next)}">${say('pages.forgot_your_password')}</a></p>`

export interface Invitation {
  team_name: string
  inviter: string
  email: string
}

const invitationText = ({ inviter, team_name }: Invitation) =>
  html`<p>${sayHtml('pages.invites_you', { inviter: strong(inviter), team: strong(team_name) })}</p>`

export const newAccountPage = (
  token: string,
  invitation: Invitation,
  ways: Pick<SignInWays, 'buttons' | 'hasPasswords'>,
  status = 200,
  submitted?: Submitted,
): Response =>
  cardPage(
    say('pages.join_team', { team: invitation.team_name }),
    html`${invitationText(invitation)}
${issuerButtons(ways.buttons, `/invitations/${token}`)}
${ways.hasPasswords ? newAccountForm(token, invitation, ways, submitted) : ''}
<p class="hint">${sayHtml('pages.already_have_an_account', {
      sign_in: html`<a href="/sign-in?next=${encodeURIComponent(`/invitations/${token}`)}">${say('pages.sign_in')}</a>`,
    })}</p>`,
    status,
  )

const newAccountForm = (
  token: string,
  invitation: Invitation,
  { buttons }: Pick<SignInWays, 'buttons'>,
  submitted?: Submitted,
) => html`${buttons.length ? orDivider() : ''}<form method="post" action="/invitations/${token}">
${alert('join', ['name', 'password'], submitted)}
<p>${sayHtml('pages.your_account_will_be', { email: strong(invitation.email) })}</p>
${yourName('join', submitted)}
${newPassword('join', submitted)}
<button>${say('pages.create_account_and_join')}</button>
</form>`

export const joinPage = (token: string, invitation: Invitation, name: string): Response =>
  cardPage(
    say('pages.join_team', { team: invitation.team_name }),
    html`${invitationText(invitation)}
<form method="post" action="/invitations/${token}">
<p>${sayHtml('pages.signed_in_as', { name: strong(name) })}</p>
<button>${say('pages.join_the_team')}</button>
</form>`,
    200,
  )

/** The page for stale or forged cookies, which the response removes. */
export const signedOutPage = (path: string): Response =>
  cardPage(
    say('pages.you_were_signed_out'),
    html`<p>${say('pages.session_no_longer_valid')}</p>
<p><a href="${path}">${say('pages.continue')}</a></p>`,
    401,
  )
