import { html } from '../html.ts'
import { say, sayHtml } from '../language.ts'
import { alert, field, page, type Submitted } from './layout.ts'

/** The page on which a person types the code that a device shows. */
export const devicePage = (code: string, status = 200, submitted?: Submitted): Response =>
  page(
    say('pages.connect_a_device'),
    html`<section class="card">
<form method="post" action="/device">
${alert('device', ['code'], submitted)}
${field(
  {
    form: 'device',
    name: 'code',
    label: say('pages.code'),
    autocomplete: 'off',
    value: code,
    hint: say('pages.device_code_hint', { example: 'BCDF-GHJK' }),
    first: true,
  },
  submitted,
)}
<button>${say('pages.continue')}</button>
</form>
</section>`,
    status,
  )

export const deviceDonePage = (name: string): Response =>
  page(
    say('pages.connected'),
    html`<section class="card">
<p>${sayHtml('pages.device_connected', { name: html`<strong>${name}</strong>` })}</p>
<p class="hint">${sayHtml('pages.to_revoke_it', { link: html`<a href="/settings/apps">${say('pages.settings_connected_apps')}</a>` })}</p>
</section>`,
  )

export const deviceRefusedPage = (name: string): Response =>
  page(
    say('pages.refused'),
    html`<section class="card">
<p>${sayHtml('pages.device_refused', { name: html`<strong>${name}</strong>` })}</p>
</section>`,
  )
