import { html } from '../html.ts'
import { say, sayHtml } from '../language.ts'
import { alert, page, type Submitted } from './layout.ts'
import { cardPage, email, newPassword } from './pages.ts'

/** The ways to get back into an account without its password. */
export const forgotPage = (next: string, status = 200, submitted?: Submitted): Response =>
  cardPage(
    say('pages.sign_in_by_email'),
    html`<p>${say('pages.enter_email_for_link')}</p>
<form method="post" action="/sign-in/forgot">
${alert('forgot', ['email'], submitted)}
<input type="hidden" name="next" value="${next}">
${email('forgot', 'username', submitted, { first: true })}
<div class="actions">
<button name="kind" value="sign-in">${say('pages.email_me_a_link')}</button>
<button class="plain" name="kind" value="password">${say('pages.reset_my_password')}</button>
</div>
</form>
${backToSignIn(next)}`,
    status,
  )

/** The page of a server that cannot email links. */
export const noLinksPage = (next: string): Response =>
  cardPage(
    say('pages.sign_in_by_email'),
    html`<p>${sayHtml('pages.no_links_by_email', { command: html`<code>cork user recover</code>` })}</p>
${backToSignIn(next)}`,
    200,
  )

/** The same for every address, so that it does not reveal who has an account. */
export const linkSentPage = (address: string): Response =>
  cardPage(
    say('pages.check_your_email'),
    html`<p>${sayHtml('pages.link_on_its_way', { address: html`<strong>${address}</strong>` })}</p>
<p class="hint">${say('pages.no_email_yet')}</p>
<p class="hint"><a href="/sign-in">${say('pages.back_to_sign_in')}</a></p>`,
    200,
  )

const backToSignIn = (next: string) =>
  html`<p class="hint"><a href="/sign-in?next=${encodeURIComponent(next)}">${say('pages.back_to_sign_in')}</a></p>`

/** One button: opening the page changes nothing. */
export const confirmSignInPage = (token: string): Response =>
  cardPage(
    say('pages.sign_in_to_corkboard'),
    html`<form method="post" action="/sign-in/email/${token}">
<button>${say('pages.sign_in')}</button>
</form>
<p class="hint">${say('pages.link_works_once')}</p>`,
    200,
  )

export const newPasswordPage = (
  token: string,
  { isRecovery }: { isRecovery: boolean },
  status = 200,
  submitted?: Submitted,
): Response =>
  cardPage(
    say('pages.set_a_new_password'),
    html`${isRecovery ? '' : html`<p>${say('pages.other_browsers_signed_out')}</p>`}
<form method="post" action="/sign-in/password/${token}">
${alert('password', ['password'], submitted)}
${newPassword('password', submitted, say('pages.new_password'))}
<button>${say('pages.set_password_and_sign_in')}</button>
</form>
${
  isRecovery
    ? html`<form method="post" action="/sign-in/email/${token}">
<button class="plain">${say('pages.sign_in_without_new_password')}</button>
</form>`
    : ''
}`,
    status,
  )

/** The same page for every link that does not work, whatever the reason. */
export const deadLinkPage = (status: number): Response =>
  page(
    say('pages.link_does_not_work'),
    html`<section class="card">
<p>${say('pages.link_may_have_expired')}</p>
<form method="get" action="/sign-in/forgot"><button>${say('pages.get_a_new_link')}</button></form>
<p class="hint"><a href="/sign-in">${say('pages.back_to_sign_in')}</a></p>
</section>`,
    status,
  )
