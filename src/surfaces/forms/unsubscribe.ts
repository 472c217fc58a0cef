import type { Gateway, IncomingRequest } from '../gateway.ts'
import { html } from '../html.ts'
import { page, refusalPage } from './layout.ts'

/** What the unsubscribe pages need from email subscriptions. */
export interface EmailSubscriptions {
  /** The address that the link unsubscribes, and whether it is subscribed. */
  find(token: string): Promise<{ address: string; isMailed: boolean }>
  stop(token: string): Promise<void>
}

type Route = (
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
    'Unsubscribe',
    html`<section class="card">
<p>Corkboard sends notifications to <strong>${address}</strong>.</p>
<form method="post" action="/mail/unsubscribe/${token}">
<button>Unsubscribe</button>
</form>
<p class="hint">Your inbox in Corkboard stays unchanged.</p>
</section>`,
  )

const donePage = (address: string): Response =>
  page(
    'Unsubscribed',
    html`<section class="card">
<p>Corkboard no longer sends notifications to <strong>${address}</strong>.</p>
<p class="hint">Your inbox in Corkboard stays unchanged. To turn emails back on: <a href="/settings/notifications">Settings</a></p>
</section>`,
  )
