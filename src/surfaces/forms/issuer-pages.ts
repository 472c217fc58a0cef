import { type Html, html } from '../html.ts'
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
          html`<a class="button" href="${issuerPath(number, { next })}">Sign in with ${name}</a>`,
      )}</p>`
    : undefined

/** Separates the buttons of the issuers from the form for passwords. */
export const orDivider: Html = html`<p class="divider">or</p>`

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
<button class="plain">Ask an admin to approve it</button>
</form>`
  return cardPage(
    `Link ${name}`,
    html`<p>Your account at ${name}${address ? html` is <strong>${address}</strong>. It` : ''} is not
linked to the Corkboard account <strong>${account}</strong> yet.</p>
${isWaiting ? html`<p role="status">An admin of your team has to approve the link.</p>` : ''}
${needsFactor ? factorHint(name) : ''}
${takesPassword ? passwordForm(action, submitted) : alert('link', [], submitted)}
${isWaiting ? '' : html`${takesPassword ? orDivider : ''}${ask}`}
<p><a href="${issuerPath(number, { choose: '1' })}">Use another account at ${name}</a></p>`,
    status,
  )
}

const factorHint = (name: string) =>
  html`<p>This account has a second factor. <a href="/sign-in?next=%2Fsettings%2Fsecurity">Sign in with
it</a>, and link your account at ${name} in the settings.</p>`

const passwordForm = (action: string, submitted?: Submitted) =>
  html`<form method="post" action="${action}">
${alert('link', ['password'], submitted)}
${field(
  {
    form: 'link',
    name: 'password',
    label: 'Password of your Corkboard account',
    type: 'password',
    autocomplete: 'current-password',
    first: true,
  },
  submitted,
)}
<button>Link and sign in</button>
</form>`

/** A person asked for the approval of an admin. */
export const waitingPage = ({ name }: IssuerButton): Response =>
  cardPage(
    'Waiting for approval',
    html`<p>An owner or admin of your team has to approve the link to your account at ${name}. They
find it in the settings of the team.</p>
<p>Then sign in with ${name} again.</p>
<p><a href="/sign-in">Back to sign-in</a></p>`,
    200,
  )

/** A sign-in failed: what happened, and what to do. */
export const failedPage = (
  { number, name }: IssuerButton,
  text: string,
  { hasPasswords, status, requestId }: { hasPasswords: boolean; status: number; requestId: string },
): Response =>
  cardPage(
    `${name} sign-in failed`,
    html`<p class="alert" role="alert">${text}</p>
<p class="ways"><a class="button" href="${issuerPath(number, {})}">Try again</a></p>
<p><a href="${issuerPath(number, { choose: '1' })}">Use another account at ${name}</a></p>
<p><a href="/sign-in">${hasPasswords ? 'Sign in another way' : 'Back to sign-in'}</a></p>
<p class="hint">Request ${requestId}</p>`,
    status,
  )

/**
 * Leads on to another address by itself. A redirect does not do, because browsers apply the content
 * security policy of a form to the redirects after it.
 */
export const continuePage = (title: string, location: string): Response => {
  const response = cardPage(title, html`<p><a href="${location}">Continue</a></p>`, 200)
  response.headers.set('refresh', `0; url=${location}`)
  return response
}
