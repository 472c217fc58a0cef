import { type Html, html } from '../html.ts'
import { type IssuerButton, issuerButtons, orDivider } from './issuer-pages.ts'
import { alert, field, page, type Submitted } from './layout.ts'
import { passkeyForm } from './passkey-form.ts'

/** The ways to sign in that a page offers. */
export interface SignInWays {
  buttons: readonly IssuerButton[]
  hasPasswords: boolean
  hasPasskeys: boolean
}

export const cardPage = (title: string, body: Html, status: number, hasScript = false) =>
  page(title, html`<section class="card">${body}</section>`, status, { hasScript })

export const newPassword = (form: string, submitted?: Submitted, label = 'Password') =>
  field(
    {
      form,
      name: 'password',
      label,
      type: 'password',
      autocomplete: 'new-password',
      hint: 'At least 10 characters',
    },
    submitted,
  )

const yourName = (form: string, submitted?: Submitted) =>
  field({ form, name: 'name', label: 'Your name', autocomplete: 'name', first: true }, submitted)

export const email = (
  form: string,
  autocomplete: string,
  submitted?: Submitted,
  options: { first?: true } = {},
) =>
  field({ form, name: 'email', label: 'Email', type: 'email', autocomplete, ...options }, submitted)

export const setUpPage = (token: string, status = 200, submitted?: Submitted): Response =>
  cardPage(
    'Set up Corkboard',
    html`<ol class="steps" aria-label="First steps">
<li aria-current="step">Your team</li><li>A board</li><li>Your agent</li>
</ol>
<p>You will own this server and its first team. You can invite others later.</p>
<form method="post" action="/setup">
${alert('setup', ['name', 'email', 'password', 'team'], submitted)}
<input type="hidden" name="token" value="${token}">
${yourName('setup', submitted)}
${email('setup', 'email', submitted)}
${newPassword('setup', submitted)}
${field({ form: 'setup', name: 'team', label: 'Team', autocomplete: 'organization' }, submitted)}
<button>Create account</button>
</form>`,
    status,
  )

export const alreadySetUpPage = (status: number): Response =>
  cardPage(
    'Corkboard is set up',
    html`<p>This server already has an owner. Sign in, or ask the owner for an invitation.</p>
<form method="get" action="/sign-in"><button>Sign in</button></form>`,
    status,
  )

export const signInPage = (
  next: string,
  ways: SignInWays,
  status = 200,
  submitted?: Submitted,
): Response =>
  cardPage(
    'Sign in',
    html`${issuerButtons(ways.buttons, next)}${ways.hasPasswords ? passwordForm(next, ways, submitted) : alert('sign-in', [], submitted)}`,
    status,
    ways.hasPasskeys,
  )

const passwordForm = (next: string, { buttons, hasPasskeys }: SignInWays, submitted?: Submitted) =>
  html`${buttons.length ? orDivider : ''}<form method="post" action="/sign-in">
${alert('sign-in', ['email', 'password'], submitted)}
<input type="hidden" name="next" value="${next}">
${email('sign-in', hasPasskeys ? 'username webauthn' : 'username', submitted, { first: true })}
${field(
  {
    form: 'sign-in',
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'current-password',
  },
  submitted,
)}
<button>Sign in</button>
</form>
${hasPasskeys ? passkeyForm('/sign-in/passkey', 'Sign in with a passkey', next, submitted) : ''}
<p class="hint"><a href="/sign-in/forgot?next=${encodeURIComponent(next)}">Forgot your password?
Sign in by email</a></p>`

export interface Invitation {
  team_name: string
  inviter: string
  email: string
}

const invitationText = ({ inviter, team_name }: Invitation) =>
  html`<p><strong>${inviter}</strong> invites you to the team <strong>${team_name}</strong>.</p>`

export const newAccountPage = (
  token: string,
  invitation: Invitation,
  ways: Pick<SignInWays, 'buttons' | 'hasPasswords'>,
  status = 200,
  submitted?: Submitted,
): Response =>
  cardPage(
    `Join ${invitation.team_name}`,
    html`${invitationText(invitation)}
${issuerButtons(ways.buttons, `/invitations/${token}`)}
${ways.hasPasswords ? newAccountForm(token, invitation, ways, submitted) : ''}
<p class="hint">Already have an account?
<a href="/sign-in?next=${encodeURIComponent(`/invitations/${token}`)}">Sign in</a>
and come back to this page.</p>`,
    status,
  )

const newAccountForm = (
  token: string,
  invitation: Invitation,
  { buttons }: Pick<SignInWays, 'buttons'>,
  submitted?: Submitted,
) => html`${buttons.length ? orDivider : ''}<form method="post" action="/invitations/${token}">
${alert('join', ['name', 'password'], submitted)}
<p>Your account will be <strong>${invitation.email}</strong>.</p>
${yourName('join', submitted)}
${newPassword('join', submitted)}
<button>Create account and join</button>
</form>`

export const joinPage = (token: string, invitation: Invitation, name: string): Response =>
  cardPage(
    `Join ${invitation.team_name}`,
    html`${invitationText(invitation)}
<form method="post" action="/invitations/${token}">
<p>You are signed in as <strong>${name}</strong>.</p>
<button>Join the team</button>
</form>`,
    200,
  )

/** The page for stale or forged cookies, which the response removes. */
export const signedOutPage = (path: string): Response =>
  cardPage(
    'You were signed out',
    html`<p>Your session in this browser is no longer valid.</p>
<p><a href="${path}">Continue</a></p>`,
    401,
  )
