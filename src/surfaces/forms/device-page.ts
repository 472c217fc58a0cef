import { html } from '../html.ts'
import { alert, field, page, type Submitted } from './layout.ts'

/** The page on which a person types the code that a device shows. */
export const devicePage = (code: string, status = 200, submitted?: Submitted): Response =>
  page(
    'Connect a device',
    html`<section class="card">
<form method="post" action="/device">
${alert('device', ['code'], submitted)}
${field(
  {
    form: 'device',
    name: 'code',
    label: 'Code',
    autocomplete: 'off',
    value: code,
    hint: 'The code that the device or program shows, such as BCDF-GHJK',
    first: true,
  },
  submitted,
)}
<button>Continue</button>
</form>
</section>`,
    status,
  )

export const deviceDonePage = (name: string): Response =>
  page(
    'Connected',
    html`<section class="card">
<p><strong>${name}</strong> is connected. You can close this page and return to your device.</p>
<p class="hint">To revoke it: <a href="/settings/apps">Settings, Connected apps</a></p>
</section>`,
  )

export const deviceRefusedPage = (name: string): Response =>
  page(
    'Refused',
    html`<section class="card">
<p><strong>${name}</strong> gets no access. You can close this page.</p>
</section>`,
  )
