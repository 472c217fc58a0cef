import { type Html, html } from '../html.ts'
import { say, sayHtml } from '../language.ts'
import { alert, field, page, type Submitted } from './layout.ts'

/** An issuer as its button shows it. */
export interface IssuerButton {
  number: number
  name: string
}

const cardPage = (title: string, body: Html, status: number) =>
  page(title, html`<section class="card">${body}</section>`, status)

export const issuerPath = (number: number, query: Record<string, string>) =>
  `/sign-in/${number}?${new URLSearchParams(query)}`

/**
 * The buttons of the issuers. They are links, because the content security policy lets no form lead
 * to another host.
 */
export const issuerButtons = (issuers: readonly IssuerButton[], next: string): Html | undefined =>
  issuers.length
    ? html`<p class="ways">${issuers.map(
        ({ number, name }) =>
          html`<a class="button" href="${issuerPath(number, { next })}">${say('pages.sign_in_with', { name })}</a>`,
      )}</p>`
    : undefined

/** Separates the buttons of the issuers from the form for passwords. */
export const orDivider = (): Html => html`<p class="divider">${say('pages.or')}</p>`

export interface LinkQuestion {
  issuer: IssuerButton
  /** The address at the issuer. */
  address: string | null
  /** The address of the account. */
  account: string
  hasPassword: boolean
  /** The account has a second factor, which has to be asked for before it is linked. */
  needsFactor: boolean
  isWaiting: boolean
}

/** Asks a person to confirm that an account is theirs. */
export function linkPage(
  { issuer, address, account, hasPassword, needsFactor, isWaiting }: LinkQuestion,
  status = 200,
  submitted?: Submitted,
): Response {
  const { number, name } = issuer
  const action = `/sign-in/${number}/link`
  const takesPassword = hasPassword && !needsFactor
  const ask = html`<form method="post" action="${action}">
<input type="hidden" name="ask" value="admin">
<button class="plain">${say('pages.ask_an_admin')}</button>
</form>`
  return cardPage(
    say('pages.link_issuer', { name }),
    html`<p>${notLinked(name, address, account)}</p>
${isWaiting ? html`<p role="status">${say('pages.admin_has_to_approve')}</p>` : ''}
${needsFactor ? factorHint(name) : ''}
${takesPassword ? passwordForm(action, submitted) : alert('link', [], submitted)}
${isWaiting ? '' : html`${takesPassword ? orDivider() : ''}${ask}`}
<p><a href="${issuerPath(number, { choose: '1' })}">${say('pages.use_another_account', { name })}</a></p>`,
    status,
  )
}

const factorHint = (name: string) =>
  html`<p>${sayHtml('pages.has_second_factor', {
    name: html`${name}`,
    sign_in: html`<a href="/sign-in?next=%2Fsettings%2Fsecurity">${say('pages.sign_in_with_it')}</a>`,
  })}</p>`

const notLinked = (name: string, address: string | null, account: string) =>
  sayHtml(address ? 'pages.not_linked_yet_address' : 'pages.not_linked_yet', {
    name: html`${name}`,
    account: html`<strong>${account}</strong>`,
    ...(address && { address: html`<strong>${address}</strong>` }),
  })

const passwordForm = (action: string, submitted?: Submitted) =>
  html`<form method="post" action="${action}">
${alert('link', ['password'], submitted)}
${field(
  {
    form: 'link',
    name: 'password',
    label: say('pages.password_of_your_account'),
    type: 'password',
    autocomplete: 'current-password',
    first: true,
  },
  submitted,
)}
<button>${say('pages.link_and_sign_in')}</button>
</form>`

/** A person asked for the approval of an admin. */
export const waitingPage = ({ name }: IssuerButton): Response =>
  cardPage(
    say('pages.waiting_for_approval'),
    html`<p>${say('pages.owner_has_to_approve', { name })}</p>
<p>${say('pages.then_sign_in_again', { name })}</p>
<p><a href="/sign-in">${say('pages.back_to_sign_in')}</a></p>`,
    200,
  )

/** A sign-in failed: what happened, and what to do. */
export const failedPage = (
  { number, name }: IssuerButton,
  text: string,
  { hasPasswords, status, requestId }: { hasPasswords: boolean; status: number; requestId: string },
): Response =>
  cardPage(
    say('pages.issuer_sign_in_failed', { name }),
    html`<p class="alert" role="alert">${text}</p>
<p class="ways"><a class="button" href="${issuerPath(number, {})}">${say('pages.try_again')}</a></p>
<p><a href="${issuerPath(number, { choose: '1' })}">${say('pages.use_another_account', { name })}</a></p>
<p><a href="/sign-in">${say(hasPasswords ? 'pages.sign_in_another_way' : 'pages.back_to_sign_in')}</a></p>
<p class="hint">${say('pages.request_id', { id: requestId })}</p>`,
    status,
  )

/**
 * Leads on to another address by itself. A redirect does not do, because browsers apply the content
 * security policy of a form to the redirects after it.
 */
export const continuePage = (title: string, location: string): Response => {
  const response = cardPage(
    title,
    html`<p><a href="${location}">${say('pages.continue')}</a></p>`,
    200,
  )
  response.headers.set('refresh', `0; url=${location}`)
  return response
}
