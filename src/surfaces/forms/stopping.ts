import type { Called, Door } from '../door.ts'
import { html } from '../html.ts'
import { page, refusalPage } from './layout.ts'

/** What the pages behind the link of a letter ask for. */
export interface Mails {
  /** Whose letters the link ends, and whether there are any. */
  find(token: string): Promise<{ address: string; isMailed: boolean }>
  stop(token: string): Promise<void>
}

type Route = (method: 'GET' | 'POST', path: string, serve: (called: Called) => unknown) => void

/**
 * Looking ends nothing, for whoever checks mail for viruses follows its links. A form from elsewhere
 * is taken here, because mail programs send one (RFC 8058): the link is all that it needs.
 */
export function stopForms(mails: Mails, door: Door, route: Route) {
  const path = '/mail/unsubscribe/:token'
  const serve = (job: (token: string) => Promise<Response>) => (called: Called) =>
    door.serve(called, 'anyone', () => job(called.params!.token!), refusalPage)
  route(
    'GET',
    path,
    serve(async (token) => {
      const { address, isMailed } = await mails.find(token)
      return isMailed ? askPage(token, address) : stoppedPage(address)
    }),
  )
  route(
    'POST',
    path,
    serve(async (token) => {
      await mails.stop(token)
      return stoppedPage((await mails.find(token)).address)
    }),
  )
}

const askPage = (token: string, address: string): Response =>
  page(
    'Stop these mails',
    html`<section class="card">
<p>Notifications from Corkboard are mailed to <strong>${address}</strong>.</p>
<form method="post" action="/mail/unsubscribe/${token}">
<button>Stop these mails</button>
</form>
<p class="hint">Your inbox on Corkboard stays as it is.</p>
</section>`,
  )

const stoppedPage = (address: string): Response =>
  page(
    'No more mails',
    html`<section class="card">
<p>Nothing that happens on Corkboard is mailed to <strong>${address}</strong> any more.</p>
<p class="hint">Your inbox on Corkboard stays as it is. To have mails again: <a href="/settings/notifications">Settings</a></p>
</section>`,
  )
