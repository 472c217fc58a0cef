import type { Gateway, IncomingRequest } from '../gateway.ts'
import { html } from '../html.ts'
import { say, sayHtml } from '../language.ts'
import { page, refusalPage } from './layout.ts'

/** What the unsubscribe pages need from email subscriptions. */
export interface EmailSubscriptions {
  /** The address that the link unsubscribes, and whether it is subscribed. */
  find(token: string): Promise<{ address: string; isMailed: boolean }>
  stop(token: string): Promise<void>
}

/** Adds a route whose address has a signed token. */
export type Route = (
  method: 'GET' | 'POST',
  path: string,
  serve: (incoming: IncomingRequest) => unknown,
) => void

/**
 * Adds the unsubscribe routes. GET changes nothing, because virus scanners follow links in email.
 * POST accepts cross-origin requests without a session, because mail programs send them (RFC 8058).
 */
export function unsubscribeForms(mails: EmailSubscriptions, gateway: Gateway, route: Route) {
  const path = '/mail/unsubscribe/:token'
  const serve = (action: (token: string) => Promise<Response>) => (incoming: IncomingRequest) =>
    gateway.serve(incoming, 'anyone', () => action(incoming.params!.token!), refusalPage)
  route(
    'GET',
    path,
    serve(async (token) => {
      const { address, isMailed } = await mails.find(token)
      return isMailed ? confirmPage(token, address) : donePage(address)
    }),
  )
  route(
    'POST',
    path,
    serve(async (token) => {
      await mails.stop(token)
      return donePage((await mails.find(token)).address)
    }),
  )
}

const confirmPage = (token: string, address: string): Response =>
  page(
    say('pages.unsubscribe'),
    html`<section class="card">
<p>${sayHtml('pages.sends_to_address', { address: html`<strong>${address}</strong>` })}</p>
<form method="post" action="/mail/unsubscribe/${token}">
<button>${say('pages.unsubscribe')}</button>
</form>
<p class="hint">${say('pages.inbox_unchanged')}</p>
</section>`,
  )

const donePage = (address: string): Response =>
  page(
    say('pages.unsubscribed'),
    html`<section class="card">
<p>${sayHtml('pages.no_longer_sends', { address: html`<strong>${address}</strong>` })}</p>
<p class="hint">${sayHtml('pages.turn_emails_back_on', { settings: html`<a href="/settings/notifications">${say('pages.settings')}</a>` })}</p>
</section>`,
  )
