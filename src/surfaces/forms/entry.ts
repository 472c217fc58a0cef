import { type Html, html } from '../html.ts'
import { alert, type Entered, field, page } from './layout.ts'

const shown = (title: string, body: Html, status: number) =>
  page(title, html`<section class="card">${body}</section>`, status)

const newPassword = (form: string, entered?: Entered) =>
  field(
    {
      form,
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'new-password',
      hint: 'At least 10 characters',
    },
    entered,
  )

const yourName = (form: string, entered?: Entered) =>
  field({ form, name: 'name', label: 'Your name', autocomplete: 'name', first: true }, entered)

const email = (
  form: string,
  autocomplete: string,
  entered?: Entered,
  more: { first?: true } = {},
) => field({ form, name: 'email', label: 'E-mail', type: 'email', autocomplete, ...more }, entered)

export const setUpPage = (token: string, status = 200, entered?: Entered): Response =>
  shown(
    'Set up Corkboard',
    html`<ol class="steps" aria-label="First steps">
<li aria-current="step">Your team</li><li>A board</li><li>Your agent</li>
</ol>
<p>You will own this server and its first team. Others come in by invitation.</p>
<form method="post" action="/setup">
${alert('setup', ['name', 'email', 'password', 'team'], entered)}
<input type="hidden" name="token" value="${token}">
${yourName('setup', entered)}
${email('setup', 'email', entered)}
${newPassword('setup', entered)}
${field({ form: 'setup', name: 'team', label: 'Team', autocomplete: 'organization' }, entered)}
<button>Create the server's first account</button>
</form>`,
    status,
  )

export const isSetUpPage = (status: number): Response =>
  shown(
    'Corkboard is set up',
    html`<p>This server has an owner. Sign in, or ask them for an invitation.</p>
<form method="get" action="/sign-in"><button>Sign in</button></form>`,
    status,
  )

export const signInPage = (next: string, status = 200, entered?: Entered): Response =>
  shown(
    'Sign in',
    html`<form method="post" action="/sign-in">
${alert('sign-in', ['email', 'password'], entered)}
<input type="hidden" name="next" value="${next}">
${email('sign-in', 'username', entered, { first: true })}
${field(
  {
    form: 'sign-in',
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'current-password',
  },
  entered,
)}
<button>Sign in</button>
</form>`,
    status,
  )

export interface Invited {
  team_name: string
  inviter: string
  email: string
}

const invites = ({ inviter, team_name }: Invited) =>
  html`<p><strong>${inviter}</strong> invites you to the team <strong>${team_name}</strong>.</p>`

export const newcomerPage = (
  token: string,
  invited: Invited,
  status = 200,
  entered?: Entered,
): Response =>
  shown(
    `Join ${invited.team_name}`,
    html`${invites(invited)}
<form method="post" action="/invitations/${token}">
${alert('join', ['name', 'password'], entered)}
<p>Your account will be <strong>${invited.email}</strong>.</p>
${yourName('join', entered)}
${newPassword('join', entered)}
<button>Create the account and join</button>
</form>
<p class="hint">You have an account already?
<a href="/sign-in?next=${encodeURIComponent(`/invitations/${token}`)}">Sign in</a>
and come back to this page.</p>`,
    status,
  )

export const joinPage = (token: string, invited: Invited, name: string): Response =>
  shown(
    `Join ${invited.team_name}`,
    html`${invites(invited)}
<form method="post" action="/invitations/${token}">
<p>You are signed in as <strong>${name}</strong>.</p>
<button>Join the team</button>
</form>`,
    200,
  )

/** The cookies were stale or forged and have been taken away; the way on is one click. */
export const signedOutPage = (path: string): Response =>
  shown(
    'You were signed out',
    html`<p>The sign-in that this browser kept is not valid any more.</p>
<p><a href="${path}">Continue</a></p>`,
    401,
  )
