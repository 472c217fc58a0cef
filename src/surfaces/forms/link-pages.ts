import { html } from '../html.ts'
import { alert, page, type Submitted } from './layout.ts'
import { cardPage, email, newPassword } from './pages.ts'

/** The ways to get back into an account without its password. */
export const forgotPage = (next: string, status = 200, submitted?: Submitted): Response =>
  cardPage(
    'Sign in by email',
    html`<p>Enter the email of your account. We send you a link, which is valid for 15 minutes.</p>
<form method="post" action="/sign-in/forgot">
${alert('forgot', ['email'], submitted)}
<input type="hidden" name="next" value="${next}">
${email('forgot', 'username', submitted, { first: true })}
<div class="actions">
<button name="kind" value="sign-in">Email me a link to sign in</button>
<button class="plain" name="kind" value="password">Reset my password</button>
</div>
</form>
${backToSignIn(next)}`,
    status,
  )

/** The page of a server that cannot email links. */
export const noLinksPage = (next: string): Response =>
  cardPage(
    'Sign in by email',
    html`<p>This server sends no links by email. Ask its operator for a link: they can create one
with <code>cork user recover</code>.</p>
${backToSignIn(next)}`,
    200,
  )

/** The same for every address, so that it does not reveal who has an account. */
export const linkSentPage = (address: string): Response =>
  cardPage(
    'Check your email',
    html`<p>If <strong>${address}</strong> has an account here, an email with a link is on its way.
The link is valid for 15 minutes and works once.</p>
<p class="hint">No email after a few minutes? Check the spam folder and the address, or ask the
operator of the server.</p>
<p class="hint"><a href="/sign-in">Back to sign-in</a></p>`,
    200,
  )

const backToSignIn = (next: string) =>
  html`<p class="hint"><a href="/sign-in?next=${encodeURIComponent(next)}">Back to sign-in</a></p>`

/** One button: opening the page changes nothing. */
export const confirmSignInPage = (token: string): Response =>
  cardPage(
    'Sign in to Corkboard',
    html`<form method="post" action="/sign-in/email/${token}">
<button>Sign in</button>
</form>
<p class="hint">The link works once, in this browser.</p>`,
    200,
  )

export const newPasswordPage = (
  token: string,
  { isRecovery }: { isRecovery: boolean },
  status = 200,
  submitted?: Submitted,
): Response =>
  cardPage(
    'Set a new password',
    html`${isRecovery ? '' : html`<p>Your other browsers will be signed out.</p>`}
<form method="post" action="/sign-in/password/${token}">
${alert('password', ['password'], submitted)}
${newPassword('password', submitted, 'New password')}
<button>Set password and sign in</button>
</form>
${
  isRecovery
    ? html`<form method="post" action="/sign-in/email/${token}">
<button class="plain">Sign in without a new password</button>
</form>`
    : ''
}`,
    status,
  )

/** The same page for every link that does not work, whatever the reason. */
export const deadLinkPage = (status: number): Response =>
  page(
    'This link does not work',
    html`<section class="card">
<p>It may have expired, it may have been used already, or a newer one replaced it.</p>
<form method="get" action="/sign-in/forgot"><button>Get a new link</button></form>
<p class="hint"><a href="/sign-in">Back to sign-in</a></p>
</section>`,
    status,
  )
